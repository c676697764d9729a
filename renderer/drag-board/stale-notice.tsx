import type { ReactNode } from 'react'
import type { Problem } from '../../shared/problem.ts'
import { useShowProblem } from '../store/use-show-problem.ts'
import { SeverityMark } from '../ui/problem-list.tsx'
import { Button } from '../ui/button.tsx'
import styles from './drop-zones.module.css'

/** Why nothing can be dragged: stands where the wells are, so that the board keeps its place. */
export function StaleNotice({ problem }: { readonly problem: Problem | null }): ReactNode {
  const showProblem = useShowProblem()
  const place = problem?.range ?? null
  return (
    <div className={styles.notice} role="status" aria-label="Board disabled">
      <SeverityMark severity="error" />
      <span className={styles.noticeText} title={problem?.message}>
        Off until the text can be read again: {problem?.message ?? 'it has errors'}
      </span>
      {problem === null || place === null ? null : (
        <Button variant="link" onClick={() => showProblem(problem)}>
          Line {place.start.line}
        </Button>
      )}
    </div>
  )
}

import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Overlay } from '../../shared/overlay/types.ts'
import { usePlannerState } from '../store/use-planner.ts'
import { useShowProblem } from '../store/use-show-problem.ts'
import { SeverityMark } from '../ui/problem-list.tsx'
import styles from './overlay-editor.module.css'

/**
 * One line above the text, always there so that nothing jumps while typing: what the text says, or the first
 * thing that keeps it from being read and the way there.
 */
export function ReadingLine({ onJump }: { readonly onJump: () => void }): ReactNode {
  const showProblem = useShowProblem()
  const overlay = usePlannerState((state) => state.overlay)
  if (overlay === null) return <div className={styles.reading} />
  const problem = overlay.problems.find(({ severity }) => severity === 'error')
  if (!overlay.stale || problem === undefined) {
    return (
      <div className={styles.reading} role="status" aria-label="Overlay text">
        <Check size={14} aria-hidden="true" />
        <span className={styles.message}>{overlaySummary(overlay.document.overlay)}</span>
      </div>
    )
  }
  const more = overlay.problems.length - 1
  return (
    <div className={styles.broken} role="status" aria-label="Overlay text">
      <SeverityMark severity="error" />
      <span className={styles.message} title={problem.message}>
        {problem.message}
      </span>
      {more === 0 ? null : <span className={styles.more}>{more} more</span>}
      {problem.range === null ? null : (
        <button
          type="button"
          className={styles.jump}
          onClick={() => {
            showProblem(problem)
            onJump()
          }}
        >
          Go to line {problem.range.start.line}
        </button>
      )}
    </div>
  )
}

/** `2 roles with excludes · 1 latency class · 1 sticky`. */
function overlaySummary({ excludes, latencyClass, sticky }: Overlay): string {
  const parts = [
    [excludes.size, 'role with excludes', 'roles with excludes'],
    [latencyClass.size, 'latency class', 'latency classes'],
    [sticky.size, 'sticky setting', 'sticky settings'],
  ] as const
  const said = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => `${count} ${count === 1 ? one : many}`)
  return said.length === 0 ? 'Says nothing: the defaults hold for every role' : said.join(' · ')
}

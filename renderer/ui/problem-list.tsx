import { CircleX, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import type { Problem, Severity } from '../../shared/problem.ts'
import styles from './problem-list.module.css'

interface ProblemListProps {
  readonly problems: readonly Problem[]
  /** Goes to the problem's place; null where nothing shows it. */
  readonly onShow: ((problem: Problem) => void) | null
}

/** Problems, each with its severity by shape and colour, its message and its place. */
export function ProblemList({ problems, onShow }: ProblemListProps): ReactNode {
  return (
    <ul>
      {problems.map((problem, i) => (
        <li key={i} className={styles.problem}>
          <SeverityMark severity={problem.severity} />
          <span className={styles.message}>{problem.message}</span>
          {problem.file === null ? null : onShow === null ? (
            <span className={styles.placeText} title={problem.file}>
              {placeText(problem)}
            </span>
          ) : (
            <button
              type="button"
              className={styles.place}
              title={problem.file}
              onClick={() => onShow(problem)}
            >
              {placeText(problem)}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/** `queue.yaml:12:9`, or the file's name alone when the whole file is meant. */
function placeText(problem: Problem): string {
  const name = fileName(problem.file ?? '')
  return problem.range === null ? name : `${name}:${problem.range.start.line}:${problem.range.start.column}`
}

/** A cross in a ring, a triangle or an i: never colour alone. */
export function SeverityMark({ severity }: { readonly severity: Severity }): ReactNode {
  switch (severity) {
    case 'error':
      return <CircleX size={15} className={styles.error} aria-label="error" />
    case 'warning':
      return <TriangleAlert size={15} className={styles.warning} aria-label="warning" />
    case 'info':
      return <Info size={15} className={styles.info} aria-label="information" />
  }
}

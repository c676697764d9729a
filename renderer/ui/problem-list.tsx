import { ChevronRight, CircleX, Info, TriangleAlert } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import type { Problem, Severity } from '../../shared/problem.ts'
import { groupProblems } from '../../shared/report/problem-groups.ts'
import styles from './problem-list.module.css'

interface ProblemListProps {
  readonly problems: readonly Problem[]
  /** Goes to the problem's place; null where nothing shows it. */
  readonly onShow: ((problem: Problem) => void) | null
}

/** Problems, each with its severity by shape and colour, its message and its place; those of one kind are a row that opens. */
export function ProblemList({ problems, onShow }: ProblemListProps): ReactNode {
  const groups = useMemo(() => groupProblems(problems), [problems])
  return (
    <ul>
      {groups.map(({ headline, problems: own }, i) =>
        headline === null ? (
          <ProblemRow key={i} problem={own[0]} onShow={onShow} />
        ) : (
          <ProblemKind key={i} headline={headline} problems={own} onShow={onShow} />
        ),
      )}
    </ul>
  )
}

function ProblemKind({
  headline,
  problems,
  onShow,
}: ProblemListProps & { readonly headline: string }): ReactNode {
  const [open, setOpen] = useState(false)
  const severity = problems[0]?.severity ?? 'info'
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className={styles.kind}>
          <SeverityMark severity={severity} />
          <span className={styles.message}>{headline}</span>
          <ChevronRight className={styles.chevron} size={14} aria-hidden="true" />
        </summary>
        {open ? (
          <ul className={styles.members}>
            {problems.map((problem, i) => (
              <ProblemRow key={i} problem={problem} onShow={onShow} />
            ))}
          </ul>
        ) : null}
      </details>
    </li>
  )
}

function ProblemRow({
  problem,
  onShow,
}: Pick<ProblemListProps, 'onShow'> & { readonly problem: Problem }): ReactNode {
  return (
    <li className={styles.problem}>
      <SeverityMark severity={problem.severity} />
      <span className={styles.message}>{problem.message}</span>
      {problem.file === null ? null : onShow === null ? (
        <span className={styles.placeText} title={problem.file}>
          {placeText(problem)}
        </span>
      ) : (
        <button type="button" className={styles.place} title={problem.file} onClick={() => onShow(problem)}>
          {placeText(problem)}
        </button>
      )}
    </li>
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

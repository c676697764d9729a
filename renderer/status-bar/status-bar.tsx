import { CircleCheck } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import type { Problem, Severity } from '../../shared/problem.ts'
import { worstProblemText } from '../../shared/report/problem-groups.ts'
import { countLive } from '../../shared/live/compare-live.ts'
import {
  selectIsPlanning,
  selectLive,
  selectProblems,
  selectStaleReasons,
  selectUnsaved,
} from '../store/selectors.ts'
import type { Connection } from '../store/connection.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { SeverityMark } from '../ui/problem-list.tsx'
import styles from './status-bar.module.css'

const CONNECTIONS: Readonly<Record<Connection, string | null>> = {
  connected: null,
  away: 'Host lost, reconnecting…',
  refused: 'No key to the host',
  other_lab: 'Host has another lab',
}

/** The bottom of the window: problems, staleness, the overlay's state. */
export function StatusBar(): ReactNode {
  const { view } = usePlanner()
  const open = usePlannerState((state) => state.lab.status === 'open')
  const connection = usePlannerState((state) => state.connection)
  const unwatched = usePlannerState(({ lab }) => (lab.status === 'open' ? lab.snapshot.unwatched : null))
  const problems = usePlannerState(selectProblems)
  const stale = usePlannerState(selectStaleReasons)
  const unsaved = usePlannerState(selectUnsaved)
  const overlay = usePlannerState((state) => state.overlay)
  const counts = useMemo(() => countBySeverity(problems), [problems])
  const worst = useMemo(() => worstOf(problems), [problems])
  const worstText = useMemo(() => worstProblemText(problems), [problems])
  return (
    <footer className={styles.bar}>
      {open ? (
        <button
          type="button"
          className={styles.problems}
          onClick={() => view.openDialog({ kind: 'problems' })}
        >
          {worst === null ? (
            <>
              <CircleCheck size={14} aria-hidden="true" /> No problems
            </>
          ) : (
            <>
              <SeverityMark severity={worst.severity} />
              {countsText(counts)}
            </>
          )}
        </button>
      ) : null}
      <span className={styles.first} title={worstText ?? undefined}>
        {worstText}
      </span>
      {stale.length === 0 ? null : (
        <span className={styles.stale} title={stale.join('\n')}>
          Stale plan
        </span>
      )}
      {unwatched === null ? null : (
        <span className={styles.stale} title={`Changes are looked for every few seconds: ${unwatched}`}>
          Files are not watched
        </span>
      )}
      <PlanningStatus />
      {open ? <ReadingStatus /> : null}
      <ScanStatus />
      <LiveStatus />
      {CONNECTIONS[connection] === null ? null : (
        <span className={styles.offline}>{CONNECTIONS[connection]}</span>
      )}
      <CaretPlace />
      {overlay === null ? null : <span>{overlayStatus(unsaved, overlay.base === null)}</span>}
      {overlay === null ? null : <span>{encodingOf(overlay.history.present.text)}</span>}
    </footer>
  )
}

/** That the plan on screen is not yet of the scenario that the controls show. */
function PlanningStatus(): ReactNode {
  const planning = usePlannerState(selectIsPlanning)
  return (
    <span role="status" className={planning ? styles.stale : undefined}>
      {planning ? (
        <span title="What is on screen is still the plan of what was assumed before">Planning…</span>
      ) : null}
    </span>
  )
}

/** Files that are read while a lab is on screen: another one is opened, or this one has changed much. */
function ReadingStatus(): ReactNode {
  const planner = usePlanner()
  const reading = usePlannerState((state) => state.reading)
  if (reading === null) return null
  return (
    <span className={styles.reading}>
      {reading.share === null ? 'Reading files…' : `Reading files, ${Math.floor(reading.share * 100)} %`}
      <Button variant="link" aria-label="Stop reading files" onClick={planner.lab.stopReading}>
        Stop
      </Button>
    </span>
  )
}

/** Where the caret of the overlay editor is, while it has the focus. */
function CaretPlace(): ReactNode {
  const caret = usePlannerState((state) => state.view.caret)
  return caret === null ? null : (
    <span>
      Ln {caret.line}, Col {caret.column} · Escape, then Tab leaves
    </span>
  )
}

/** A scan that goes on behind the window: how far it is, and the way back to it. */
function ScanStatus(): ReactNode {
  const { view } = usePlanner()
  const scan = usePlannerState((state) => state.scan)
  if (scan === null || scan.state === 'ended') return null
  const total = BigInt(scan.totalBytes)
  const percent = total === 0n ? 100n : (BigInt(scan.doneBytes) * 100n) / total
  return (
    <button type="button" className={styles.problems} onClick={() => view.openDialog({ kind: 'scan' })}>
      {scan.state === 'node' ? 'Scanning this machine' : `Scanning models, ${percent} %`}
    </button>
  )
}

/** How what runs now compares with the plan, while the servers are asked. */
function LiveStatus(): ReactNode {
  const { view } = usePlanner()
  const on = usePlannerState((state) => state.live.on)
  const live = usePlannerState(selectLive)
  if (!on) return null
  const counts = live && countLive(live)
  return (
    <button type="button" className={styles.problems} onClick={() => view.openDialog({ kind: 'live' })}>
      {counts === null
        ? 'Asking servers…'
        : `${counts.asPlanned} as planned, ${counts.differ} ${counts.differ === 1 ? 'differs' : 'differ'}`}
    </button>
  )
}

function overlayStatus(unsaved: boolean, missing: boolean): string {
  if (unsaved) return 'Unsaved overlay'
  return missing ? 'No overlay file' : 'Overlay saved'
}

/** The text's encoding as it will be saved. */
function encodingOf(text: string): string {
  const breaks = text.includes('\r\n') ? 'CRLF' : 'LF'
  return `UTF-8${text.startsWith('\uFEFF') ? ' with BOM' : ''} · ${breaks}`
}

/** The first problem of the highest severity; null when there is none. */
function worstOf(problems: readonly Problem[]): Problem | null {
  const of = (severity: Severity): Problem | undefined =>
    problems.find((problem) => problem.severity === severity)
  return of('error') ?? of('warning') ?? problems[0] ?? null
}

type Counts = Readonly<Record<Severity, number>>

function countBySeverity(problems: readonly Problem[]): Counts {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const problem of problems) counts[problem.severity]++
  return counts
}

function countsText(counts: Counts): string {
  const parts = [
    [counts.error, 'error'],
    [counts.warning, 'warning'],
  ] as const
  const text = parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
  if (counts.info > 0) text.push(`${counts.info} ${counts.info === 1 ? 'note' : 'notes'}`)
  return text.join(', ')
}

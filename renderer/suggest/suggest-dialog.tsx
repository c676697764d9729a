import { useState, type ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import type { SuggestionReport } from '../../shared/report/suggestion-json.ts'
import { scenarioFromJson, scenarioToJson } from '../../shared/scenario/scenario-json.ts'
import { overlayText } from '../store/overlay-state.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Segmented } from '../ui/segmented.tsx'
import table from '../ui/table.module.css'
import styles from './suggest.module.css'

const LIMITS = [
  { id: '5', label: '5 s' },
  { id: '20', label: '20 s' },
  { id: '60', label: '60 s' },
] as const
type Limit = (typeof LIMITS)[number]['id']

/** An assignment of all roles to nodes at once, found by a solver, to be taken over as a scenario or left. */
export function SuggestDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'suggest')
  return open ? <Suggest /> : null
}

function Suggest(): ReactNode {
  const planner = usePlanner()
  const stale = usePlannerState((state) => state.overlay?.stale ?? false)
  const [limit, setLimit] = useState<Limit>('5')
  const [busy, setBusy] = useState(false)
  const [report, setReport] = useState<SuggestionReport | null>(null)
  const [error, setError] = useState<string | null>(null)

  const ask = async (): Promise<void> => {
    const { overlay, scenario } = planner.store.getState()
    if (overlay === null) return
    setBusy(true)
    setError(null)
    const result = await planner.client.call.suggestPlan({
      overlayText: overlayText(overlay),
      scenario: scenarioToJson(scenario),
      seconds: Number(limit),
    })
    setBusy(false)
    if (result.ok) setReport(result.value)
    else setError(result.error.message)
  }
  const apply = (suggestion: SuggestionReport): void => {
    // A baseline that was pinned by hand stays: it is what the person compares with.
    if (planner.store.getState().baseline === null) planner.scenario.pinBaseline()
    planner.scenario.apply(scenarioFromJson(suggestion.scenario))
    planner.view.closeDialog()
    planner.view.toast(
      'info',
      'The suggestion is a scenario now: compare it with the baseline, undo it, or save it',
    )
  }

  return (
    <Dialog
      wide
      reading={report !== null}
      title="Suggest a plan"
      description="Nodes for all roles together, found by a solver"
      onClose={planner.view.closeDialog}
      footer={
        <>
          <span className={styles.error} role="alert">
            {stale ? 'The overlay has errors; fix it first.' : error}
          </span>
          <Button onClick={planner.view.closeDialog}>{report === null ? 'Cancel' : 'Dismiss'}</Button>
          {report === null ? (
            <Button variant="primary" disabled={busy || stale} onClick={() => void ask()}>
              {busy ? 'Solving…' : 'Find a plan'}
            </Button>
          ) : report.isBetter ? (
            <Button variant="primary" onClick={() => apply(report)}>
              Try it as a scenario
            </Button>
          ) : null}
        </>
      }
    >
      {report === null ? (
        <div className={styles.intro}>
          <p>
            Roles are placed one by one in roster order. A solver looks at all of them at once: as many
            interactive roles as can be, then as many roles, then the fewest bytes moved, then sticky roles
            where they are. Memory, excludes, formats and space hold; the transfer policy is the one on
            screen.
          </p>
          <div className={styles.limit}>
            Time limit
            <Segmented label="Time limit" options={LIMITS} value={limit} onChange={setLimit} />
          </div>
        </div>
      ) : (
        <>
          <div className={styles.summary} role="status">
            {report.lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
          {report.isBetter ? <RolesTable roles={report.roles} /> : null}
        </>
      )}
    </Dialog>
  )
}

function RolesTable({ roles }: Pick<SuggestionReport, 'roles'>): ReactNode {
  return (
    <table className={classes(table.table, styles.roles)} aria-label="Suggested nodes">
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">Node</th>
          <th scope="col">Moves</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {roles.map(({ role, nodeId, bytes, reason }) => (
          <tr key={role}>
            <th scope="row" title={role}>
              {role}
            </th>
            <td className={nodeId === null ? styles.nowhere : undefined} title={nodeId ?? undefined}>
              {nodeId ?? 'nowhere'}
            </td>
            <td>{bytes === '0' ? '–' : formatBytes(BigInt(bytes))}</td>
            <td>{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

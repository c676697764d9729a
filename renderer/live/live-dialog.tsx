import type { ReactNode } from 'react'
import { countLive, type LiveRole, type StrangeModel } from '../../shared/live/compare-live.ts'
import { adoptWhatRuns } from '../../shared/live/adopt.ts'
import { spansOf, type LiveChange } from '../../shared/live/history.ts'
import { selectLive } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { LiveBadge } from '../ui/live-badge.tsx'
import { Switch } from '../ui/switch.tsx'
import { RoleLink } from '../ui/role-link.tsx'
import { DAY_SECS, HistoryStrip } from './history-strip.tsx'
import table from '../ui/table.module.css'
import styles from './live.module.css'

/** What the lab's servers run now, against the plan on screen. */
export function LiveDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'live')
  return open ? <ShownLive /> : null
}

function ShownLive(): ReactNode {
  const { view, live: actions, scenario } = usePlanner()
  const { on, report, history } = usePlannerState((state) => state.live)
  const assumed = usePlannerState((state) => state.scenario)
  const hasBaseline = usePlannerState((state) => state.baseline !== null)
  const comparison = usePlannerState(selectLive)
  return (
    <Dialog
      wide
      title="What runs now"
      description="Asks the servers that fleet.yaml names what they run, and holds it against the plan"
      onClose={view.closeDialog}
    >
      <div className={styles.tools}>
        <Switch
          label="Watch"
          checked={on}
          onChange={(wanted) => (wanted ? void actions.start() : actions.stop())}
        />
        <span className={styles.note}>
          {on
            ? 'Asks every 10 seconds while this window is visible. Reads only.'
            : 'Off: nothing is asked. Only addresses in fleet.yaml and ports of roles there are asked, read only.'}
        </span>
        {report === null ? null : <Seen atSecs={report.atSecs} />}
      </div>
      {comparison === null ? (
        <EmptyState title={on ? 'Asking the servers…' : 'Not watching'}>
          {on
            ? 'The first answers take up to a few seconds.'
            : 'Turn on Watch to see what each role does now.'}
        </EmptyState>
      ) : (
        <>
          <div className={styles.sum}>
            <span>
              {sumText(countLive(comparison))} The run book (Export) says what has to stop and start.
            </span>
            <Button
              onClick={() => {
                if (!hasBaseline) scenario.pinBaseline()
                scenario.apply(adoptWhatRuns(assumed, comparison))
                view.closeDialog()
                view.toast(
                  'success',
                  'What runs now is a scenario: compare it with the baseline, or undo it.',
                )
              }}
            >
              Adopt what runs as a scenario
            </Button>
          </div>
          <table className={table.table} aria-label="What runs now">
            <thead>
              <tr>
                <th scope="col">Role</th>
                <th scope="col">Now</th>
                <th scope="col">Where</th>
                <th scope="col">Served as</th>
                <th scope="col">Last 24 hours</th>
              </tr>
            </thead>
            <tbody>
              {comparison.roles.map((role) => (
                <RoleRow key={role.role} role={role} history={history} atSecs={report?.atSecs ?? 0} />
              ))}
              {comparison.strangers.map((stranger) => (
                <StrangerRow key={`${stranger.url} ${stranger.model.id}`} stranger={stranger} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </Dialog>
  )
}

function sumText({ asPlanned, differ }: { readonly asPlanned: number; readonly differ: number }): string {
  return `${asPlanned} as planned, ${differ} ${differ === 1 ? 'differs' : 'differ'}.`
}

function Seen({ atSecs }: { readonly atSecs: number }): ReactNode {
  const time = new Date(atSecs * 1000).toLocaleTimeString([], { hour12: false })
  return <span className={styles.note}>Last asked {time}</span>
}

interface RoleRowProps {
  readonly role: LiveRole
  readonly history: readonly LiveChange[]
  readonly atSecs: number
}

function RoleRow({ role: { role, state, seen, reason }, history, atSecs }: RoleRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">
        <RoleLink role={role} />
      </th>
      <td>
        <LiveBadge state={state} />
        {reason === null ? null : <div className={styles.note}>{reason}</div>}
      </td>
      <td>{seen === null ? '–' : seen.url}</td>
      <td>
        {seen === null ? '–' : seen.model.id}
        {seen === null || seen.model.contextTokens === null ? null : (
          <div className={styles.note}>context {seen.model.contextTokens.toLocaleString('en-US')}</div>
        )}
      </td>
      <td>
        <HistoryStrip
          spans={spansOf(history, role, atSecs - DAY_SECS, atSecs)}
          fromSecs={atSecs - DAY_SECS}
        />
      </td>
    </tr>
  )
}

function StrangerRow({ stranger: { role, url, model } }: { readonly stranger: StrangeModel }): ReactNode {
  return (
    <tr>
      <th scope="row">{role ?? '–'}</th>
      <td>
        <LiveBadge state="not_planned" />
      </td>
      <td>{url}</td>
      <td>{model.id}</td>
      <td />
    </tr>
  )
}

import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import { scenarioTable, type ScenarioRow, type ScenarioTable } from '../../shared/compare/scenario-table.ts'
import { plural } from '../../shared/listed.ts'
import { precomputePlan } from '../../shared/plan/planner.ts'
import type { LabPlan, PlanInputs } from '../../shared/plan/types.ts'
import { shortOutcome } from '../../shared/report/outcome-words.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../shared/scenario/scenario.ts'
import {
  selectCurrentScenario,
  selectNamedScenarios,
  selectScenarioChanged,
} from '../store/named-scenarios.ts'
import { runInSlices } from '../store/run-in-slices.ts'
import { selectWantedInputs } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { OutcomeMark } from '../ui/outcome-mark.tsx'
import { Switch } from '../ui/switch.tsx'
import { RoleLink } from '../ui/role-link.tsx'
import table from '../ui/table.module.css'
import styles from './scenarios.module.css'

const ON_SCREEN = 'On screen'
const NOTHING = 'Nothing assumed'
/** Columns that can still be read beside each other. */
const MOST = 3

interface Choice {
  readonly name: string
  readonly scenario: Scenario
}

/** Two or three scenarios side by side: what becomes of each role under each. */
export function ScenarioTableDialog(): ReactNode {
  const { view } = usePlanner()
  const choices = useChoices()
  const [chosen, setChosen] = useState<readonly string[]>(() => choices.slice(0, 2).map(({ name }) => name))
  const [onlyDifferent, setOnlyDifferent] = useState(true)
  const shown = useMemo(() => choices.filter(({ name }) => chosen.includes(name)), [choices, chosen])
  const planned = usePlans(shown)
  const toggle = (name: string): void =>
    setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name].slice(-MOST))
  return (
    <Dialog
      wide
      title="Compare scenarios"
      description="Two or three scenarios side by side, role by role"
      onClose={view.closeDialog}
    >
      <div className={styles.choices} role="group" aria-label={`Scenarios to compare, at most ${MOST}`}>
        {choices.map(({ name }) => (
          <Button key={name} aria-pressed={chosen.includes(name)} onClick={() => toggle(name)}>
            {name}
          </Button>
        ))}
        <span className={styles.only}>
          <Switch label="Only roles that differ" checked={onlyDifferent} onChange={setOnlyDifferent} />
        </span>
      </div>
      {shown.length < 2 ? (
        <EmptyState title="Choose two or three scenarios" />
      ) : planned === null ? (
        <EmptyState title="Planning…" />
      ) : (
        <Compared of={planned} onlyDifferent={onlyDifferent} />
      )}
    </Dialog>
  )
}

function useChoices(): readonly Choice[] {
  const named = usePlannerState(selectNamedScenarios)
  const current = usePlannerState(selectCurrentScenario)
  const changed = usePlannerState(selectScenarioChanged)
  const scenario = usePlannerState((state) => state.scenario)
  return useMemo(() => {
    const kept = named.flatMap(({ name, scenario: read }) =>
      read === null ? [] : [{ name, scenario: read }],
    )
    const isKept = current !== null && !changed
    const first = kept.filter(({ name }) => isKept && name === current.name)
    const others = kept.filter((choice) => !first.includes(choice))
    const onScreen = isKept || scenario === DEFAULT_SCENARIO ? [] : [{ name: ON_SCREEN, scenario }]
    return [...onScreen, ...first, ...others, { name: NOTHING, scenario: DEFAULT_SCENARIO }]
  }, [named, current, changed, scenario])
}

/** The table of `shown`, planned one after the other while the dialog is there; null until all are. */
function usePlans(shown: readonly Choice[]): ScenarioTable | null {
  const inputs = usePlannerState(selectWantedInputs)
  const memo = usePlannerState((state) => state.memo)
  const role = usePlannerState((state) => state.view.role)
  const key = shown.map(({ name }) => name).join('\n')
  const [done, setDone] = useState<{
    readonly key: string
    readonly of: PlanInputs
    readonly is: ScenarioTable
  }>()
  useEffect(() => {
    if (inputs === null || shown.length < 2 || (done?.key === key && done.of === inputs)) return
    let isGivenUp = false
    const make = async (): Promise<void> => {
      const plans: { name: string; plan: LabPlan }[] = []
      for (const { name, scenario } of shown) {
        const nowSecs = scenario.nowSecs ?? inputs.scenario.nowSecs
        const steps = precomputePlan({ ...inputs, scenario: { ...scenario, nowSecs } }, memo, role)
        const plan = await runInSlices(steps, () => isGivenUp)
        if (plan === null || isGivenUp) return
        plans.push({ name, plan: plan.value })
      }
      setDone({ key, of: inputs, is: scenarioTable(plans) })
    }
    const cancel = afterPaint(() => void make())
    return () => {
      isGivenUp = true
      cancel()
    }
  }, [inputs, memo, role, key, shown, done])
  return done?.key === key && done.of === inputs ? done.is : null
}

function Compared({
  of,
  onlyDifferent,
}: {
  readonly of: ScenarioTable
  readonly onlyDifferent: boolean
}): ReactNode {
  const rows = onlyDifferent ? of.rows.filter(({ differs }) => differs) : of.rows
  return (
    <table className={classes(table.table, styles.table)} aria-label="Roles under each scenario">
      <thead>
        <tr>
          <th scope="col">Role</th>
          {of.columns.map(({ name, running, cannotRun, bytes }) => (
            <th key={name} scope="col">
              <strong>{name}</strong>
              <br />
              {plural(running, 'role')} can run, {cannotRun} cannot, {formatBytes(bytes)} to move
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <Row key={`${row.role} ${i}`} row={row} isMarked={row.differs && !onlyDifferent} />
        ))}
        {rows.length > 0 ? null : (
          <tr>
            <td colSpan={of.columns.length + 1}>Every role has the same outcome under all of them.</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Row({
  row: { role, outcomes },
  isMarked,
}: {
  readonly row: ScenarioRow
  readonly isMarked: boolean
}): ReactNode {
  return (
    <tr className={isMarked ? styles.differs : undefined}>
      <th scope="row">
        <RoleLink role={role} />
      </th>
      {outcomes.map((outcome, i) => (
        <td key={i}>
          <OutcomeMark outcome={outcome} /> {shortOutcome({ outcome })}
          {outcome.nodeId === null ? null : <span className={styles.node}>{outcome.nodeId}</span>}
          {outcome.bytes === 0n ? null : <span className={styles.moves}>{formatBytes(outcome.bytes)}</span>}
        </td>
      ))}
    </tr>
  )
}

import { useMemo, useState, type ReactNode } from 'react'
import { contextEffectTask } from '../../shared/advice/context-effects.ts'
import { contextEffectText } from '../../shared/advice/context-words.ts'
import { formatBytes } from '../../shared/bytes.ts'
import { CACHE_TYPES, type CacheType } from '../../shared/memory/cache-type.ts'
import { largestText, missingText, sumText } from '../../shared/memory/memory-words.ts'
import { contextFault, parallelFault } from '../../shared/memory/setting.ts'
import { contextRooms } from '../../shared/plan/context-room.ts'
import { roleMemory, type RoleMemory } from '../../shared/plan/role-memory.ts'
import type { LabPlan, PlanInputs } from '../../shared/plan/types.ts'
import { selectInputs, selectPlan } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { useTask } from '../store/use-task.ts'
import { Button } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Switch } from '../ui/switch.tsx'
import table from '../ui/table.module.css'
import styles from './role-memory.module.css'

/** What one role takes in memory by its model's files, and the settings of its server that decide it. */
export function RoleMemoryDialog(): ReactNode {
  const role = usePlannerState((state) => (state.dialog?.kind === 'role_memory' ? state.dialog.role : null))
  const inputs = usePlannerState(selectInputs)
  const plan = usePlannerState(selectPlan)
  if (role === null || inputs === null || plan === null) return null
  const number = plan.roles.findIndex((own) => own.role === role)
  return number < 0 ? null : <OfRole inputs={inputs} plan={plan} number={number} id={role} />
}

interface OfRoleProps {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
  readonly number: number
  readonly id: string
}

function OfRole({ inputs, plan, number, id }: OfRoleProps): ReactNode {
  const { scenario, view } = usePlanner()
  const own = plan.roles[number]
  const known = useMemo(
    () => (own === undefined ? null : roleMemory(inputs.lab, own.imported, own.manifest, inputs.scenario)),
    [inputs, own],
  )
  const said = own?.imported.entry.ramBytes ?? null
  return (
    <Dialog
      wide
      title={`Memory of ${id}`}
      description="What it takes by its model’s files, and what is assumed of its server"
      onClose={view.closeDialog}
      footer={
        <>
          <Button
            onClick={() => {
              scenario.setRoleMemory(id, { context: null, keyType: null, valueType: null, parallel: null })
              scenario.computeMemory(id, false)
            }}
          >
            As usual
          </Button>
          <Button variant="primary" onClick={view.closeDialog}>
            Done
          </Button>
        </>
      }
    >
      {known === null ? (
        <p>
          The lab has no shape of its model, so what it takes is unknown and it is planned with{' '}
          <code>ram_gb</code>. Scan the model where its files are.
        </p>
      ) : (
        <>
          <Knobs id={id} known={known} isMlx={own?.imported.spec.runtime === 'infer.mlx-lm'} />
          <Check id={id} known={known} said={said} />
          <Twice inputs={inputs} plan={plan} number={number} known={known} />
          <Rooms plan={plan} number={number} known={known} id={id} />
        </>
      )}
    </Dialog>
  )
}

function Knobs({
  id,
  known: { need, shape },
  isMlx,
}: {
  readonly id: string
  readonly known: RoleMemory
  readonly isMlx: boolean
}): ReactNode {
  const { scenario } = usePlanner()
  const { context, keyType, valueType, parallel } = need.setting
  return (
    <div className={styles.knobs}>
      <WholeNumber
        label="Context in tokens"
        value={context}
        faultOf={contextFault}
        onChange={(value) => scenario.setRoleMemory(id, { context: value })}
      />
      {shape.trainedContext !== null && context > shape.trainedContext ? (
        <span className={styles.note}>
          over the {shape.trainedContext.toLocaleString('en')} it was trained for
        </span>
      ) : null}
      <TypeChoice
        label="Type of K"
        value={keyType}
        disabled={isMlx}
        onChange={(value) => scenario.setRoleMemory(id, { keyType: value })}
      />
      <TypeChoice
        label="Type of V"
        value={valueType}
        disabled={isMlx}
        onChange={(value) => scenario.setRoleMemory(id, { valueType: value })}
      />
      <WholeNumber
        label="Requests at once"
        value={parallel}
        faultOf={parallelFault}
        onChange={(value) => scenario.setRoleMemory(id, { parallel: value })}
      />
    </div>
  )
}

interface WholeNumberProps {
  readonly label: string
  readonly value: number
  readonly faultOf: (value: number) => string | null
  readonly onChange: (value: number) => void
}

/** A whole number; what is typed is taken when it makes sense, and else says why it is not. */
function WholeNumber({ label, value, faultOf, onChange }: WholeNumberProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const faultOfText = (text: string): string | null =>
    /^\d{1,10}$/.test(text) ? faultOf(Number(text)) : 'must be a whole number'
  const fault = typed === null ? null : faultOfText(typed)
  return (
    <label className={styles.knob}>
      {label}
      <Field
        label={label}
        className={styles.number}
        value={typed ?? String(value)}
        error={fault}
        onBlur={() => setTyped(null)}
        onChange={({ target }) => {
          setTyped(target.value)
          if (faultOfText(target.value) === null) onChange(Number(target.value))
        }}
      />
      {fault === null ? null : <span role="alert">{fault}</span>}
    </label>
  )
}

function TypeChoice(props: {
  readonly label: string
  readonly value: CacheType
  readonly disabled: boolean
  readonly onChange: (value: CacheType) => void
}): ReactNode {
  const { label, value, disabled, onChange } = props
  return (
    <label className={styles.knob}>
      {label}
      <select
        value={value}
        disabled={disabled}
        title={disabled ? 'mlx-lm always has 16 bits' : undefined}
        onChange={({ target }) => {
          const type = CACHE_TYPES.find((each) => each === target.value)
          if (type !== undefined) onChange(type)
        }}
      >
        {CACHE_TYPES.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
    </label>
  )
}

/** The computed figure against `ram_gb`, and the way to plan with it. */
function Check(props: {
  readonly id: string
  readonly known: RoleMemory
  readonly said: bigint | null
}): ReactNode {
  const { id, said } = props
  const { need, shape } = props.known
  const { scenario } = usePlanner()
  const adopted = usePlannerState((state) => state.scenario.computedMemory.has(id))
  const isWhole = need.missing.length === 0
  const more = said === null ? 0n : need.runBytes - said
  const verdict =
    said === null
      ? ''
      : more > 0n
        ? `; ram_gb says ${formatBytes(said)}: ${formatBytes(more)} too little`
        : `; ram_gb says ${formatBytes(said)}: enough`
  return (
    <div className={styles.check}>
      <p role="status">
        {sumText(need)} = {formatBytes(need.runBytes)}
        {isWhole ? '' : ' or more'}
        {verdict}.
      </p>
      {isWhole ? (
        <Switch
          label="Plan with the computed figure"
          checked={adopted}
          onChange={(on) => scenario.computeMemory(id, on)}
        />
      ) : (
        <p>{missingText(shape, need.missing).join('; ')}</p>
      )}
    </div>
  )
}

/** What a context twice as large would make of the plan. */
function Twice(props: {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
  readonly number: number
  readonly known: RoleMemory
}): ReactNode {
  const { inputs, plan, number, known } = props
  const { store } = usePlanner()
  const context = 2 * known.need.setting.context
  const effect = useTask(
    useMemo(
      () => () => contextEffectTask(inputs, plan, number, context, store.getState().memo.branch()),
      [inputs, plan, number, context, store],
    ),
  )
  return effect === null ? null : (
    <p role="note" aria-label="Twice the context" className={styles.twice}>
      {contextEffectText(effect)}
    </p>
  )
}

/** Nodes shown; a lab of hundreds has many of a kind. */
const MOST_NODES = 12

/** The largest context for each node beside the other roles there. */
function Rooms(props: {
  readonly plan: LabPlan
  readonly number: number
  readonly known: RoleMemory
  readonly id: string
}): ReactNode {
  const { plan, number, known, id } = props
  const { scenario } = usePlanner()
  const rooms = useMemo(
    () => contextRooms(plan, number, known.shape, known.need.setting),
    [plan, number, known],
  )
  const here = plan.roles[number]?.outcome.nodeId
  const sorted = [
    ...rooms.filter(({ nodeId }) => nodeId === here),
    ...rooms.filter(({ nodeId }) => nodeId !== here),
  ]
  return (
    <table className={classes(table.table, styles.rooms)} aria-label="Largest context on each node">
      <thead>
        <tr>
          <th scope="col">Node</th>
          <th scope="col">Left by the other roles</th>
          <th scope="col">Largest context that fits</th>
        </tr>
      </thead>
      <tbody>
        {sorted.slice(0, MOST_NODES).map(({ nodeId, room, largest }) => (
          <tr key={nodeId}>
            <th scope="row">{nodeId}</th>
            <td>{room === null ? 'unknown' : formatBytes(room)}</td>
            <td>
              {largestText(largest)}{' '}
              {largest.kind === 'fits' && largest.context !== known.need.setting.context ? (
                <Button
                  variant="link"
                  aria-label={`Use the largest context of ${nodeId}`}
                  onClick={() => scenario.setRoleMemory(id, { context: largest.context })}
                >
                  Use it
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
        {sorted.length <= MOST_NODES ? null : (
          <tr>
            <td colSpan={3}>
              {sorted.length - MOST_NODES} more nodes: <code>lab-planner memory {id}</code> lists them.
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

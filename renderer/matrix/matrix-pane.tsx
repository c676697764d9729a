import { useMemo, useState, type ReactNode } from 'react'
import { formatBytes, sumBytes } from '../../shared/bytes.ts'
import type { LabNode } from '../../shared/node/types.ts'
import { shardMatrix, type ShardMatrix } from '../../shared/plan/matrix.ts'
import type { LabPlan, NodeVerdict, RolePlan } from '../../shared/plan/types.ts'
import { selectPlan, selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { CENTRE_TABS } from '../store/view-state.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Pane } from '../ui/pane.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { LabView } from './lab/lab-view.tsx'
import { START_LAB_OPTIONS } from './lab/node-columns.ts'
import { NoManifest, NoNodes } from './empty-matrix.tsx'
import { START_NODE_ROW_OPTIONS } from './nodes/node-rows.ts'
import { NodesView } from './nodes/nodes-view.tsx'
import { START_NODE_OPTIONS } from './shards/node-order.ts'
import { ShardsView } from './shards/shards-view.tsx'
import styles from './matrix.module.css'

/** The centre of the window: the selected role's shards on every node, the whole lab, or the nodes. */
export function MatrixPane(): ReactNode {
  const { view } = usePlanner()
  const plan = usePlannerState(selectPlan)
  const role = usePlannerState(selectRole)
  const centre = usePlannerState((state) => state.view.centre)
  const tabs = <Segmented label="View" options={CENTRE_TABS} value={centre} onChange={view.showCentre} />
  if (plan === null || role === null) {
    return (
      <Pane name="Shard matrix" actions={tabs}>
        {plan === null ? null : (
          <EmptyState title="No role to show">
            The roster has no usable roles: see Skipped in the roster pane.
          </EmptyState>
        )}
      </Pane>
    )
  }
  return (
    <Pane
      name="Shard matrix"
      title={<span title={role.role}>{role.role}</span>}
      subtitle={<RoleModel role={role} />}
      actions={tabs}
      bodyClassName={styles.body}
    >
      <Centre plan={plan} role={role} />
    </Pane>
  )
}

/** The role's model in a line: its name, format, shards and size. */
function RoleModel({ role }: { readonly role: RolePlan }): ReactNode {
  if (role.manifest === null) return role.imported.spec.model ?? 'no model name'
  const { name, format, shards } = role.manifest.body
  const bytes = formatBytes(sumBytes(shards.map(({ size }) => size)))
  const line = `${name} · ${format} · ${shards.length} ${shards.length === 1 ? 'shard' : 'shards'} · ${bytes}`
  return <span title={line}>{line}</span>
}

const NO_NODES: readonly LabNode[] = []
const NO_VERDICTS: readonly NodeVerdict[] = []

/** The role's table, the same one for as long as nothing in it changes; null where it is not shown or there is none. */
function useShardMatrix(role: RolePlan, isShown: boolean): ShardMatrix | null {
  const { manifest } = role
  const { nodeId, bytes } = role.outcome
  const nodes = isShown ? role.nodes : NO_VERDICTS
  return useMemo(
    () => (isShown ? shardMatrix(manifest, nodes, { nodeId, bytes }) : null),
    [isShown, manifest, nodes, nodeId, bytes],
  )
}

function Centre({ plan, role }: { readonly plan: LabPlan; readonly role: RolePlan }): ReactNode {
  const centre = usePlannerState((state) => state.view.centre)
  const lab = usePlannerState((state) => (state.lab.status === 'open' ? state.lab.lab : null))
  const nodes = lab?.nodes ?? NO_NODES
  const nowSecs = usePlannerState((state) => (state.lab.status === 'open' ? state.lab.readAtSecs : 0))
  // Kept here, so that a look at another view does not forget how this one was sorted and filtered.
  const [shardOptions, setShardOptions] = useState(START_NODE_OPTIONS)
  const [labOptions, setLabOptions] = useState(START_LAB_OPTIONS)
  const [nodeOptions, setNodeOptions] = useState(START_NODE_ROW_OPTIONS)
  const matrix = useShardMatrix(role, centre === 'shards')
  const nodeIds = useMemo(() => nodes.map(({ nodeId }) => nodeId), [nodes])

  if (lab === null || nodes.length === 0) return <NoNodes />
  switch (centre) {
    case 'shards':
      return matrix === null ? (
        <NoManifest role={role} />
      ) : (
        <ShardsView matrix={matrix} options={shardOptions} onOptions={setShardOptions} />
      )
    case 'lab':
      return (
        <LabView
          plan={plan}
          nodeIds={nodeIds}
          selected={role.role}
          options={labOptions}
          onOptions={setLabOptions}
        />
      )
    case 'nodes':
      return (
        <NodesView plan={plan} lab={lab} nowSecs={nowSecs} options={nodeOptions} onOptions={setNodeOptions} />
      )
  }
}

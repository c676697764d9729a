import { useCallback, useMemo, type ReactNode } from 'react'
import type { Lab } from '../../../shared/lab/lab.ts'
import type { NodeNow } from '../../../shared/live/servers-seen.ts'
import type { LabPlan } from '../../../shared/plan/types.ts'
import { selectNodesNow } from '../../store/selectors.ts'
import { usePlanner, usePlannerState } from '../../store/use-planner.ts'
import type { GridShape } from '../grid/grid-layout.ts'
import type { RowContent } from '../grid/grid-row.tsx'
import { MatrixGrid, type PointedPlace } from '../grid/matrix-grid.tsx'
import { NoNodeMatches, NodeTools } from '../node-tools.tsx'
import { SortMenu } from '../tool-row.tsx'
import { BarLegend } from './bar-legend.tsx'
import { ContextTools } from './context-tools.tsx'
import { EligibleForCell, MemoryCell, NodeDetail, NodeRowHead, StorageCell } from './node-parts.tsx'
import {
  countNodeRows,
  NODE_ROW_SORTS,
  nodeRows,
  START_NODE_ROW_OPTIONS,
  type NodeRowOptions,
} from './node-rows.ts'
import { NowCell } from './now-cell.tsx'
import { NodeTable, type NodeEntry } from './node-table.ts'
import styles from './nodes.module.css'

type NodesNow = ReadonlyMap<string, NodeNow>

interface NodeTail {
  readonly head: string
  /** In CSS pixels. */
  readonly width: number
  readonly cell: (entry: NodeEntry, table: NodeTable, node: number, now: NodesNow) => ReactNode
}

/** The columns behind a node's memory. */
const TAILS: readonly NodeTail[] = [
  { head: 'Storage free', width: 136, cell: (entry) => <StorageCell key="storage" entry={entry} /> },
  {
    head: 'Eligible',
    width: 76,
    cell: (_, table, node) => <EligibleForCell key="eligible" table={table} node={node} />,
  },
]

/** While the lab's servers are watched: what they hold now, beside what is planned. */
const WATCHED_TAILS: readonly NodeTail[] = [
  {
    head: 'Held now',
    width: 120,
    cell: (entry, _table, _node, now) => <NowCell key="now" now={now.get(entry.profile.node.nodeId)} />,
  },
  ...TAILS,
]
const NOTHING_SEEN: NodesNow = new Map()

/** Nodes down; their memory takes what width the other columns leave. */
function nodesShape(rows: number, width: number, tailWidths: readonly number[]): GridShape {
  const headWidth = Math.round(Math.max(140, Math.min(220, width * 0.24)))
  const memory = Math.max(260, width - headWidth - tailWidths.reduce((sum, tail) => sum + tail, 0))
  return {
    density: 'comfortable',
    rows,
    cols: 1,
    rowHeight: 88,
    colWidth: memory,
    headHeight: 36,
    headWidth,
    tailWidths,
    tailsStay: false,
  }
}

interface NodesViewProps {
  readonly plan: LabPlan
  /** The lab that was planned. */
  readonly lab: Lab
  /** Unix seconds to judge the facts' age by. */
  readonly nowSecs: number
  readonly options: NodeRowOptions
  readonly onOptions: (options: NodeRowOptions) => void
}

/** The lab's nodes: their memory and who would take it, their storage, and how many roles they could run. */
export function NodesView({ plan, lab, nowSecs, options, onOptions }: NodesViewProps): ReactNode {
  const { nodes } = lab
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const revealed = usePlannerState((state) => state.view.revealed)
  const table = useMemo(() => new NodeTable(plan, lab), [plan, lab])
  const rows = useMemo(() => nodeRows(table, options), [table, options])
  const counts = useMemo(() => countNodeRows(table), [table])
  const rowOf = useMemo(() => new Map(rows.map((node, row) => [nodes[node]?.nodeId, row])), [rows, nodes])

  const now = usePlannerState(selectNodesNow)
  const tails = now === null ? TAILS : WATCHED_TAILS
  const tailHeads = useMemo(() => tails.map(({ head }) => head), [tails])
  const shapeFor = useCallback(
    (width: number) =>
      nodesShape(
        rows.length,
        width,
        tails.map((tail) => tail.width),
      ),
    [rows, tails],
  )
  const entryAt = useCallback(
    (row: number | null) => (row === null ? null : table.entry(rows[row] ?? -1)),
    [rows, table],
  )
  const content = useMemo((): RowContent => {
    return {
      rowHead: (row, hot) => {
        const entry = entryAt(row)
        if (entry === null) return null
        const forced = plan.scenario.forcedNodes.get(entry.profile.node.nodeId) ?? null
        return <NodeRowHead entry={entry} forced={forced} hot={hot} nowSecs={nowSecs} />
      },
      rowTails: (row) => {
        const entry = entryAt(row)
        return entry === null
          ? []
          : tails.map(({ cell }) => cell(entry, table, rows[row] ?? -1, now ?? NOTHING_SEEN))
      },
      rowTone: () => null,
      cells: {
        kind: 'element',
        cell: (row) => {
          const entry = entryAt(row)
          return entry === null ? null : <MemoryCell entry={entry} />
        },
      },
    }
  }, [entryAt, now, nowSecs, plan, rows, table, tails])
  const onPoint = useCallback(
    (place: PointedPlace | null) => view.lightNode(entryAt(place?.row ?? null)?.profile.node.nodeId ?? null),
    [entryAt, view],
  )

  const onWentToRow = useCallback(() => view.revealNode(null), [view])

  return (
    <>
      <NodeTools
        legend={<BarLegend hasParts={lab.shapes.size > 0} />}
        filters={[
          { id: 'all', label: 'All', count: counts.all },
          { id: 'in_use', label: 'In use', count: counts.in_use },
          { id: 'turns_away', label: 'No room', count: counts.turns_away },
        ]}
        choice={options}
        onChoice={(choice) => onOptions({ ...options, ...choice })}
      />
      <ContextTools plan={plan} />
      {rows.length === 0 ? (
        <NoNodeMatches onShowAll={() => onOptions({ ...START_NODE_ROW_OPTIONS, sort: options.sort })} />
      ) : (
        <MatrixGrid
          label="Nodes"
          shapeFor={shapeFor}
          corner={
            <SortMenu
              what="Node"
              sorts={NODE_ROW_SORTS}
              value={options.sort}
              onChange={(sort) => onOptions({ ...options, sort })}
            />
          }
          columnHead={memoryHead}
          tailHeads={tailHeads}
          content={content}
          marks={null}
          litRow={lit === null ? null : (rowOf.get(lit) ?? null)}
          litCol={null}
          detail={(place) => <NodeDetail entry={entryAt(place?.row ?? null)} nowSecs={nowSecs} />}
          onPoint={onPoint}
          goToRow={revealed === null ? null : (rowOf.get(revealed) ?? null)}
          onWentToRow={onWentToRow}
        />
      )}
    </>
  )
}

function memoryHead(): ReactNode {
  return <div className={styles.memoryHead}>Memory, and who runs there</div>
}

import { memo, useCallback, useMemo, type ReactNode } from 'react'
import type { ShardMatrix } from '../../../shared/plan/matrix.ts'
import { usePlanner, usePlannerState } from '../../store/use-planner.ts'
import { MatrixGrid, type PointedPlace } from '../grid/matrix-grid.tsx'
import type { RowContent } from '../grid/grid-row.tsx'
import { Legend, type LegendEntry } from '../marks/legend.tsx'
import { DensityMenu } from '../density-menu.tsx'
import { NoNodeMatches, NodeTools } from '../node-tools.tsx'
import { SortMenu } from '../tool-row.tsx'
import { useDensity } from '../use-density.ts'
import { countNodes, NODE_SORTS, orderNodes, START_NODE_OPTIONS, type NodeOptions } from './node-order.ts'
import { ShardDetail } from './shard-detail.tsx'
import { FreeCell, HoldsCell, ShardColumnHead, ShardRowHead } from './shard-parts.tsx'
import { SHARD_TAILS, shardShape } from './shard-shape.ts'
import { spokenCell } from './shard-words.ts'

const LEGEND: readonly LegendEntry[] = [
  { mark: 'held', label: 'held', meaning: 'The node holds this shard.' },
  {
    mark: 'source',
    label: 'source',
    meaning: 'The node holds this shard, and it would be fetched from here.',
  },
  { mark: 'fetch', label: 'to fetch', meaning: 'The target lacks this shard: it would be fetched.' },
  { mark: 'detached', label: 'detached', meaning: 'The shard is on storage of the node that is away.' },
  {
    mark: 'mismatch',
    label: 'mismatch',
    meaning:
      'A file of this name is there with other bytes: it does not count as held. Scan or fetch it again.',
  },
  { mark: 'missing', label: 'missing', meaning: 'The node does not hold this shard.' },
]

const TAIL_CELLS: Readonly<Record<keyof typeof SHARD_TAILS, typeof HoldsCell>> = {
  holds: HoldsCell,
  free: FreeCell,
}
const TAILS = Object.entries(SHARD_TAILS).map(([id, { head }]) => {
  return { id, head, Cell: TAIL_CELLS[id as keyof typeof SHARD_TAILS] }
})
const TAIL_HEADS = TAILS.map(({ head }) => head)

interface ShardsViewProps {
  readonly matrix: ShardMatrix
  readonly options: NodeOptions
  readonly onOptions: (options: NodeOptions) => void
}

/** The selected role's model: nodes down, shards across. */
export const ShardsView = memo(function ShardsView({
  matrix,
  options,
  onOptions,
}: ShardsViewProps): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const order = useMemo(() => orderNodes(matrix, options), [matrix, options])
  const counts = useMemo(() => countNodes(matrix.nodes), [matrix])
  const rowOf = useMemo(
    () => new Map(order.map((node, row) => [matrix.nodes[node]?.nodeId, row])),
    [matrix, order],
  )
  const shards = matrix.shards.length
  // The rare state is explained where it is seen only: the row of tools has no room to spare.
  const legend = useMemo(
    () =>
      matrix.nodes.some(({ presence }) => presence?.mismatched)
        ? LEGEND
        : LEGEND.filter(({ mark }) => mark !== 'mismatch'),
    [matrix],
  )

  const [density, setDensity] = useDensity('shards')
  const shapeFor = useCallback(
    (width: number, height: number) => shardShape(order.length, shards, density, { width, height }),
    [order, shards, density],
  )
  const columnHead = useCallback(
    (col: number) => <ShardColumnHead matrix={matrix} shard={col} isCompact={density === 'compact'} />,
    [matrix, density],
  )
  const marks = useMemo(
    () => ({ markAt: (row: number, col: number) => matrix.cell(order[row] ?? -1, col) }),
    [matrix, order],
  )
  const content = useMemo((): RowContent => {
    const nodeOf = (row: number): number => order[row] ?? -1
    return {
      rowHead: (row, hot) => <ShardRowHead matrix={matrix} node={nodeOf(row)} hot={hot} />,
      rowTails: (row) => TAILS.map(({ id, Cell }) => <Cell key={id} matrix={matrix} node={nodeOf(row)} />),
      rowTone: (row) => {
        const part = matrix.part(nodeOf(row))
        return part === 'target' ? 'fetch' : part === 'runs' ? 'place' : null
      },
      cells: { kind: 'painted', spoken: (row, col) => spokenCell(matrix, nodeOf(row), col) },
    }
  }, [matrix, order])
  const nodeAt = useCallback(
    (place: PointedPlace | null) =>
      place === null || place.row === null ? null : (order[place.row] ?? null),
    [order],
  )
  const onPoint = useCallback(
    (place: PointedPlace | null) => {
      const node = nodeAt(place)
      view.lightNode(node === null ? null : (matrix.nodes[node]?.nodeId ?? null))
    },
    [matrix, nodeAt, view],
  )

  const sortMenu = (
    <SortMenu
      what="Node"
      sorts={NODE_SORTS}
      value={options.sort}
      onChange={(sort) => onOptions({ ...options, sort })}
    />
  )
  return (
    <>
      <NodeTools
        legend={<Legend entries={legend} />}
        filters={[
          { id: 'all', label: 'All', count: counts.all },
          { id: 'eligible', label: 'Eligible', count: counts.eligible },
          { id: 'holders', label: 'Holders', count: counts.holders },
        ]}
        choice={options}
        onChoice={(choice) => onOptions({ ...options, ...choice })}
      >
        {density === 'overview' ? sortMenu : null}
        <DensityMenu value={density} onChange={setDensity} />
      </NodeTools>
      {order.length === 0 ? (
        <NoNodeMatches onShowAll={() => onOptions({ ...START_NODE_OPTIONS, sort: options.sort })} />
      ) : (
        <MatrixGrid
          label="Shard matrix"
          shapeFor={shapeFor}
          corner={sortMenu}
          onDensity={setDensity}
          columnHead={columnHead}
          tailHeads={TAIL_HEADS}
          content={content}
          marks={marks}
          litRow={lit === null ? null : (rowOf.get(lit) ?? null)}
          litCol={null}
          detail={(place) => <ShardDetail matrix={matrix} node={nodeAt(place)} place={place} />}
          onPoint={onPoint}
        />
      )}
    </>
  )
})

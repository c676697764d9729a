import { useCallback, useMemo, type ReactNode } from 'react'
import { LabMatrix } from '../../../shared/plan/matrix.ts'
import type { LabPlan } from '../../../shared/plan/types.ts'
import { selectLiveRoles } from '../../store/selectors.ts'
import { usePlanner, usePlannerState } from '../../store/use-planner.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { DensityMenu } from '../density-menu.tsx'
import type { GridPlace } from '../grid/grid-layout.ts'
import type { RowContent } from '../grid/grid-row.tsx'
import { MatrixGrid, type PointedPlace } from '../grid/matrix-grid.tsx'
import { Legend, type LegendEntry } from '../marks/legend.tsx'
import { NodeSearch, ToolRow } from '../tool-row.tsx'
import { useDensity } from '../use-density.ts'
import { LabColumnHead, LabDetail, LabNowCell, LabRowHead, NeedsCell } from './lab-parts.tsx'
import { labShape } from './lab-shape.ts'
import { spokenLabCell } from './lab-words.ts'
import { nodeColumns, nodesInUse, START_LAB_OPTIONS, type LabOptions } from './node-columns.ts'

const LEGEND: readonly LegendEntry[] = [
  { mark: 'runs', label: 'runs here', meaning: 'The role runs on this node, which holds the whole model.' },
  {
    mark: 'target',
    label: 'fetch target',
    meaning: 'The model would be fetched to this node and run there.',
  },
  {
    mark: 'instead',
    label: 'runs instead',
    meaning: 'The other roles leave the role no place on its own node, so it runs here.',
  },
  {
    mark: 'turned_away',
    label: 'no place',
    meaning: 'The role would run here by itself; the other roles leave it no place.',
  },
  { mark: 'source', label: 'source', meaning: 'The model would be fetched from this node.' },
  {
    mark: 'holds',
    label: 'holds it',
    meaning: 'The node holds the whole model, and is not chosen or not eligible.',
  },
  { mark: 'detached', label: 'detached', meaning: 'The node has the model on storage that is away.' },
  { mark: 'eligible', label: 'eligible', meaning: 'The node could run the role and is not chosen.' },
  {
    mark: 'no',
    label: 'not eligible',
    meaning: 'The node fails a constraint of the role; point at the cell to read which.',
  },
]

const TAIL_HEADS = ['Needs']
const WATCHED_TAIL_HEADS = ['Needs', 'Now']

interface LabViewProps {
  readonly plan: LabPlan
  /** The lab's nodes in code point order. */
  readonly nodeIds: readonly string[]
  /** The selected role's id. */
  readonly selected: string
  readonly options: LabOptions
  readonly onOptions: (options: LabOptions) => void
}

/** The whole lab: roles down, nodes across, and what each node is to each role. */
export function LabView({ plan, nodeIds, selected, options, onOptions }: LabViewProps): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const matrix = useMemo(() => new LabMatrix(plan, nodeIds), [plan, nodeIds])
  const used = useMemo(() => nodesInUse(plan), [plan])
  const columns = useMemo(() => nodeColumns(nodeIds, used, options), [nodeIds, used, options])
  const columnOf = useMemo(
    () => new Map(columns.map((node, col) => [nodeIds[node], col])),
    [columns, nodeIds],
  )
  const roles = matrix.roles.length
  const live = usePlannerState(selectLiveRoles)
  const isWatching = live !== null

  const [density, setDensity] = useDensity('lab')
  const nameLength = useMemo(() => nodeIds.reduce((most, id) => Math.max(most, id.length), 0), [nodeIds])
  const shapeFor = useCallback(
    (width: number, height: number) =>
      labShape(roles, columns.length, nameLength, density, { width, height }, isWatching),
    [roles, columns, nameLength, density, isWatching],
  )
  const columnHead = useCallback(
    (col: number) => <LabColumnHead nodeId={nodeIds[columns[col] ?? -1] ?? ''} />,
    [nodeIds, columns],
  )
  const marks = useMemo(
    () => ({ markAt: (row: number, col: number) => matrix.cell(row, columns[col] ?? -1) }),
    [matrix, columns],
  )
  const content = useMemo((): RowContent => {
    const withRole = (row: number, show: (role: LabPlan['roles'][number]) => ReactNode): ReactNode => {
      const role = matrix.roles[row]
      return role === undefined ? null : show(role)
    }
    return {
      rowHead: (row) => withRole(row, (role) => <LabRowHead role={role} />),
      rowTails: (row) => [
        withRole(row, (role) => <NeedsCell key="needs" role={role} />),
        ...(live === null
          ? []
          : [withRole(row, ({ role }) => <LabNowCell key="now" live={live.get(role) ?? null} />)]),
      ],
      rowTone: (row) => (matrix.roles[row]?.role === selected ? 'selected' : null),
      cells: {
        kind: 'painted',
        spoken: (row, col) => {
          const node = columns[col] ?? -1
          const role = matrix.roles[row]
          const verdict = role?.verdictAt(node)
          return role && verdict ? spokenLabCell(role, verdict, matrix.cell(row, node)) : ''
        },
      },
    }
  }, [matrix, columns, live, selected])
  const nodeAt = useCallback(
    (place: PointedPlace | null) =>
      place === null || place.col === 0 ? null : (columns[place.col - 1] ?? null),
    [columns],
  )
  const onPoint = useCallback(
    (place: PointedPlace | null) => {
      const node = nodeAt(place)
      view.lightNode(node === null ? null : (nodeIds[node] ?? null))
    },
    [nodeAt, nodeIds, view],
  )
  const onOpen = (place: GridPlace): void => {
    const role = matrix.roles[place.row]
    if (role !== undefined) view.selectRole(role.role)
  }

  return (
    <>
      <ToolRow legend={<Legend entries={LEGEND} />}>
        <Segmented
          label="Nodes shown"
          value={options.filter}
          onChange={(filter) => onOptions({ ...options, filter })}
          options={[
            { id: 'all', label: 'All', count: nodeIds.length },
            { id: 'in_use', label: 'In use', count: used.size },
          ]}
        />
        <NodeSearch value={options.text} onChange={(text) => onOptions({ ...options, text })} />
        <DensityMenu value={density} onChange={setDensity} />
      </ToolRow>
      {columns.length === 0 ? (
        <EmptyState
          title="No node matches"
          actions={<Button onClick={() => onOptions(START_LAB_OPTIONS)}>Show all nodes</Button>}
        />
      ) : (
        <MatrixGrid
          label="Lab matrix"
          shapeFor={shapeFor}
          corner="Role, in roster order"
          columnHead={columnHead}
          tailHeads={isWatching ? WATCHED_TAIL_HEADS : TAIL_HEADS}
          content={content}
          marks={marks}
          litRow={null}
          litCol={lit === null ? null : (columnOf.get(lit) ?? null)}
          detail={(place) => <LabDetail matrix={matrix} node={nodeAt(place)} place={place} />}
          onPoint={onPoint}
          onDensity={setDensity}
          onOpen={onOpen}
        />
      )}
    </>
  )
}

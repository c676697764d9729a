import { useMemo, type ReactNode } from 'react'
import { formatBytes } from '../../shared/bytes.ts'
import type { LabNode } from '../../shared/node/types.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { modelFetches } from '../../shared/runbook/model-fetches.ts'
import { arrowWidth, movesOf, moveSource, type Move } from '../../shared/runbook/moves.ts'
import styles from './moves-picture.module.css'

interface MovesPictureProps {
  readonly plan: LabPlan
  readonly nodes: readonly LabNode[]
}

/** Units of the drawing: a row for each node, the arrows in between. */
const ROW = 44
const WIDTH = 560
const BOX = 150
const LEAST_WIDTH = 1.5
const MOST_WIDTH = 14

/** What moves between which nodes, before it is exported: arrows as thick as their bytes. */
export function MovesPicture({ plan, nodes }: MovesPictureProps): ReactNode {
  const moves = useMemo(() => movesOf(modelFetches(plan, nodes)), [plan, nodes])
  if (moves.length === 0)
    return <p className={styles.none}>Nothing moves: every model is where its roles run.</p>
  return (
    <figure className={styles.picture}>
      <figcaption className={styles.caption}>What moves</figcaption>
      <MovesDrawing moves={moves} />
      <ul className={styles.list} aria-label="What moves">
        {moves.map((move) => (
          <li key={`${moveSource(move)} ${move.to}`}>
            <span className={styles.bytes}>{formatBytes(move.bytes)}</span> from {moveSource(move)} to{' '}
            {move.to}: {move.models.join(', ')}
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** The same as the list beside it, to look at. */
function MovesDrawing({ moves }: { readonly moves: readonly Move[] }): ReactNode {
  const sources = [...new Set(moves.map(moveSource))]
  const targets = [...new Set(moves.map(({ to }) => to))]
  const rows = Math.max(sources.length, targets.length)
  const middle = (index: number, count: number): number => ((index + 0.5) * rows * ROW) / count
  return (
    <svg className={styles.drawing} viewBox={`0 0 ${WIDTH} ${rows * ROW}`} aria-hidden="true">
      {moves.map((move) => {
        const from = middle(sources.indexOf(moveSource(move)), sources.length)
        const to = middle(targets.indexOf(move.to), targets.length)
        const width = arrowWidth(move, moves, LEAST_WIDTH, MOST_WIDTH)
        const [left, right] = [BOX, WIDTH - BOX]
        // The tip is as wide as the arrow wants it, whatever its bytes.
        const tip = Math.max(6, width)
        return (
          <g key={`${moveSource(move)} ${move.to}`}>
            <path
              className={styles.arrow}
              strokeWidth={width}
              d={`M${left} ${from} C${left + 90} ${from} ${right - 90} ${to} ${right - tip} ${to}`}
            />
            <path className={styles.tip} d={`M${right} ${to} l${-tip * 1.2} ${-tip} v${tip * 2} z`} />
          </g>
        )
      })}
      <NodeBoxes names={sources} x={0} middle={middle} />
      <NodeBoxes names={targets} x={WIDTH - BOX} middle={middle} />
    </svg>
  )
}

interface NodeBoxesProps {
  readonly names: readonly string[]
  readonly x: number
  readonly middle: (index: number, count: number) => number
}

function NodeBoxes({ names, x, middle }: NodeBoxesProps): ReactNode {
  return names.map((name, i) => {
    const y = middle(i, names.length)
    return (
      <g key={name}>
        <rect className={styles.box} x={x + 0.5} y={y - 14} width={BOX - 1} height={28} rx={4} />
        <text className={styles.name} x={x + BOX / 2} y={y}>
          {shortened(name)}
        </text>
      </g>
    )
  })
}

/** A name as long as its box holds; the list has it whole. */
function shortened(name: string): string {
  return name.length > 20 ? `${name.slice(0, 19)}…` : name
}

import type { Mark } from './mark.ts'
import type { MarkPalette } from './mark-palette.ts'

/** The part of a 2D context that marks are painted with. */
export type MarkContext = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'rect'
  | 'roundRect'
  | 'moveTo'
  | 'lineTo'
  | 'arc'
  | 'fill'
  | 'stroke'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
>

/** The middle of a cell, in CSS pixels of the canvas. */
interface Spot {
  readonly x: number
  readonly y: number
}

/** Marks to paint, gathered by kind, so that each colour is set once however many cells it fills. */
export type MarkSpots = ReadonlyMap<Mark, readonly Spot[]>

/** What of the grid a canvas shows: its first cell is in the corner. */
export interface MarkArea {
  readonly rowFrom: number
  readonly rowTo: number
  readonly colFrom: number
  readonly colTo: number
  readonly rowHeight: number
  readonly colWidth: number
}

export function gatherSpots(area: MarkArea, markAt: (row: number, col: number) => Mark): MarkSpots {
  const spots = new Map<Mark, Spot[]>()
  for (let row = area.rowFrom; row < area.rowTo; row++) {
    const y = (row - area.rowFrom + 0.5) * area.rowHeight
    for (let col = area.colFrom; col < area.colTo; col++) {
      const mark = markAt(row, col)
      const spot = { x: (col - area.colFrom + 0.5) * area.colWidth, y }
      const known = spots.get(mark)
      if (known === undefined) spots.set(mark, [spot])
      else known.push(spot)
    }
  }
  return spots
}

type Shape = (context: MarkContext, spot: Spot, half: number) => void

/**
 * The cost of a path grows faster than its length, so one colour is drawn as some paths of this many marks.
 */
const MARKS_PER_PATH = 48

function traced(
  context: MarkContext,
  spots: readonly Spot[],
  half: number,
  shapes: readonly Shape[],
  draw: () => void,
): void {
  for (let from = 0; from < spots.length; from += MARKS_PER_PATH) {
    const to = Math.min(spots.length, from + MARKS_PER_PATH)
    context.beginPath()
    for (const shape of shapes) {
      for (let i = from; i < to; i++) {
        const spot = spots[i]
        if (spot !== undefined) shape(context, spot, half)
      }
    }
    draw()
  }
}

function filled(
  context: MarkContext,
  colour: string,
  spots: readonly Spot[],
  half: number,
  ...shapes: Shape[]
): void {
  context.fillStyle = colour
  traced(context, spots, half, shapes, () => context.fill())
}

function stroked(
  context: MarkContext,
  colour: string,
  width: number,
  spots: readonly Spot[],
  half: number,
  ...shapes: Shape[]
): void {
  context.strokeStyle = colour
  context.lineWidth = width
  traced(context, spots, half, shapes, () => context.stroke())
}

const RADIUS = 4

const square: Shape = (context, { x, y }, half) =>
  context.roundRect(x - half, y - half, 2 * half, 2 * half, RADIUS)

/** A square outline that lies inside the square's edge. */
const frame: Shape = (context, { x, y }, half) => {
  const inside = half - 0.75
  context.roundRect(x - inside, y - inside, 2 * inside, 2 * inside, RADIUS - 0.75)
}

const ring: Shape = (context, { x, y }, half) => {
  const outside = half + 1.25
  context.roundRect(x - outside, y - outside, 2 * outside, 2 * outside, RADIUS + 1)
}

const core: Shape = (context, { x, y }, half) => {
  const size = Math.max(2, Math.round(half * 0.38))
  context.rect(x - size, y - size, 2 * size, 2 * size)
}

/** A square of three dashes a side, as plain lines: a dashed stroke of a thousand squares is slow to draw. */
const dashes: Shape = (context, { x, y }, half) => {
  const edge = half - 0.5
  const dash = edge / 2.5
  for (const start of [-edge, -dash / 2, edge - dash]) {
    context.moveTo(x + start, y - edge)
    context.lineTo(x + start + dash, y - edge)
    context.moveTo(x + start, y + edge)
    context.lineTo(x + start + dash, y + edge)
    context.moveTo(x - edge, y + start)
    context.lineTo(x - edge, y + start + dash)
    context.moveTo(x + edge, y + start)
    context.lineTo(x + edge, y + start + dash)
  }
}

const arrow: Shape = (context, { x, y }, half) => {
  const reach = half * 0.5
  context.moveTo(x, y - reach)
  context.lineTo(x, y + reach)
  context.moveTo(x - reach * 0.75, y + reach * 0.25)
  context.lineTo(x, y + reach)
  context.lineTo(x + reach * 0.75, y + reach * 0.25)
}

const hatch: Shape = (context, { x, y }, half) => {
  const edge = half - 1
  for (const shift of [-edge, 0, edge]) {
    context.moveTo(x + Math.max(-edge, -edge + shift), y + Math.max(-edge, -edge - shift))
    context.lineTo(x + Math.min(edge, edge + shift), y + Math.min(edge, edge - shift))
  }
}

function circle(part: number): Shape {
  return (context, { x, y }, half) => {
    context.moveTo(x + half * part, y)
    context.arc(x, y, half * part, 0, 2 * Math.PI)
  }
}

const tick: Shape = (context, { x, y }, half) => {
  context.moveTo(x - half * 0.36, y + half * 0.02)
  context.lineTo(x - half * 0.08, y + half * 0.3)
  context.lineTo(x + half * 0.38, y - half * 0.28)
}

/** The bar of a no-entry sign. */
const bar: Shape = (context, { x, y }, half) => {
  context.moveTo(x - half * 0.4, y)
  context.lineTo(x + half * 0.4, y)
}

const cross: Shape = (context, { x, y }, half) => {
  const reach = half * 0.3
  context.moveTo(x - reach, y - reach)
  context.lineTo(x + reach, y + reach)
  context.moveTo(x + reach, y - reach)
  context.lineTo(x - reach, y + reach)
}

/** The sign for "is not": the file is not what the manifest says. */
const unequal: Shape = (context, { x, y }, half) => {
  const reach = half * 0.5
  for (const shift of [-0.2, 0.2]) {
    context.moveTo(x - reach, y + half * shift)
    context.lineTo(x + reach, y + half * shift)
  }
  context.moveTo(x + reach * 0.55, y - reach)
  context.lineTo(x - reach * 0.55, y + reach)
}

const NONE: readonly Spot[] = []

/** Paints gathered marks, each in a square of `size` CSS pixels around its spot. */
export function paintMarks(context: MarkContext, palette: MarkPalette, spots: MarkSpots, size: number): void {
  const half = size / 2
  const of = (...marks: readonly Mark[]): readonly Spot[] => marks.flatMap((mark) => spots.get(mark) ?? NONE)

  const held = of('held', 'source', 'holds')
  filled(context, palette.held, held, half, square)
  filled(context, palette.onHeld, held, half, core)
  stroked(context, palette.moves, 2, of('source'), half, ring)

  const fetched = of('fetch', 'target')
  filled(context, palette.movesSoft, fetched, half, frame)
  stroked(context, palette.moves, 1.75, fetched, half, frame, arrow)

  const detached = of('detached')
  stroked(context, palette.detached, 0.75, detached, half, hatch)
  filled(context, palette.background, detached, half, circle(0.4))
  stroked(context, palette.detached, 1.25, detached, half, frame, circle(0.4))

  stroked(context, palette.missing, 1, of('missing'), half, dashes)
  stroked(context, palette.no, 1.5, of('mismatch'), half, frame, unequal)

  const runs = of('runs')
  filled(context, palette.held, runs, half, circle(1))
  stroked(context, palette.onHeld, 2, runs, half, tick)

  stroked(context, palette.held, 2, of('instead'), half, circle(0.9), tick)

  stroked(context, palette.no, 1.75, of('turned_away'), half, circle(0.7), bar)

  stroked(context, palette.eligible, 1.75, of('eligible'), half, circle(0.5))
  stroked(context, palette.no, 1.25, of('no'), half, cross)
}

import type { Density } from '../grid/density.ts'
import type { GridShape } from '../grid/grid-layout.ts'
import { overviewShape } from '../grid/overview-shape.ts'

const NEEDS = 86
/** What a role does now, in its glossary word. */
const NOW = 150
const SIZES = { comfortable: { cell: 28, row: 40 }, compact: { cell: 18, row: 24 } } as const

/**
 * The role × node grid in a viewport of so many CSS pixels; node names of up to `nameLength` letters stand
 * upright.
 */
export function labShape(
  roles: number,
  nodes: number,
  nameLength: number,
  density: Density,
  room: { readonly width: number; readonly height: number },
  isWatching = false,
): GridShape {
  if (density === 'overview') return overviewShape(roles, nodes, room)
  const { width } = room
  const { cell, row } = SIZES[density]
  const headWidth = Math.round(Math.max(150, Math.min(260, width * 0.3)))
  const tailWidths = isWatching ? [NEEDS, NOW] : [NEEDS]
  const tails = tailWidths.reduce((sum, tail) => sum + tail, 0)
  return {
    density,
    rows: roles,
    cols: nodes,
    rowHeight: row,
    colWidth: cell,
    headHeight: Math.min(128, Math.max(56, 24 + nameLength * 7)),
    headWidth,
    tailWidths,
    tailsStay: width - headWidth - tails >= Math.min(140, nodes * cell),
  }
}

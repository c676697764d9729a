import type { GridShape } from '../grid/grid-layout.ts'

const NEEDS = 86

/**
 * The role × node grid in a viewport of `width` CSS pixels; node names of up to `nameLength` letters stand
 * upright.
 */
export function labShape(roles: number, nodes: number, nameLength: number, width: number): GridShape {
  const headWidth = Math.round(Math.max(150, Math.min(260, width * 0.3)))
  return {
    rows: roles,
    cols: nodes,
    rowHeight: 40,
    colWidth: 28,
    headHeight: Math.min(128, Math.max(56, 24 + nameLength * 7)),
    headWidth,
    tailWidths: [NEEDS],
    tailsStay: width - headWidth - NEEDS >= Math.min(140, nodes * 28),
  }
}

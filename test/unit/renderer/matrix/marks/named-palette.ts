import type { MarkPalette } from '../../../../../renderer/matrix/marks/mark-palette.ts'

/** Every colour is its own name. */
export const PALETTE: MarkPalette = {
  background: 'background',
  held: 'held',
  onHeld: 'onHeld',
  moves: 'moves',
  movesSoft: 'movesSoft',
  detached: 'detached',
  missing: 'missing',
  eligible: 'eligible',
  no: 'no',
}

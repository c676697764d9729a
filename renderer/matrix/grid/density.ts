/** How much room a grid gives its cells. In the overview they are a few pixels each, and heads and tails are gone. */
export const DENSITIES = ['comfortable', 'compact', 'overview'] as const
export type Density = (typeof DENSITIES)[number]

/** The next density: `1` for larger cells, `-1` for smaller ones; the same where there is none. */
export function densityAfter(density: Density, step: 1 | -1): Density {
  return DENSITIES[DENSITIES.indexOf(density) - step] ?? density
}

/** What a key asks for, pressed with Ctrl or Cmd: larger or smaller cells; null for other keys. */
export function densityStep(key: string): 1 | -1 | null {
  if (key === '+' || key === '=') return 1
  return key === '-' || key === '_' ? -1 : null
}

/** Room in the overview for the tone of a row that stands out. */
export const GUTTER = 10
const MOST_CELL = 14
const MOST_ROW = 12

/** The width of a column of the overview: all of them fit, where each can have a pixel or more. */
export function overviewColumn(cols: number, width: number): number {
  return clampSize(Math.floor((width - GUTTER) / Math.max(1, cols)), MOST_CELL)
}

/** The height of a row of the overview: all of them fit, where each can have a pixel or more. */
export function overviewRow(rows: number, height: number): number {
  return clampSize(Math.floor(height / Math.max(1, rows)), MOST_ROW)
}

/** What does not fit is scrolled: then cells that can be told apart are worth more than a few more of them. */
function clampSize(size: number, most: number): number {
  return size < 1 ? 2 : Math.min(most, size)
}

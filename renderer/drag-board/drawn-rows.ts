import type { Range } from '@tanstack/react-virtual'

/** A list of no more rows is drawn whole: a small lab has nothing to gain from less. */
export const FEW_ROWS = 40

/**
 * The indexes of the rows to draw, in their order: those in view with some before and after them, and wherever they
 * are those of `held` with the row before and after each, so that Tab goes on to them. An index that is out of the
 * list, such as the -1 of something not found, holds nothing.
 */
export function drawnRows(
  { startIndex, endIndex, overscan, count }: Range,
  held: readonly number[],
): number[] {
  const holding = held.filter((index) => index >= 0 && index < count)
  const isDrawn = (index: number): boolean =>
    count <= FEW_ROWS ||
    (index >= startIndex - overscan && index <= endIndex + overscan) ||
    holding.some((at) => Math.abs(at - index) <= 1)
  return Array.from({ length: count }, (_, index) => index).filter(isDrawn)
}

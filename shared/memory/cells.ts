import type { MemorySetting } from './setting.ts'

/** llama.cpp keeps cells in multiples of this (llama-context.cpp and llama-kv-cache-iswa.cpp, GGML_PAD). */
export const CELL_STEP = 256

/** `count` rounded up to whole steps of cells. */
function wholeCells(count: number): number {
  return Math.ceil(count / CELL_STEP) * CELL_STEP
}

type CellSetting = Pick<MemorySetting, 'context' | 'parallel' | 'unified' | 'ubatch' | 'fullWindows'>

/** How many caches there are side by side: one that all sequences share, or one for each. */
export function streams({ unified, parallel }: CellSetting): number {
  return unified ? 1 : parallel
}

/** Cells of one stream of a layer that keeps every token. */
export function fullCells({ context, unified, parallel }: CellSetting): number {
  if (unified) return wholeCells(context)
  return Math.max(wholeCells(Math.floor(wholeCells(context) / parallel)), CELL_STEP)
}

/**
 * Cells of one stream of a layer that keeps a window: the window of every sequence that shares the stream and the
 * tokens being worked on, as far as the context is not smaller.
 */
export function windowCells(window: number, setting: CellSetting): number {
  const full = fullCells(setting)
  if (setting.fullWindows) return full
  const shared = setting.unified ? setting.parallel : 1
  return Math.min(full, wholeCells(window * shared + setting.ubatch))
}

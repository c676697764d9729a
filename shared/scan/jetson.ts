import type { Gpu } from './gpu-text.ts'

/**
 * The GPU of an NVIDIA Jetson by the name of its board, as Linux has it in the device tree (it ends with a NUL there): older
 * systems of these boards have no tool that lists it. It shares the memory of the system. Empty for any other board.
 */
export function readJetson(boardName: string): readonly Gpu[] {
  const name = boardName.replaceAll('\0', '').trim().slice(0, 120)
  return /\bjetson\b/i.test(name) ? [{ device: name, memory: null, shared: { limit: null } }] : []
}

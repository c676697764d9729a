import { highsSolver } from '../../../shared/suggest/highs-solver.ts'
import type { Solver } from '../../../shared/suggest/mip.ts'

/** The solver, from its WebAssembly at `wasmPath`. It blocks its thread while it solves. */
export async function loadSolver(wasmPath: string): Promise<Solver> {
  // Loaded when asked for: most runs of the terminal never solve anything.
  const { default: highsLoader } = await import('highs')
  return highsSolver(await highsLoader({ locateFile: () => wasmPath }))
}

import type { Highs } from 'highs'
import type { Mip, MipAnswer, Solver } from './mip.ts'

/**
 * A solver over HiGHS, loaded by the caller, which knows where to run it: `await highsLoader()` in Node, a worker in the page (a
 * solve blocks its thread).
 */
export function highsSolver(highs: Highs): Solver {
  return (mip, timeLimitSecs) => Promise.resolve(solve(highs, mip, timeLimitSecs))
}

function solve(highs: Highs, mip: Mip, timeLimitSecs: number): MipAnswer {
  const columns = mip.costs.length
  return highs.withModel(modelData(highs, mip), (model): MipAnswer => {
    model.options.set({
      output_flag: false,
      time_limit: timeLimitSecs,
      // Bytes are compared whole, so a solution within a ten-thousandth of the best is not good enough.
      mip_rel_gap: 0,
      mip_abs_gap: mip.gap,
      mip_feasibility_tolerance: 1e-9,
      primal_feasibility_tolerance: 1e-9,
    })
    model.setSolution({ colValue: [...mip.start] })
    const { modelStatus } = model.run()
    const seconds = model.getRunTime()
    const { optimal, infeasible } = highs.constants.modelStatus
    const hasSolution =
      modelStatus !== infeasible &&
      model.info.get('primal_solution_status') === highs.constants.solutionStatus.feasible
    const bound = Number(model.info.get('mip_dual_bound'))
    return {
      status: modelStatus === optimal ? 'optimal' : hasSolution ? 'stopped' : 'failed',
      values: hasSolution ? [...model.getSolution().colValue].slice(0, columns) : null,
      bound: Number.isFinite(bound) ? bound : null,
      seconds,
    }
  })
}

function modelData(highs: Highs, { costs, rows, sense }: Mip) {
  const starts = [0]
  const indices: number[] = []
  const values: number[] = []
  for (const { entries } of rows) {
    for (const [column, coefficient] of entries) {
      indices.push(column)
      values.push(coefficient)
    }
    starts.push(indices.length)
  }
  const { maximize, minimize } = highs.constants.objectiveSense
  return {
    numCols: costs.length,
    numRows: rows.length,
    sense: sense === 'maximize' ? maximize : minimize,
    colCost: costs,
    colLower: costs.map(() => 0),
    colUpper: costs.map(() => 1),
    rowLower: rows.map(({ lower }) => lower ?? -highs.infinity),
    rowUpper: rows.map(({ upper }) => upper ?? highs.infinity),
    matrix: { format: 'csr' as const, numCols: costs.length, numRows: rows.length, starts, indices, values },
    integrality: costs.map(() => highs.constants.variableType.integer),
  }
}

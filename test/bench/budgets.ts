import { readFileSync } from 'node:fs'
import type { BenchResult } from './measure.ts'

/** Most that something may take: `ratio` times its baseline and, where that is not all, some milliseconds more. */
interface Budget {
  readonly ratio: number
  readonly plusMs: number
}

export type Verdict = 'within budget' | 'over, within noise' | 'OVER BUDGET' | 'no budget'

/** How far over its budget a time may be before it is more than noise. */
const NOISE = 1.25

type Budgets = Readonly<Record<string, number | { readonly ratio: number; readonly plus_ms: number }>>
const budgets = JSON.parse(readFileSync(new URL('./budgets.json', import.meta.url), 'utf8')) as Budgets

/** The budget of the case `name`; null when it has none. */
function budgetFor(name: string): Budget | null {
  const budget = budgets[name]
  if (budget === undefined) return null
  return typeof budget === 'number'
    ? { ratio: budget, plusMs: 0 }
    : { ratio: budget.ratio, plusMs: budget.plus_ms }
}

export function verdictOn({ name, ms, baseline_ms: baseline }: BenchResult): Verdict {
  const budget = budgetFor(name)
  if (budget === null) return 'no budget'
  const most = budget.ratio * baseline + budget.plusMs
  if (ms <= most) return 'within budget'
  return ms <= most * NOISE ? 'over, within noise' : 'OVER BUDGET'
}

/** The budget for a person, with a space before it; empty when there is none. */
export function budgetWords(name: string): string {
  const budget = budgetFor(name)
  if (budget === null) return ''
  return ` (budget ${budget.ratio}${budget.plusMs === 0 ? '' : ` and ${budget.plusMs} ms`})`
}

import { readFileSync } from 'node:fs'
import { coreCases } from './core.ts'
import { measure, type BenchResult } from './measure.ts'

/** How far over its budget a ratio may be before it is more than noise. */
const NOISE = 1.25

const budgets = JSON.parse(readFileSync(new URL('./budgets.json', import.meta.url), 'utf8')) as Record<string, number>
const asJson = process.argv.includes('--json')
const only = process.argv.slice(2).find((argument) => !argument.startsWith('--'))

function verdict({ name, ratio }: BenchResult): 'within budget' | 'over, within noise' | 'OVER BUDGET' | 'no budget' {
  const budget = budgets[name]
  if (budget === undefined) return 'no budget'
  if (ratio <= budget) return 'within budget'
  return ratio <= budget * NOISE ? 'over, within noise' : 'OVER BUDGET'
}

let over = 0
for (const benchCase of coreCases()) {
  if (only !== undefined && !benchCase.name.includes(only)) continue
  const result = measure(benchCase)
  const told = verdict(result)
  if (told === 'OVER BUDGET') over++
  if (asJson) console.log(JSON.stringify(result))
  else {
    const { name, ms, baseline_ms: baseline, ratio } = result
    const budget = budgets[name]
    console.log(
      `${name}: ${ms.toFixed(2)} ms, ${baseline.toFixed(2)} ms for ${benchCase.against}; ` +
        `ratio ${ratio.toFixed(4)}${budget === undefined ? '' : ` (budget ${budget})`}: ${told}`,
    )
  }
}
process.exitCode = over === 0 ? 0 : 1

import { budgetWords, verdictOn } from './budgets.ts'
import { commandCases } from './commands.ts'
import { coreCases } from './core.ts'
import { electronResults } from './electron.ts'
import { measure, type BenchCase, type BenchResult } from './measure.ts'
import { pageResults } from './page.ts'
import { planningCases } from './planning.ts'
import { scanningResults } from './scanning.ts'

/**
 * `npm run bench -- [--json] [--page] [--electron] [WORDS]`: measures the cases whose names have WORDS in them; `--page`
 * measures the window in a browser too, `--electron` the program on a real Electron. Fails when something is over its budget by more than noise.
 */
const asJson = process.argv.includes('--json')
const withPage = process.argv.includes('--page')
const withElectron = process.argv.includes('--electron')
const only = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? ''

let over = 0

function tell(result: BenchResult, against: string): void {
  const verdict = verdictOn(result)
  if (verdict === 'OVER BUDGET') over++
  if (asJson) {
    console.log(JSON.stringify(result))
    return
  }
  const { name, ms, baseline_ms: baseline, ratio } = result
  console.log(
    `${name}: ${ms.toFixed(2)} ms, ${baseline.toFixed(2)} ms for ${against}; ` +
      `ratio ${ratio.toFixed(4)}${budgetWords(name)}: ${verdict}`,
  )
}

const groups: readonly (() => readonly BenchCase[])[] = [coreCases, planningCases, commandCases]
for (const group of groups) {
  for (const benchCase of group().filter(({ name }) => name.includes(only)))
    tell(measure(benchCase), benchCase.against)
}
for (const { result, against } of await scanningResults(only)) tell(result, against)
if (withPage) for await (const { result, against } of pageResults()) tell(result, against)
if (withElectron) for await (const { result, against } of electronResults()) tell(result, against)
process.exitCode = over === 0 ? 0 : 1

import { budgetWords, verdictOn } from './budgets.ts'
import { commandCases } from './commands.ts'
import { coreCases } from './core.ts'
import { electronResults } from './electron.ts'
import { measure, type BenchCase, type BenchResult } from './measure.ts'
import { benchOptions } from './options.ts'
import { pageResults } from './page.ts'
import { planningCases } from './planning.ts'
import { processorMs } from './processor.ts'
import { scanningResults } from './scanning.ts'

/**
 * `npm run bench -- [--json] [--page [--throttle N]] [--electron] [WORDS]`: measures the cases whose names have WORDS in them; `--page`
 * measures the window in a browser too, its processor made N times slower, `--electron` the program on a real Electron. Beside each
 * case stands what a fixed loop took the processor just then. Fails when something is over its budget by more than noise.
 */
const {
  json: asJson,
  page: withPage,
  electron: withElectron,
  throttle,
  only,
} = benchOptions(process.argv.slice(2))

let over = 0

function tell(result: BenchResult, against: string): void {
  const verdict = verdictOn(result)
  if (verdict === 'OVER BUDGET') over++
  const processor = processorMs()
  if (asJson) {
    console.log(JSON.stringify({ ...result, processor_ms: processor, throttle }))
    return
  }
  const { name, ms, baseline_ms: baseline, ratio } = result
  console.log(
    `${name}: ${ms.toFixed(2)} ms, ${baseline.toFixed(2)} ms for ${against}; ` +
      `ratio ${ratio.toFixed(4)}${budgetWords(name)}: ${verdict} [processor ${processor.toFixed(1)} ms]`,
  )
}

const groups: readonly (() => readonly BenchCase[])[] = [coreCases, planningCases, commandCases]
for (const group of groups) {
  for (const benchCase of group().filter(({ name }) => name.includes(only)))
    tell(measure(benchCase), benchCase.against)
}
for (const { result, against } of await scanningResults(only)) tell(result, against)
if (withPage) for await (const { result, against } of pageResults({ throttle, only })) tell(result, against)
if (withElectron) for await (const { result, against } of electronResults()) tell(result, against)
process.exitCode = over === 0 ? 0 : 1

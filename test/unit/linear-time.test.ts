import { describe, expect, test } from 'vitest'
import { diagnosticLines } from '../../electron/terminal/diagnostics.ts'
import { planLines } from '../../electron/terminal/plan-text.ts'
import { plainStyle } from '../../electron/terminal/style.ts'
import { cutWords, displayWidth, hang, pad, truncate, wrap } from '../../electron/terminal/width.ts'
import { readShapeFile } from '../../shared/memory/shape-file.ts'
import { readManifest } from '../../shared/model-manifest/read-manifest.ts'
import { readRegistry } from '../../shared/model-manifest/read-registry.ts'
import { readFleet } from '../../shared/node/read-fleet.ts'
import { readNodeFacts } from '../../shared/node/read-node-facts.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import type { Problem, Read } from '../../shared/problem.ts'
import { readPlanJson } from '../../shared/report/read-plan-json.ts'
import { readRoster } from '../../shared/roster/read-roster.ts'
import { readScenarioFile } from '../../shared/scenario/scenario-file.ts'
import { TextLines } from '../../shared/text-lines.ts'
import { lab, planned } from './shared/plan/make-lab.ts'

const SMALL = 500
const FACTOR = 16
/**
 * How much longer 16 times the input may take: about 16 when the work is linear and 256 when it is quadratic. The bound
 * lies far from both, so that a busy machine does not decide.
 */
const MAX_RATIO = 100
/** Below this a time says nothing. */
const LEAST_MS = 1

/** The least processor time of a few runs, in milliseconds: what else the machine does is not in it. */
function leastTime(run: () => void): number {
  let least = Infinity
  for (let i = 0; i < 2; i++) {
    const before = process.cpuUsage()
    run()
    least = Math.min(least, process.cpuUsage(before).user / 1000)
  }
  return least
}

function expectLinear<Input>(make: (count: number) => Input, run: (input: Input) => void): void {
  const [small, large] = [make(SMALL), make(SMALL * FACTOR)]
  const least = Math.max(
    LEAST_MS,
    leastTime(() => run(small)),
  )
  expect(leastTime(() => run(large)) / least).toBeLessThan(MAX_RATIO)
}

/** Reads, and places and prints whatever is wrong. */
function readAndPrint(read: (text: string) => Read<unknown>): (text: string) => void {
  return (text) => {
    const lines = new TextLines(text)
    const { problems } = read(text)
    for (const problem of problems) diagnosticLines(problem, () => lines, 80, STYLE)
    expect(problems.length).toBeLessThanOrEqual(501)
  }
}

const STYLE = plainStyle()
const repeat = (count: number, one: string): string => Array.from({ length: count }, () => one).join(',')
const named = (count: number, value: string): string =>
  Array.from({ length: count }, (_, i) => `"k${i}": ${value}`).join(',')

describe('texts of one line with a fault for each item', () => {
  const POLICY = '"policy": {"allow_weight_transfer": true, "max_bytes": null, "free_headroom_bytes": 1}'
  const SCHEMA = '"schema": "weftos.model-registry.v1"'
  const cases: readonly [string, (text: string) => Read<unknown>, (count: number) => string][] = [
    [
      'a plan',
      (t) => readPlanJson(t, 'x'),
      (n) => `{${POLICY}, "skipped": [], "roles": [${repeat(n, '{"role": 5}')}]}`,
    ],
    [
      'a plan with a long text',
      (t) => readPlanJson(t, 'x'),
      (n) => `{"roles": [], "x": "${'\\"'.repeat(n * 100)}"}`,
    ],
    [
      'a registry',
      (t) => readRegistry(t, 'x'),
      (n) => `{${SCHEMA}, "models": {${named(n, '{"root": 1.0}')}}}`,
    ],
    [
      'a manifest',
      (t) => readManifest(t, 'x'),
      (n) => `{"body": {"shards": [${repeat(Math.min(n, 20_000), '{"size": 1.0}')}]}}`,
    ],
    [
      'facts',
      (t) => readNodeFacts(t, 'x'),
      (n) => `{"capabilities": [${repeat(Math.min(n, 20_000), '{}')}], ${named(n, '1')}}`,
    ],
    [
      'a scenario',
      (t) => readScenarioFile(t, 'x'),
      (n) => `{"schema": "lab-planner.scenario.v1", "memory": {${named(n, '5')}}}`,
    ],
    ['a shape', (t) => readShapeFile(t, 'x'), (n) => `{"caches": [${repeat(n, '5')}]}`],
  ]
  test.each(cases)('%s', (_, read, text) => {
    expectLinear(text, readAndPrint(read))
  })

  const yaml: readonly [string, (count: number) => string][] = [
    ['entries with every field wrong', (n) => `roster:\n${'- id: [x]\n  port: "1"\n'.repeat(n)}`],
    [
      'flow entries on one line',
      (n) => `{roster: [${repeat(n, '{id: a, port: x}')}], nodes: [${repeat(n, '5')}]}`,
    ],
    ['one id of letters beyond ASCII', (n) => `roster:\n- id: ${'é'.repeat(n * 8)}\n  port: x\n`],
    ['one key of letters beyond ASCII', (n) => `${'é'.repeat(n * 8)}: 1\n`],
    ['brackets in brackets', (n) => `a: ${'['.repeat(n)}${']'.repeat(n)}`],
    ['texts side by side', (n) => '"a" '.repeat(n)],
    ['folded lines', (n) => `a: >\n${'  x\n\n'.repeat(n)}`],
    ['aliases of nothing', (n) => 'a: *b\n'.repeat(n)],
    ['a byte order mark that spoils all', (n) => `\ufeffa: 1\n${'b: 1\n'.repeat(n)}`],
  ]
  test.each(yaml)('%s', (_, text) => {
    for (const read of [
      (t: string) => readRoster(t, 'x'),
      (t: string) => parseOverlay(t, 'x'),
      (t: string) => readFleet(t, 'x'),
    ]) {
      expectLinear(text, readAndPrint(read))
    }
  })
})

describe('a terminal', () => {
  const texts: readonly [string, (count: number) => string][] = [
    ['letters beyond ASCII', (n) => 'é'.repeat(n * 4)],
    ['wide letters', (n) => 'モ'.repeat(n * 4)],
    ['flags', (n) => '🇩🇪'.repeat(n)],
    ['one letter with marks without end', (n) => `a${'\u0301'.repeat(n * 4)}`],
    ['words', (n) => 'für '.repeat(n * 2)],
  ]
  test.each(texts)('measures, cuts and wraps %s', (_, text) => {
    expectLinear(text, (whole) => {
      displayWidth(whole)
      truncate(whole, 40)
      truncate(whole, whole.length)
      wrap(whole, 80)
      pad(whole, 10)
      hang('lead', whole, 80)
    })
  })

  test('cuts a name that is longer than any path, and no path', () => {
    const path = `/${'folder/'.repeat(500)}`
    expect(cutWords(path)).toBe(path)
    const id = 'é'.repeat(100_000)
    const plan = { ...planned(lab()), skipped: [{ id, reason: 'id is not a plain token', entry: null }] }
    const lines = planLines('lab', plan as never, [], 80, STYLE)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500)
    const problem: Problem = {
      severity: 'error',
      code: 'x',
      message: `${id} is wrong`,
      file: null,
      range: null,
    }
    expect(diagnosticLines(problem, () => undefined, 80, STYLE).join('').length).toBeLessThan(500)
  })
})

describe('columns of a long line', () => {
  const TEXT = `\ufeff${'aé🙂'.repeat(3000)}`

  test.each([0, 1, 2, 1023, 1024, 1025, 4096, 5000, TEXT.length])(
    'are counted in code points to %i',
    (offset) => {
      const lines = new TextLines(TEXT)
      lines.placeAt(TEXT.length)
      const before = Array.from(TEXT.slice(1, offset)).length
      expect(lines.placeAt(offset).column).toBe(1 + before)
    },
  )

  test('are found in any order at the same cost', () => {
    expectLinear(
      (count) => new TextLines('x'.repeat(count * 50)),
      (lines) => {
        for (let i = 0; i < 2000; i++) lines.placeAt((lines.text.length / 2000) * (2000 - i))
      },
    )
  })
})

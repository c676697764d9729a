// `npm test`: formatting, imports, unused code, lint, types, unit and conformance tests, end-to-end tests; then one line that counts them all.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const reports = mkdtempSync(join(tmpdir(), 'lab-planner-test-'))
/** What a step exits with that cannot be done on this machine; its own lines say why. */
const NOT_TO_BE_HAD = 3
const total = { passed: 0, failed: 0, skipped: 0 }

/**
 * The script a package's command runs, without a shell in between.
 * @param {string} name
 * @param {string} [command]
 */
function bin(name, command = name) {
  const manifest = require(join(root, 'node_modules', name, 'package.json'))
  const entry = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[command]
  return join(root, 'node_modules', name, entry)
}

/**
 * @param {string} title
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 */
function run(title, args, env = {}) {
  console.log(`\n— ${title}`)
  const started = Date.now()
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  console.log(
    `— ${title}: ${status === 0 ? 'passed' : status === NOT_TO_BE_HAD ? 'NOT DONE' : 'FAILED'} in ${((Date.now() - started) / 1000).toFixed(1)} s`,
  )
  return status
}

/**
 * A step that counts as one test.
 * @param {string} title
 * @param {readonly string[]} args
 */
function check(title, args) {
  if (run(title, args) === 0) total.passed++
  else total.failed++
}

/**
 * A step that counts its tests in a JSON report; a runner that died without one counts as one failure.
 * @param {string} title
 * @param {readonly string[]} args
 * @param {Record<string, string>} env
 * @param {string} report
 * @param {(report: any) => {passed: number, failed: number, skipped: number}} read
 */
function suite(title, args, env, report, read) {
  const passed = run(title, args, env) === 0
  const counts = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : null
  total.passed += counts?.passed ?? 0
  total.skipped += counts?.skipped ?? 0
  total.failed += counts && (passed || counts.failed > 0) ? counts.failed : 1
}

if (!existsSync(join(root, 'dist/host/cli.js')))
  check('build', [bin('vite'), 'build', '--app', '--logLevel', 'warn'])
check('formatting', [bin('prettier'), '--check', '--log-level', 'warn', '.'])
check('imports', [join(root, 'scripts/check-imports.mjs')])
check('unused code', [bin('knip')])
check('purity', [join(root, 'scripts/check-purity.mjs')])
check('lint', [bin('oxlint')])
check('types', [join(root, 'scripts/types.mjs')])

const unit = join(reports, 'unit.json')
suite(
  'unit and conformance',
  [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unit}`],
  {},
  unit,
  (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
  }),
)

const llama = run('memory against llama.cpp', ['--import', 'tsx', join(root, 'test/llama/run.ts')])
if (llama === 0) total.passed++
else if (llama === NOT_TO_BE_HAD) total.skipped++
else total.failed++

const server = run('watching a real llama-server', ['--import', 'tsx', join(root, 'test/live/run.ts')])
if (server === 0) total.passed++
else if (server === NOT_TO_BE_HAD) total.skipped++
else total.failed++

/** Why nothing ran on a real Electron; null when it did. @type {string | null} */
let noElectron = null
const e2e = join(reports, 'e2e.json')
suite(
  'end to end',
  [bin('@playwright/test', 'playwright'), 'test', '--reporter=list,json'],
  { PLAYWRIGHT_JSON_OUTPUT_NAME: e2e },
  e2e,
  ({ stats, config }) => {
    noElectron = config.metadata.noElectron ?? null
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
  },
)

rmSync(reports, { recursive: true, force: true })
if (noElectron !== null) {
  console.log(
    '\n!!! NOT TESTED ON A REAL ELECTRON: the desktop program ran on a double only, packed it did not run at all.',
  )
  console.log(`!!! ${noElectron}`)
}
if (llama === NOT_TO_BE_HAD)
  console.log('\n!!! NOT CHECKED AGAINST llama.cpp: it could not be had, see above.')
if (server === NOT_TO_BE_HAD)
  console.log('\n!!! NOT WATCHED ON A REAL llama-server: it could not be had, see above.')
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exitCode = total.failed === 0 ? 0 : 1

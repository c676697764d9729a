import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from './test/support/find-browser.ts'
import type { PlannerHostKind } from './test/support/planner-host-kind.ts'
import { electronForTests } from './test/support/real-electron/electron-for-tests.ts'

const browser = findBrowser()
if (!browser.ok) throw new Error(`End-to-end tests need a browser: ${browser.reason}`)
// Workers read this file again, and the double of Electron looks for a browser too: they take the one found
// here.
process.env['CHROME_PATH'] = browser.path

const electron = electronForTests()
if (process.env['TEST_WORKER_INDEX'] === undefined) {
  console.log(
    electron.ok
      ? `Electron: ${electron.kind === 'own' ? 'its own binary' : 'the substitute for tests'}, ${electron.program}`
      : `NO ELECTRON: its specs run on a double only, and what the double cannot do is not tested: ${electron.reason}`,
  )
}

/** What only a desktop program has, on the real one. */
const ON_ELECTRON = 'hosts/electron-[!d]*.spec.ts'
/** What a real Electron cannot be made to do in a test: several displays, a system that refuses or asks. */
const ON_DOUBLE = 'hosts/electron-double-*.spec.ts'
/** What runs on every host: opening, saving, exporting, scanning, suggesting, dragging, keys. */
const ON_EVERY_HOST = [
  'hosts/lab.spec.ts',
  'window/commands.spec.ts',
  'window/drag-board.spec.ts',
  'window/export.spec.ts',
  'window/lab-states.spec.ts',
  'window/matrix.spec.ts',
  'window/overlay-text.spec.ts',
  'window/saving.spec.ts',
  'window/scan.spec.ts',
  'window/scenario.spec.ts',
  'window/suggest.spec.ts',
]

function project(plannerHost: PlannerHostKind, only: { testMatch?: string[]; testIgnore?: string[] }) {
  const globs = (names: readonly string[] = []) => names.map((name) => `**/${name}`)
  return {
    name: plannerHost,
    use: { plannerHost },
    ...(only.testMatch && { testMatch: globs(only.testMatch) }),
    ...(only.testIgnore && { testIgnore: globs(only.testIgnore) }),
  }
}

/** Every spec of the window runs in a browser; those that may go differently on the desktop run there too. */
export default defineConfig<{ plannerHost: PlannerHostKind }>({
  testDir: 'test/e2e',
  timeout: 60_000,
  // Each test starts a program and a browser; more at a time only slow each other down.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A machine that others use too may be slow at the wrong moment; what passes the second time counts as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: 'list',
  // A busy machine may take longer than the default for what a test waits for; no test waits for nothing.
  expect: { timeout: 15_000 },
  // For the last lines of `npm test`.
  metadata: { noElectron: electron.ok ? null : electron.reason },
  use: {
    headless: true,
    trace: 'off',
    launchOptions: { executablePath: browser.path, args: [...BROWSER_ARGS] },
  },
  projects: [
    project('browser-host', { testIgnore: ['hosts/electron-*.spec.ts'] }),
    ...(electron.ok
      ? [
          project('electron-double', { testMatch: [ON_DOUBLE] }),
          project('electron', { testMatch: [ON_ELECTRON, ...ON_EVERY_HOST] }),
        ]
      : [project('electron-double', { testMatch: [ON_DOUBLE, ...ON_EVERY_HOST] })]),
  ],
})

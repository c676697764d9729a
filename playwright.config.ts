import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from './test/support/find-browser.ts'
import { findElectron } from './test/support/find-electron.ts'
import type { PlannerHostKind } from './test/support/planner-host-kind.ts'

const browser = findBrowser()
if (!browser.ok) throw new Error(`End-to-end tests need a browser: ${browser.reason}`)
// Workers read this file again, and the double of Electron looks for a browser too: they take the one found
// here.
process.env['CHROME_PATH'] = browser.path

const electron = findElectron()
if (electron === null && process.env['TEST_WORKER_INDEX'] === undefined) {
  console.log('Electron’s binary is not here: its tests run on the double only.')
}

function project(plannerHost: PlannerHostKind, testIgnore: readonly string[]) {
  return { name: plannerHost, use: { plannerHost }, testIgnore: [...testIgnore] }
}

/** Every spec runs on every host, but for those that are about one of them. */
export default defineConfig<{ plannerHost: PlannerHostKind }>({
  testDir: 'test/e2e',
  timeout: 60_000,
  // Each test starts a program and a browser; more at a time only slow each other down.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // A machine that others use too may be slow at the wrong moment; what passes the second time is told as flaky.
  retries: process.env['CI'] === undefined ? 0 : 1,
  reporter: 'list',
  use: {
    headless: true,
    trace: 'off',
    launchOptions: { executablePath: browser.path, args: [...BROWSER_ARGS] },
  },
  projects: [
    project('browser-host', ['**/hosts/electron-*.spec.ts']),
    project('electron-double', ['**/hosts/browser-*.spec.ts']),
    ...(electron === null
      ? []
      : [project('electron', ['**/hosts/browser-*.spec.ts', '**/hosts/electron-double-*.spec.ts'])]),
  ],
})

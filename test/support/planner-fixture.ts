import { test as base, type Page } from '@playwright/test'
import { launchServer } from './browser-host.ts'
import { launchDouble } from './electron-double/launch.ts'
import { makeHome, type HomeOptions, type PlannerHome } from './planner-home.ts'
import type { PlannerHostKind } from './planner-host-kind.ts'
import { openDisplay, type Display } from './real-electron/display.ts'
import { launchElectron } from './real-electron/launch.ts'

/** A planner with its window open. */
export interface OpenedPlanner extends PlannerHome {
  readonly page: Page
  /** Answers the next native dialog with `path`; null where there are none. */
  readonly answerPick: ((path: string) => Promise<void>) | null
  /** Loads the page again, as a person does who presses the key for it. */
  readonly reload: () => Promise<void>
}

export interface OpenOptions extends HomeOptions {
  /** Arguments of the command line, such as `--lab`. */
  readonly args?: readonly string[] | ((home: PlannerHome) => readonly string[])
}

interface PlannerOptions {
  /** Set by each project of `playwright.config.ts`. */
  plannerHost: PlannerHostKind
}

interface PlannerFixtures {
  /**
   * Opens the planner on the project's host, in a fresh home; everything is closed and removed after the
   * test.
   */
  openPlanner: (options?: OpenOptions) => Promise<OpenedPlanner>
}

interface WorkerFixtures {
  /** The variables that name a display of the worker's own, which is opened when it is first asked for. */
  display: () => Promise<NodeJS.ProcessEnv>
}

/** Playwright's `test` with a planner that the same spec runs on every host. */
export const test = base.extend<PlannerFixtures & PlannerOptions, WorkerFixtures>({
  display: [
    // The first argument is Playwright's: this fixture needs no other.
    async ({ browserName: _ }, use) => {
      let display: Promise<Display> | null = null
      await use(async () => (await (display ??= openDisplay())).env)
      await (display as Promise<Display> | null)?.then(({ stop }) => stop())
    },
    { scope: 'worker' },
  ],
  plannerHost: ['browser-host', { option: true }],
  openPlanner: async ({ plannerHost, browser, display }, use) => {
    const cleanUps: (() => Promise<unknown>)[] = []
    await use(async ({ args = [], ...homeOptions } = {}) => {
      const home = await makeHome(homeOptions)
      const given = typeof args === 'function' ? args(home) : args
      cleanUps.unshift(home.remove)
      return { ...home, ...(await open()) }

      async function open(): Promise<Omit<OpenedPlanner, keyof PlannerHome>> {
        switch (plannerHost) {
          case 'browser-host': {
            const server = await launchServer(given, home.env)
            const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
            cleanUps.unshift(() => context.close(), server.stop)
            const opened = await context.newPage()
            await opened.goto(server.url)
            await opened.waitForURL(new URL('/', server.url).href)
            return { page: opened, answerPick: null, reload: () => reloaded(opened) }
          }
          case 'electron-double': {
            const double = launchDouble(given, home.env)
            cleanUps.unshift(double.stop)
            const answerPick = async (path: string): Promise<void> => {
              await double.ask({ ask: 'answerPick', path })
            }
            const reload = async (): Promise<void> => {
              await double.ask({ ask: 'reload' })
            }
            return { page: await double.page(), answerPick, reload }
          }
          case 'electron': {
            const { electron, page, stop } = await launchElectron(given, home, await display())
            cleanUps.unshift(stop)
            const answerPick = (path: string): Promise<void> =>
              electron.evaluate(({ dialog }, picked) => {
                dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [picked] })
              }, path)
            return { page, answerPick, reload: () => reloaded(page) }
          }
        }
      }
    })
    for (const cleanUp of cleanUps) await cleanUp()
  },
})

async function reloaded(page: Page): Promise<void> {
  await page.reload()
}

export { expect } from '@playwright/test'

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { expect, test as base } from '../planner-fixture.ts'
import { makeHome, type HomeOptions, type PlannerHome } from '../planner-home.ts'
import { hasProgram } from './debian-packages.ts'
import { electronArguments, launchElectron, usableElectron, type RunningElectron } from './launch.ts'

/** The planner on a real desktop, and what a person does there outside its page. */
export interface Desktop extends PlannerHome, RunningElectron {
  /** Chooses the menu's item of that label. */
  readonly chooseMenu: (label: string) => Promise<void>
  /** Presses real keys, as xdotool names them (`ctrl+plus`), with the window in front. */
  readonly pressKeys: (keys: string) => void
  /** Starts the program once more in the same home; its exit code. */
  readonly launchAgain: (args: readonly string[]) => Promise<number | null>
  /** Answers every dialog of the system's with its button of that number, and counts them. */
  readonly answerMessages: (button: number) => Promise<void>
  readonly shownMessages: () => Promise<readonly string[]>
}

export interface DesktopOptions extends HomeOptions {
  readonly args?: readonly string[]
  /** A home that an earlier start used. */
  readonly home?: PlannerHome
}

/** Playwright's `test` with the planner in a real Electron; all is ended and removed after the test. */
export const test = base.extend<{ start: (options?: DesktopOptions) => Promise<Desktop> }>({
  start: async ({ display }, use) => {
    const cleanUps: (() => Promise<unknown>)[] = []
    await use(async ({ args = [], home: given, ...options } = {}) => {
      const home = given ?? (await makeHome(options))
      if (given === undefined) cleanUps.unshift(home.remove)
      const shown = await display()
      const running = await launchElectron(args, home, shown)
      cleanUps.unshift(running.stop)
      await expect(running.page.getByText('coder-daily').first()).toBeVisible()
      return desktop(home, running, shown)
    })
    for (const cleanUp of cleanUps) await cleanUp()
  },
})

/** Whether real keys can be pressed here. */
export const CAN_PRESS_KEYS = process.platform === 'linux' && hasProgram('xdotool')

function desktop(home: PlannerHome, running: RunningElectron, display: NodeJS.ProcessEnv): Desktop {
  const { electron } = running
  return {
    ...home,
    ...running,
    chooseMenu: async (label) => {
      const isThere = await electron.evaluate(({ Menu, BrowserWindow }, wanted) => {
        const all = (items: Electron.MenuItem[]): Electron.MenuItem[] =>
          items.flatMap((item) => [item, ...all(item.submenu?.items ?? [])])
        const item = all(Menu.getApplicationMenu()?.items ?? []).find((one) => one.label === wanted)
        const window = BrowserWindow.getAllWindows()[0]
        item?.click(undefined, window, window?.webContents)
        return item?.enabled === true
      }, label)
      expect(isThere, `the menu has “${label}”`).toBe(true)
    },
    pressKeys: (keys) => {
      const env = { ...process.env, ...display }
      const found = spawnSync('xdotool', ['search', '--onlyvisible', '--name', 'Lab Planner'], { env })
      const window = found.stdout.toString().trim().split('\n').at(-1) ?? ''
      const { status } = spawnSync('xdotool', ['windowfocus', '--sync', window, 'key', keys], { env })
      expect(status, `xdotool pressed ${keys}`).toBe(0)
    },
    launchAgain: async (args) => {
      const { program, app } = usableElectron()
      const env = { ...home.env, DISPLAY: display['DISPLAY'] }
      const second = spawn(program, electronArguments(args), { cwd: app, env, stdio: 'ignore' })
      const [code] = (await once(second, 'exit')) as [number | null]
      return code
    },
    answerMessages: (button) =>
      electron.evaluate(({ dialog }, response) => {
        const shown: string[] = []
        Object.assign(globalThis, { shownMessages: shown })
        dialog.showMessageBox = (...args: unknown[]) => {
          shown.push((args.at(-1) as { readonly message: string }).message)
          return Promise.resolve({ response, checkboxChecked: false })
        }
      }, button),
    shownMessages: () =>
      electron.evaluate(
        () => (globalThis as unknown as { readonly shownMessages?: readonly string[] }).shownMessages ?? [],
      ),
  }
}

/** The bounds and state of the one window. */
export function windowFacts({ electron }: Pick<Desktop, 'electron'>) {
  return electron.evaluate(({ BrowserWindow }) => {
    const windows = BrowserWindow.getAllWindows()
    const [window] = windows
    if (window === undefined) throw new Error('there is no window')
    return { count: windows.length, bounds: window.getBounds(), isVisible: window.isVisible() }
  })
}

export { expect }

import { spawnSync } from 'node:child_process'
import { _electron, errors, type ElectronApplication, type Page } from '@playwright/test'
import type { HostClient } from '../../../shared/host-api.ts'
import type { PlannerHome } from '../planner-home.ts'
import { electronForTests, type ElectronForTests } from './electron-for-tests.ts'

/** The built planner in a real Electron, as a test drives it. */
export interface RunningElectron {
  readonly electron: ElectronApplication
  /** The window's page, once there is one. */
  readonly page: Page
  /** Resolves when the program has ended: its exit code, null when it was killed. */
  readonly exited: Promise<number | null>
  /** Ends it, unsaved edits or not. */
  readonly stop: () => Promise<void>
}

const QUIT_MS = 10_000

/** The Electron of this run; a test that needs one is not run without. */
export function usableElectron(): Extract<ElectronForTests, { ok: true }> {
  const found = electronForTests()
  if (!found.ok) throw new Error(`There is no Electron to test on: ${found.reason}`)
  return found
}

/** Lets the user that Electron runs as read and write `folder`, which the test made. */
export function giveToElectron(folder: string): void {
  const { user } = usableElectron()
  if (user === null) return
  spawnSync('chown', ['-R', '-h', `${user.uid}:${user.gid}`, folder])
  // What the test writes there later is for that user too.
  process.umask(0)
}

/** The arguments that start the planner, or the program in another folder, in Electron. */
export function electronArguments(args: readonly string[], app = usableElectron().app): string[] {
  const gpu = process.platform === 'linux' ? ['--disable-gpu'] : []
  return [...gpu, app, ...args]
}

/** A start that takes longer than this hangs: a driver that attaches too early can wait for good. */
const START_MS = 15_000

/** Starts the planner (or the program in the folder `app`) with `args` on `display`, with Chromium's sandbox on. */
export async function launchElectron(
  args: readonly string[],
  { home, env }: Pick<PlannerHome, 'home' | 'env'>,
  display: NodeJS.ProcessEnv,
  app = usableElectron().app,
): Promise<RunningElectron> {
  const { program } = usableElectron()
  giveToElectron(home)
  const options = {
    executablePath: program,
    args: electronArguments(args, app),
    cwd: app,
    chromiumSandbox: true,
    // As the system has it, not as the driver would.
    colorScheme: null,
    env: definedOnly({ ...env, DISPLAY: display['DISPLAY'], WAYLAND_DISPLAY: display['WAYLAND_DISPLAY'] }),
    timeout: START_MS,
  }
  return started(options).catch((error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error
    return started(options)
  })
}

async function started(options: Parameters<typeof _electron.launch>[0]): Promise<RunningElectron> {
  const electron = await _electron.launch(options)
  const child = electron.process()
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const killer = setTimeout(() => child.kill('SIGKILL'), QUIT_MS)
    const [page] = electron.windows()
    await page?.evaluate(giveUpEdits).catch(() => undefined)
    await electron.close().catch(() => undefined)
    await exited
    clearTimeout(killer)
  }
  try {
    return { electron, page: await electron.firstWindow({ timeout: START_MS }), exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** In the page: from now on nothing holds the window. */
async function giveUpEdits(): Promise<void> {
  const { labPlanner } = window as unknown as { readonly labPlanner?: HostClient }
  await labPlanner?.call.setUnsaved({ unsaved: false })
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
}

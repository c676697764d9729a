import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A browser that was started, or why none was. */
export type OpenedBrowser =
  /** `close` ends a browser that was started for this window alone, and removes what it was given. */
  { readonly ok: true; readonly close: () => Promise<void> } | { readonly ok: false; readonly reason: string }

export interface BrowserSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The administrator's account: Chromium starts there without its sandbox only, which is not turned off here. */
  readonly isRoot: boolean
}

/** How to start a browser: the program and its arguments. */
export interface BrowserCommand {
  readonly program: string
  readonly args: readonly string[]
  /** Whether the browser runs for this window alone, rather than being the person's. */
  readonly isOwn: boolean
}

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

/** Opens `url` in a window of its own where a Chromium is installed, else in the person's browser. */
export async function openBrowser(url: string, around: BrowserSurroundings): Promise<OpenedBrowser> {
  if (!hasDisplay(around)) return { ok: false, reason: 'there is no display' }
  if (around.isRoot && usesChromium(around)) {
    return { ok: false, reason: 'Chromium does not run as root with its sandbox; use an ordinary account' }
  }
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-'))
  const remove = async () =>
    rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  // Command lines can be read by everybody on the machine, and the address lets in anyone who has it: the
  // browser is given a page in a private folder that leads on to it.
  const entry = join(folder, 'open.html')
  await writeFile(entry, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`, {
    mode: 0o600,
  })
  const command = browserCommand(pathToFileURL(entry).href, folder, around)
  const child = await start(command)
  if (child === null) {
    await remove()
    return { ok: false, reason: `${command.program} cannot be started` }
  }
  const close = async (): Promise<void> => {
    if (command.isOwn) await end(child)
    await remove()
  }
  return { ok: true, close }
}

/** Whether a window could be shown at all. */
export function hasDisplay({ env, platform }: Pick<BrowserSurroundings, 'env' | 'platform'>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
}

/** The command that opens `url`. */
export function browserCommand(url: string, folder: string, around: BrowserSurroundings): BrowserCommand {
  const theirs = (program: string, ...args: readonly string[]) => ({ program, args, isOwn: false })
  if (around.platform === 'darwin') return theirs('open', url)
  if (around.platform === 'win32') return theirs('rundll32', 'url.dll,FileProtocolHandler', url)
  const chromium = installedChromium(around)
  if (chromium === undefined) return theirs('xdg-open', url)
  const profile = `--user-data-dir=${join(folder, 'profile')}`
  const args = [`--app=${url}`, profile, '--no-first-run', '--no-default-browser-check']
  return { program: chromium, args, isOwn: true }
}

function usesChromium(around: BrowserSurroundings): boolean {
  const isLinux = around.platform !== 'darwin' && around.platform !== 'win32'
  return isLinux && installedChromium(around) !== undefined
}

function installedChromium({ env }: BrowserSurroundings): string | undefined {
  return CHROMIUMS.find((name) => isOnPath(name, env))
}

function isOnPath(name: string, env: BrowserSurroundings['env']): boolean {
  return (env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/** Null when it cannot be started. */
function start({ program, args }: BrowserCommand): Promise<ChildProcess | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(null))
    child.once('spawn', () => {
      child.unref()
      resolve(child)
    })
  })
}

/** How long a browser may take to end, in milliseconds. */
const END_MS = 3000

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit', { signal: AbortSignal.timeout(END_MS) })
  child.kill()
  await gone.catch(() => undefined)
}

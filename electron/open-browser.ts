import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A browser that was started, or why none was. */
export type OpenedBrowser =
  | { readonly ok: true; readonly cleanUp: () => Promise<void> }
  | { readonly ok: false; readonly reason: string }

export interface BrowserSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The administrator's account: Chromium starts there without its sandbox only. */
  readonly isRoot: boolean
}

/** How to start a browser: the program and its arguments. */
export interface BrowserCommand {
  readonly program: string
  readonly args: readonly string[]
}

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

/** Opens `url` in a window of its own where a Chromium is installed, else in the person's browser. */
export async function openBrowser(url: string, around: BrowserSurroundings): Promise<OpenedBrowser> {
  if (!hasDisplay(around)) return { ok: false, reason: 'there is no display' }
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-'))
  const cleanUp = async () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
  // Command lines can be read by everybody on the machine, and the address lets in whoever has it: the browser is
  // given a page in a private folder that leads on to it.
  const entry = join(folder, 'open.html')
  await writeFile(entry, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`, { mode: 0o600 })
  const started = await start(browserCommand(pathToFileURL(entry).href, folder, around))
  if (started === null) return { ok: true, cleanUp }
  await cleanUp()
  return { ok: false, reason: started }
}

/** Whether a window could be shown at all. */
export function hasDisplay({ env, platform }: Pick<BrowserSurroundings, 'env' | 'platform'>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
}

/** The command that opens `url`. */
export function browserCommand(url: string, folder: string, around: BrowserSurroundings): BrowserCommand {
  if (around.platform === 'darwin') return { program: 'open', args: [url] }
  if (around.platform === 'win32') return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', url] }
  const chromium = CHROMIUMS.find((name) => isOnPath(name, around.env))
  if (chromium === undefined) return { program: 'xdg-open', args: [url] }
  const args = [`--app=${url}`, `--user-data-dir=${join(folder, 'profile')}`, '--no-first-run', '--no-default-browser-check']
  return { program: chromium, args: around.isRoot ? [...args, '--no-sandbox'] : args }
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

/** Null when it started. */
function start({ program, args }: BrowserCommand): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(`${program} cannot be started`))
    child.once('spawn', () => {
      child.unref()
      resolve(null)
    })
  })
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import type { PlannerHome } from '../planner-home.ts'
import { giveToElectron, usableElectron } from './launch.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PACK_MS = 240_000
const ATTACH_MS = 10_000
const ATTACH_TIMES = 5
const QUIT_MS = 10_000

/** The packed program's folder, as electron-builder makes it for Linux. */
export interface PackedProgram {
  readonly folder: string
  readonly program: string
  readonly remove: () => Promise<void>
}

/** Packs the built planner with the Electron of this run, offline. */
export async function packProgram(): Promise<PackedProgram> {
  const { folder: electron, user } = usableElectron()
  const output = await mkdtemp(join(tmpdir(), 'lab-planner-packed-'))
  await chmod(output, 0o755)
  const dist = join(output, 'electron')
  await cp(electron, dist, { recursive: true, verbatimSymlinks: true })
  // What the tests put beside the binary is none of Electron's.
  await rm(join(dist, 'resources/app'), { recursive: true, force: true })
  await rm(join(dist, 'electron-as-nobody'), { force: true })
  const version = (await readFile(join(dist, 'version'), 'utf8')).trim().replace(/^v/, '')
  await writeFile(join(dist, 'version'), version)
  const settings = [
    `-c.electronDist=${dist}`,
    `-c.electronVersion=${version}`,
    `-c.directories.output=${join(output, 'release')}`,
  ]
  const cli = join(ROOT, 'node_modules/electron-builder/cli.js')
  const packed = spawnSync(process.execPath, [cli, '--linux', 'dir', '--publish', 'never', ...settings], {
    cwd: ROOT,
    timeout: PACK_MS,
    encoding: 'utf8',
  })
  if (packed.status !== 0) throw new Error(`electron-builder failed: ${packed.stdout}${packed.stderr}`)
  await rm(dist, { recursive: true })
  const folder = join(output, 'release/linux-unpacked')
  if (user !== null) {
    await chown(join(folder, 'chrome-sandbox'), 0, 0)
    await chmod(join(folder, 'chrome-sandbox'), 0o4755)
  }
  return {
    folder,
    program: join(folder, 'lab-planner'),
    remove: () => rm(output, { recursive: true, force: true }),
  }
}

/** The program and arguments that run `command` as the user of the tests' Electron. */
function asRunUser(command: readonly string[]): readonly string[] {
  const { user } = usableElectron()
  if (user === null) return command
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--inh-caps=-all',
    ...command,
  ]
}

/** The packed program with its window, driven over the DevTools protocol: its fuses keep Node's inspector shut. */
export interface RunningPacked {
  readonly page: Page
  readonly process: ChildProcess
  readonly output: () => string
  readonly stop: () => Promise<void>
}

/** Starts the packed program on `display`. */
export async function startPacked(
  { program, folder }: PackedProgram,
  { home, env }: PlannerHome,
  display: NodeJS.ProcessEnv,
): Promise<RunningPacked> {
  giveToElectron(home)
  const [first = program, ...rest] = asRunUser([program, '--disable-gpu', '--remote-debugging-port=0'])
  const child = spawn(first, rest, { cwd: folder, env: { ...env, DISPLAY: display['DISPLAY'] } })
  let text = ''
  const exited = once(child, 'exit')
  const endpoint = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      text += chunk.toString()
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void exited.then(([code]) => reject(new Error(`it ended with ${code} and no window: ${text}`)))
  })
  const browser = await attach(await endpoint)
  const stop = async (): Promise<void> => {
    const killer = setTimeout(() => child.kill('SIGKILL'), QUIT_MS)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await exited
    }
    clearTimeout(killer)
    await browser.close().catch(() => undefined)
  }
  const [context] = browser.contexts()
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
  if (!page) throw new Error(`The packed program has no page: ${text}`)
  return { page, process: child, output: () => text, stop }
}

/** Attaching before the program is ready may hang for good: a short while, and again. */
async function attach(endpoint: string): Promise<Browser> {
  for (let i = 1; ; i++) {
    try {
      return await chromium.connectOverCDP(endpoint, { timeout: ATTACH_MS })
    } catch (error) {
      if (i === ATTACH_TIMES) throw error
    }
  }
}

/** What the page of a program that nothing outside its pipes can reach shows. */
export interface UnreachablePacked {
  /** Evaluates an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Starts the packed program in a network namespace of its own, which holds no network at all; driven over a pipe. */
export function startWithoutNetwork(
  { program, folder }: PackedProgram,
  { home, env }: PlannerHome,
  display: NodeJS.ProcessEnv,
): Promise<UnreachablePacked> {
  giveToElectron(home)
  const isRoot = process.getuid?.() === 0
  const apart = ['unshare', ...(isRoot ? [] : ['--user', '--map-current-user']), '--net']
  const [first = '', ...rest] = [
    ...apart,
    ...asRunUser([program, '--disable-gpu', '--remote-debugging-pipe']),
  ]
  const child = spawn(first, rest, {
    cwd: folder,
    env: { ...env, DISPLAY: display['DISPLAY'] },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const call = pipeProtocol(child)
  let session: string | undefined
  const evaluate = async (expression: string): Promise<unknown> => {
    if (session === undefined) {
      const { targetInfos } = (await call('Target.getTargets', {})) as {
        targetInfos: readonly { readonly targetId: string; readonly type: string }[]
      }
      const target = targetInfos.find(({ type }) => type === 'page')
      if (target === undefined) return null
      const attached = await call('Target.attachToTarget', { targetId: target.targetId, flatten: true })
      session = (attached as { sessionId: string }).sessionId
    }
    const answer = await call(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true },
      session,
    )
    return (answer as { result?: { value?: unknown } }).result?.value
  }
  return Promise.resolve({
    evaluate,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  })
}

/** The DevTools protocol over a program's third and fourth descriptor: JSON texts that end in a zero byte. */
function pipeProtocol(child: ChildProcess) {
  const [, , , toProgram, fromProgram] = child.stdio
  const waiting = new Map<number, (result: unknown) => void>()
  let rest = ''
  fromProgram?.on('data', (chunk: Buffer) => {
    const texts = (rest + chunk.toString()).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const { id, result } = JSON.parse(text) as { readonly id?: number; readonly result?: unknown }
      if (id !== undefined) waiting.get(id)?.(result ?? {})
    }
  })
  let last = 0
  return (method: string, params: object, sessionId?: string): Promise<unknown> => {
    const id = ++last
    const message = JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })
    if (toProgram && 'write' in toProgram) toProgram.write(`${message}\0`)
    return new Promise((resolve) => waiting.set(id, resolve))
  }
}

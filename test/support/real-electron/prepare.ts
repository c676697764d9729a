/**
 * Makes a real Electron ready for the tests and prints how to start it, as JSON ({@link ElectronForTests}). A program of
 * its own, so that a configuration that cannot wait can run it to its end.
 */
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHash } from 'node:crypto'
import { findElectron } from '../find-electron.ts'
import { howToInstall, missingPrograms } from './debian-packages.ts'
import type { ElectronForTests, RunUser } from './electron-for-tests.ts'
import { fetchBinary, type FetchedBinary } from './fetch-binary.ts'
import { PINNED_BINARY } from './pinned-binary.ts'
import { runProgram } from './run-program.ts'
import { withDisplay } from './display.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LAUNCHER = fileURLToPath(new URL('launcher', import.meta.url))
const START_MS = 60_000
const isRoot = process.getuid?.() === 0
/** Chromium refuses to start as root with its sandbox on, which the planner never turns off: root runs it as this user. */
const UNPRIVILEGED = 'nobody'

console.log(JSON.stringify(await prepare()))

async function prepare(): Promise<ElectronForTests> {
  const own = findElectron()
  if (process.platform !== 'linux') {
    return own === null
      ? none('Electron’s binary is not here: run `node node_modules/electron/install.js`')
      : { ok: true, kind: 'own', program: own, folder: dirname(own), app: ROOT, user: null }
  }
  const missing = missingPrograms([
    'Xvfb',
    ...(own === null ? (['unzip'] as const) : []),
    ...(isRoot ? (['setpriv'] as const) : []),
  ])
  if (missing.length > 0 && !(missing.join() === 'Xvfb' && hasDisplay())) return none(howToInstall(missing))
  const cache = cacheFolder()
  await mkdir(cache, { recursive: true })
  const binary = own === null ? await substitute(cache) : await ownBinary(own, cache)
  if (!binary.ok) return none(binary.reason)
  const ready = await start(binary.folder, own === null ? 'substitute' : 'own', cache)
  return ready.ok ? await proven(ready) : ready
}

function none(reason: string): ElectronForTests {
  return { ok: false, reason }
}

function hasDisplay(): boolean {
  return (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== ''
}

/** Outside the checkout; as root in a place that another user can read. */
function cacheFolder(): string {
  const named = process.env['PLANNER_TEST_CACHE'] ?? ''
  if (named !== '') return named
  if (isRoot) return '/var/cache/lab-planner'
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'lab-planner')
}

async function substitute(cache: string): Promise<FetchedBinary> {
  if (process.arch !== 'x64')
    return { ok: false, reason: `there is no Electron for tests on Linux ${process.arch}` }
  const fetched = await fetchBinary(cache)
  if (fetched.ok) await cp(LAUNCHER, join(fetched.folder, 'resources/app'), { recursive: true })
  return fetched
}

/** Electron's own binary where it is; for root a copy that another user can read. */
async function ownBinary(program: string, cache: string): Promise<FetchedBinary> {
  const source = dirname(program)
  if (!isRoot) return { ok: true, folder: source }
  const version = readFileSync(join(source, 'version'), 'utf8').trim()
  const folder = join(cache, `electron-${version}-own`)
  if (!existsSync(folder)) {
    const copying = `${folder}-${process.pid}`
    await cp(source, copying, { recursive: true, verbatimSymlinks: true })
    await rename(copying, folder)
  }
  return { ok: true, folder }
}

/** How the program in `folder` is started here, sandbox and all. */
async function start(folder: string, kind: 'own' | 'substitute', cache: string): Promise<ElectronForTests> {
  const electron = join(folder, 'electron')
  if (!isRoot) {
    if (!hasUserNamespaces() && !isSetuid(join(folder, 'chrome-sandbox'))) {
      const sandbox = join(folder, 'chrome-sandbox')
      return none(
        `the sandbox needs user namespaces, or as root: chown root:root ${sandbox} && chmod 4755 ${sandbox}`,
      )
    }
    return { ok: true, kind, program: electron, folder, app: ROOT, user: null }
  }
  const user = unprivilegedUser()
  if (user === null) return none(`there is no user “${UNPRIVILEGED}” to run it as`)
  await chown(join(folder, 'chrome-sandbox'), 0, 0)
  await chmod(join(folder, 'chrome-sandbox'), 0o4755)
  const program = join(folder, `electron-as-${UNPRIVILEGED}`)
  const drop = `setpriv --reuid=${user.uid} --regid=${user.gid} --clear-groups --inh-caps=-all`
  await writeFile(program, `#!/bin/sh\nexec ${drop} "${electron}" "$@"\n`, { mode: 0o755 })
  return { ok: true, kind, program, folder, app: await stagedApp(cache), user }
}

function unprivilegedUser(): RunUser | null {
  const id = (flag: string): number => Number(runProgram('id', [flag, UNPRIVILEGED], { ms: START_MS }).stdout)
  const [uid, gid] = [id('-u'), id('-g')]
  return uid > 0 && gid > 0 ? { uid, gid } : null
}

function hasUserNamespaces(): boolean {
  return runProgram('unshare', ['--user', 'true'], { ms: START_MS }).ok
}

function isSetuid(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    const { uid, mode } = statSync(path)
    return uid === 0 && (mode & 0o4000) !== 0
  } catch {
    return false
  }
}

/** A copy of the built program that another user can read: a checkout may lie in a folder that is closed to them. */
async function stagedApp(cache: string): Promise<string> {
  const app = join(cache, `app-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`)
  await rm(app, { recursive: true, force: true })
  await mkdir(app)
  for (const part of ['package.json', 'dist', 'examples', 'node_modules/@napi-rs']) {
    if (existsSync(join(ROOT, part))) await cp(join(ROOT, part), join(app, part), { recursive: true })
  }
  return app
}

/** Starts it once: libraries may be missing, or the display, or the sandbox. */
async function proven(ready: Extract<ElectronForTests, { ok: true }>): Promise<ElectronForTests> {
  const version = await withDisplay((env) =>
    runProgram(ready.program, ['--disable-gpu', '--version'], {
      ms: START_MS,
      cwd: '/',
      env: { ...env, HOME: '/nonexistent' },
    }),
  )
  const expected = ready.kind === 'substitute' ? `v${PINNED_BINARY.electron}` : 'v'
  if (version.ok && version.stdout.trim().startsWith(expected)) return ready
  return none(`${ready.program} does not start: ${version.lastError}`)
}

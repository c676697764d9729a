// `npm start`: the planner in Electron, or in a browser where Electron or a display is missing.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const BUILT = [
  'dist/renderer/index.html',
  'dist/host/main.js',
  'dist/host/cli.js',
  'dist/preload/preload.cjs',
]
/** How long Electron's own installer may take to fetch the binary, in milliseconds. */
const INSTALL_MS = 120_000
/** An error that ends Electron within this time, in milliseconds, is one of starting: a library, the sandbox, the display. */
const SHOWN_MS = 5000

/** Whether this program was asked to stop. */
let wasStopped = false

const args = process.argv.slice(2)

if (await ensureBuilt()) {
  const electron = await findOrInstallElectron()
  process.exitCode =
    electron.path === null ? await serveInstead(electron.reason) : await runElectron(electron.path)
} else {
  process.exitCode = 1
}

async function ensureBuilt() {
  if (BUILT.every((file) => existsSync(join(ROOT, file)))) return true
  console.error('lab-planner: building it first')
  const code = await run(process.execPath, [
    'node_modules/vite/bin/vite.js',
    'build',
    '--app',
    '--logLevel',
    'warn',
  ])
  if (code !== 0) console.error('lab-planner: the build failed: run `npm ci`, then `npm start` again')
  return code === 0
}

/**
 * Electron's binary, or why there is none to use. The package is never imported: that alone would start a
 * download.
 *
 * @returns {Promise<{ path: string } | { path: null, reason: string }>}
 */
async function findOrInstallElectron() {
  // Without a display Electron could not show a window, however it was come by.
  if (!hasDisplay()) return { path: null, reason: 'there is no display' }
  const folder = electronFolder()
  if (folder === null) return { path: null, reason: 'Electron is not installed' }
  const found = electronBinary(folder)
  if (found !== null) return { path: found }
  console.error('lab-planner: Electron’s binary is missing, fetching it once …')
  await run(process.execPath, [join(folder, 'install.js')], { timeout: INSTALL_MS, quiet: true })
  const installed = electronBinary(folder)
  if (installed !== null) return { path: installed }
  return { path: null, reason: 'Electron’s binary cannot be had' }
}

function hasDisplay() {
  if (process.platform === 'darwin' || process.platform === 'win32') return true
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])
}

/** @returns {string | null} */
function electronFolder() {
  try {
    return dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  } catch {
    return null
  }
}

/**
 * @param {string} folder
 * @returns {string | null}
 */
function electronBinary(folder) {
  try {
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    const path = join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(folder, 'dist'), name)
    return existsSync(path) ? path : null
  } catch {
    // The installer writes path.txt last: without it the binary is not whole.
    const override = process.env['ELECTRON_OVERRIDE_DIST_PATH']
    const path = override ? join(override, executableName()) : ''
    return existsSync(path) ? path : null
  }
}

function executableName() {
  if (process.platform === 'win32') return 'electron.exe'
  return process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron'
}

/**
 * Runs Electron, and serves instead when it ends with an error before it could have shown a window.
 *
 * @param {string} path
 */
async function runElectron(path) {
  const started = Date.now()
  const code = await run(path, ['.', ...args])
  if (code === 0 || wasStopped || Date.now() - started > SHOWN_MS) return code
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? '; as root it never does' : ''
  return serveInstead(`Electron did not start: it ended with ${code} (${path})${asRoot}`)
}

/** @param {string} reason */
async function serveInstead(reason) {
  console.error(`lab-planner: ${reason}, so it runs in a browser instead`)
  const open = hasDisplay() ? ['--open'] : []
  return run(process.execPath, ['bin/lab-planner.js', 'serve', ...open, ...args])
}

/**
 * Runs a program in the project's folder until it ends, and passes on a request to stop.
 *
 * @param {string} program
 * @param {string[]} programArgs
 * @param {{ timeout?: number, quiet?: boolean }} [options]
 * @returns {Promise<number>} its exit code
 */
function run(program, programArgs, { timeout, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, programArgs, { cwd: ROOT, stdio: quiet ? 'ignore' : 'inherit', timeout })
    // From a terminal Ctrl-C reaches the child by itself, and this process only has to outlive it.
    const onInterrupt = () => {
      wasStopped = true
      if (!process.stdin.isTTY) child.kill('SIGINT')
    }
    const onTerminate = () => {
      wasStopped = true
      child.kill('SIGTERM')
    }
    process.on('SIGINT', onInterrupt)
    process.on('SIGTERM', onTerminate)
    const done = (/** @type {number} */ code) => {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onTerminate)
      resolve(code)
    }
    child.on('error', (error) => {
      if (!quiet) console.error(`lab-planner: ${error.message}`)
      done(1)
    })
    child.on('exit', (code) => done(code ?? 1))
  })
}

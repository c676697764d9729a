import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The user that Electron is run as by root. */
export interface RunUser {
  readonly uid: number
  readonly gid: number
}

/** A real Electron that tests can start, or one line that says why there is none and what to do. */
export type ElectronForTests =
  | {
      readonly ok: true
      /** Electron's own binary, or the substitute of `pinned-binary.ts`. */
      readonly kind: 'own' | 'substitute'
      /** What to start, with the folder of a program as its first argument. */
      readonly program: string
      /** Electron's files. */
      readonly folder: string
      /** The built planner's folder, readable to the user that it runs as. */
      readonly app: string
      /** Null when it runs as the user that tests run as. */
      readonly user: RunUser | null
    }
  | { readonly ok: false; readonly reason: string }

const PREPARE = fileURLToPath(new URL('prepare.ts', import.meta.url))
/** Fetching 196 MB may be slow. */
const PREPARE_MS = 600_000
/** Workers, and programs that the tests start, take what was found once. */
const FOUND = 'PLANNER_TEST_ELECTRON'

/** Looks for Electron, or makes one ready, once per run. */
export function electronForTests(): ElectronForTests {
  const found = process.env[FOUND]
  if (found !== undefined) return JSON.parse(found) as ElectronForTests
  const { stdout, status } = spawnSync(process.execPath, ['--import', 'tsx', PREPARE], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PREPARE_MS,
    encoding: 'utf8',
  })
  const text =
    status === 0
      ? (stdout.trim().split('\n').at(-1) ?? '')
      : JSON.stringify({ ok: false, reason: 'making it ready failed: see the lines above' })
  process.env[FOUND] = text
  return JSON.parse(text) as ElectronForTests
}

/** The built planner's folder as Electron sees it, when this run has an Electron; it is not looked for. */
export function readableRoot(): string | null {
  const found = process.env[FOUND]
  const electron = found === undefined ? null : (JSON.parse(found) as ElectronForTests)
  return electron?.ok ? electron.app : null
}

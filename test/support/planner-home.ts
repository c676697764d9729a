import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readableRoot } from './real-electron/electron-for-tests.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The bundled sample lab, where every host of the tests can read it. */
export const SAMPLE_LAB = join(readableRoot() ?? ROOT, 'examples/sample-lab')

/** A person's home of the test's own. */
export interface PlannerHome {
  readonly home: string
  readonly configDir: string
  /** `~/llm`: a copy of the sample lab, unless it was left out. */
  readonly labDir: string
  readonly env: NodeJS.ProcessEnv
  readonly remove: () => Promise<void>
}

export interface HomeOptions {
  /**
   * `sample-copy` puts a copy of the sample lab at `~/llm`; `none` leaves `~/llm` out; a function fills it.
   */
  readonly lab?: 'sample-copy' | 'none' | ((labDir: string) => Promise<void>)
  /** What `settings.json` holds to begin with. */
  readonly settings?: object
  /** Shell scripts by name, found before any other program of that name. */
  readonly programs?: Readonly<Record<string, string>>
}

/** Variables by which a person's models would be found in a test's home. */
const MODEL_PLACES = [
  'HF_HOME',
  'HF_HUB_CACHE',
  'HUGGINGFACE_HUB_CACHE',
  'LLAMA_CACHE',
  'OLLAMA_MODELS',
  'XDG_CACHE_HOME',
]

/** Makes a fresh home in the system's folder for temporary files. */
export async function makeHome(options: HomeOptions = {}): Promise<PlannerHome> {
  const { lab = 'sample-copy', settings, programs } = options
  const home = await realpath(await mkdtemp(join(tmpdir(), 'lab-planner-home-')))
  const configDir = join(home, 'config')
  const labDir = join(home, 'llm')
  await mkdir(configDir)
  if (lab === 'sample-copy') await cp(SAMPLE_LAB, labDir, { recursive: true })
  else if (lab !== 'none') await lab(labDir)
  if (settings) await writeFile(join(configDir, 'settings.json'), JSON.stringify(settings))
  const bin = join(home, 'bin')
  if (programs) await mkdir(bin)
  for (const [name, script] of Object.entries(programs ?? {})) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const env = {
    ...process.env,
    ...Object.fromEntries(MODEL_PLACES.map((name) => [name, undefined])),
    ...(programs && { PATH: [bin, process.env['PATH']].join(delimiter) }),
    HOME: home,
    USERPROFILE: home,
    LAB_PLANNER_CONFIG_DIR: configDir,
  }
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return { home, configDir, labDir, env, remove }
}

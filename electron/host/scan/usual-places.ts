import { isAbsolute, join } from 'node:path'
import { shortenHome } from '../paths.ts'
import { realDisk, type Disk } from '../disk.ts'
import { diskFault, isMissing } from '../system-error.ts'
import type { ScanPlaceName } from './find-models.ts'
import { refused, type LeftOut } from './found-model.ts'

/** What decides where programs keep their models. */
export interface ModelSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** The usual places of models that are there, and lines of those that should be and are not. */
export interface UsualPlaces {
  readonly places: readonly ScanPlaceName[]
  readonly away: readonly LeftOut[]
}

/**
 * Where this machine's models usually are: the caches of Hugging Face (as its variables say), Ollama, LM
 * Studio and llama.cpp, and a `models` folder at home; those that are there, each one once. A place that a
 * variable names and that is away is reported.
 */
export async function usualPlaces(around: ModelSurroundings, disk: Disk = realDisk): Promise<UsualPlaces> {
  const seen = new Set<string>()
  const places: ScanPlaceName[] = []
  const away: LeftOut[] = []
  for (const { path, variable } of candidates(around)) {
    const shown = shortenHome(path, around.home)
    try {
      const real = await disk.realpath(path)
      if (seen.has(real)) continue
      seen.add(real)
      places.push({ path, shown })
    } catch (error) {
      const why = isMissing(error)
        ? 'is not there: is its drive away?'
        : `cannot be read: ${diskFault(error).reason}`
      if (variable !== null) away.push(refused(shown, `the place that ${variable} names ${why}`))
      else if (!isMissing(error)) away.push(refused(shown, `it ${why}`))
    }
  }
  return { places, away }
}

interface Candidate {
  readonly path: string
  /** The variable that names it; null for a place by default. */
  readonly variable: string | null
}

/** Where Ollama keeps its models when the system runs it: its own installer, distributions, and the snap. */
const OLLAMA_SERVICES = [
  '/usr/share/ollama/.ollama/models',
  '/var/lib/ollama/models',
  '/var/lib/ollama',
  '/var/snap/ollama/common/models',
]

function candidates({ env, platform, home }: ModelSurroundings): readonly Candidate[] {
  const named = (names: readonly string[], fallback: string, below = ''): Candidate => {
    const variable = names.find((name) => isAbsolute(env[name] ?? '')) ?? null
    return { path: join(variable === null ? fallback : (env[variable] ?? ''), below), variable }
  }
  const usual = (...parts: readonly string[]): Candidate => ({ path: join(...parts), variable: null })
  const cache = named(['XDG_CACHE_HOME'], join(home, '.cache')).path
  const systemCache = platform === 'darwin' ? join(home, 'Library', 'Caches') : cache
  const hubNames = ['HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE'].filter((name) => isAbsolute(env[name] ?? ''))
  return [
    hubNames.length > 0 ? named(hubNames, '') : named(['HF_HOME'], join(cache, 'huggingface'), 'hub'),
    named(['OLLAMA_MODELS'], join(home, '.ollama', 'models')),
    ...(platform === 'linux' ? OLLAMA_SERVICES.map((path) => usual(path)) : []),
    usual(home, '.lmstudio', 'models'),
    usual(home, '.cache', 'lm-studio', 'models'),
    named(['LLAMA_CACHE'], join(systemCache, 'llama.cpp')),
    usual(home, 'models'),
  ]
}

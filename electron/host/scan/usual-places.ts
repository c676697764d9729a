import { isAbsolute, join } from 'node:path'
import { shortenHome } from '../paths.ts'
import { realDisk, type Disk } from '../disk.ts'
import type { ScanPlaceName } from './find-models.ts'

/** What tells where programs keep their models. */
export interface ModelSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

/**
 * Where this machine's models usually are: the caches of Hugging Face (as its variables say), Ollama, LM
 * Studio and llama.cpp, and a `models` folder at home; those that are there, each one once.
 */
export async function usualPlaces(
  around: ModelSurroundings,
  disk: Disk = realDisk,
): Promise<readonly ScanPlaceName[]> {
  const seen = new Set<string>()
  const places: ScanPlaceName[] = []
  for (const path of candidates(around)) {
    const real = await disk.realpath(path).catch(() => null)
    if (real === null || seen.has(real)) continue
    seen.add(real)
    places.push({ path, shown: shortenHome(path, around.home) })
  }
  return places
}

function candidates({ env, platform, home }: ModelSurroundings): readonly string[] {
  const named = (...names: readonly string[]): string | null => {
    const value = names.map((name) => env[name] ?? '').find((each) => each !== '') ?? ''
    return isAbsolute(value) ? value : null
  }
  const cache = named('XDG_CACHE_HOME') ?? join(home, '.cache')
  const hfHome = named('HF_HOME') ?? join(cache, 'huggingface')
  const systemCache = platform === 'darwin' ? join(home, 'Library', 'Caches') : cache
  return [
    named('HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE') ?? join(hfHome, 'hub'),
    named('OLLAMA_MODELS') ?? join(home, '.ollama', 'models'),
    ...(platform === 'linux' ? ['/usr/share/ollama/.ollama/models'] : []),
    join(home, '.lmstudio', 'models'),
    join(home, '.cache', 'lm-studio', 'models'),
    named('LLAMA_CACHE') ?? join(systemCache, 'llama.cpp'),
    join(home, 'models'),
  ]
}

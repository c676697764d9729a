import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where the parts of the installed program are. */
export interface InstalledFiles {
  readonly version: string
  /** The built page. */
  readonly renderer: string
  readonly preload: string
  /** The thread that makes suggestions; the solver's WebAssembly lies beside it. */
  readonly suggestWorker: string
  /** The thread that hashes files. */
  readonly hashWorker: string
  /** The one file that is sent to machines that have nothing but Node. */
  readonly agent: string
  /** The solver's WebAssembly. */
  readonly solver: string
  /** The licenses of the libraries in the program. */
  readonly notices: string
  /** The bundled sample lab. */
  readonly sample: string
}

/**
 * Finds the program's files from `here`, a folder inside it: bundling moves modules between files, but all of
 * them stay below the package's own folder.
 *
 * @param resources where a packaged program has its resources; null when it runs from its package folder.
 */
export function installedFiles(here: string, resources: string | null = null): InstalledFiles {
  const root = packageFolder(here)
  const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    version: hasVersion(manifest) ? manifest.version : '0.0.0',
    renderer: join(root, 'dist', 'renderer'),
    preload: join(root, 'dist', 'preload', 'preload.cjs'),
    suggestWorker: join(root, 'dist', 'host', 'suggest-worker.js'),
    hashWorker: join(root, 'dist', 'host', 'hash-worker.js'),
    agent: join(root, 'dist', 'agent', 'agent.cjs'),
    solver: join(root, 'dist', 'host', 'highs.wasm'),
    // A packaged program has it beside the archive, where people find it without the program.
    notices: resources === null ? join(root, 'dist', 'NOTICES.txt') : join(resources, 'NOTICES.txt'),
    sample: resources === null ? join(root, 'examples', 'sample-lab') : join(resources, 'sample-lab'),
  }
}

function packageFolder(here: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (dirname(folder) === folder)
      throw new Error(`No package.json above ${here}: the installation is incomplete.`)
  }
}

function hasVersion(manifest: unknown): manifest is { readonly version: string } {
  return (
    typeof manifest === 'object' &&
    manifest !== null &&
    'version' in manifest &&
    typeof manifest.version === 'string'
  )
}

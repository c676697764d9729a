import { homedir } from 'node:os'
import { isAbsolute, join, resolve, sep } from 'node:path'

/** Where the lab is when the operator names no other place. */
export const DEFAULT_LAB = '~/llm'

/** What stands for standard input in a file's place. */
export const STDIN_NAME = '-'

/** The files and folders of a lab, each of which the operator can name instead of the default place. */
export const LAB_PLACES = ['roster', 'overlay', 'registry', 'manifests', 'shapes', 'nodes', 'fleet'] as const
export type LabPlace = (typeof LAB_PLACES)[number]

const CONVENTION: Readonly<Record<LabPlace, string>> = {
  roster: 'docs/models/queue.yaml',
  overlay: 'docs/models/overlay.yaml',
  registry: 'docs/models/registry.json',
  manifests: 'docs/models/manifests',
  shapes: 'docs/models/shapes',
  nodes: 'docs/models/nodes',
  fleet: 'docs/models/fleet.yaml',
}

/** A folder of the lab, or the lab's own. */
export interface LabFolder {
  /** Absolute. */
  readonly path: string
  /** The name for a person: as given, the home folder shortened to `~`. */
  readonly shown: string
  /** Whether the operator named it; otherwise it is where the convention has it. */
  readonly given: boolean
}

/** A file of the lab; its path is null when it comes from standard input. */
export interface LabPath extends Omit<LabFolder, 'path'> {
  readonly path: string | null
}

/** Where everything of a lab is. */
export interface LabPaths {
  readonly lab: LabFolder
  readonly roster: LabPath
  readonly overlay: LabPath
  readonly registry: LabPath
  /** The folder of loose model manifests. */
  readonly manifests: LabFolder
  /** The folder of model shapes. */
  readonly shapes: LabFolder
  /** The folder of node facts. */
  readonly nodes: LabFolder
  readonly fleet: LabPath
}

/** Where relative paths and `~` lead. */
export interface Surroundings {
  readonly cwd: string
  readonly home: string
}

/** The surroundings of this process. */
export function ownSurroundings(): Surroundings {
  return { cwd: process.cwd(), home: homedir() }
}

/**
 * The places of the lab in `labDir` (docs/formats.md, "Where a lab keeps them"), with those in `given` instead
 * where the operator named one. `~` is expanded; `-` in a file's place is standard input.
 */
export function labPathsByConvention(
  labDir: string,
  given: Readonly<Partial<Record<LabPlace, string | null>>> = {},
  around: Surroundings = ownSurroundings(),
): LabPaths {
  const folder = (place: LabPlace): LabFolder => {
    const own = given[place] ?? null
    return own === null ? locate(join(labDir, CONVENTION[place]), false, around) : locate(own, true, around)
  }
  const file = (place: LabPlace): LabPath =>
    given[place] === STDIN_NAME ? { path: null, shown: '<stdin>', given: true } : folder(place)
  return {
    lab: locate(labDir, true, around),
    roster: file('roster'),
    overlay: file('overlay'),
    registry: file('registry'),
    manifests: folder('manifests'),
    shapes: folder('shapes'),
    nodes: folder('nodes'),
    fleet: file('fleet'),
  }
}

function locate(name: string, given: boolean, around: Surroundings): LabFolder {
  const expanded = expandHome(name, around.home)
  return { path: resolve(around.cwd, expanded), shown: shortenHome(expanded, around.home), given }
}

/** `~` and `~/...` as a path in the home folder; anything else as it is. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith(`~${sep}`) ? join(home, path.slice(2)) : path
}

/** An absolute path inside the home folder with `~` for that folder; anything else as it is. */
export function shortenHome(path: string, home: string): string {
  // An account whose home is the root of the disk would see every path as its own.
  if (!isAbsolute(path) || home === '' || home.endsWith(sep)) return path
  if (path === home) return '~'
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path
}

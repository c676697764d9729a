import { homedir } from 'node:os'
import { isAbsolute, join, resolve, sep } from 'node:path'
import {
  byLabPlace,
  isFolderPlace,
  LAB_PLACE_TRAITS,
  type LabFolderPlace,
  type LabPlace,
} from '../../shared/lab/lab-places.ts'

/** Where the lab is when the operator names no other place. */
export const DEFAULT_LAB = '~/llm'

/** What stands for standard input in a file's place. */
export const STDIN_NAME = '-'

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
export type LabPaths = {
  readonly [Place in LabPlace]: Place extends LabFolderPlace ? LabFolder : LabPath
} & { readonly lab: LabFolder }

/** Where relative paths and `~` lead. */
export interface Surroundings {
  readonly cwd: string
  readonly home: string
}

/** The surroundings of this process. */
function ownSurroundings(): Surroundings {
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
  return pathsOf(locate(labDir, true, around), (place) => {
    const own = given[place] ?? null
    if (own === null) return locate(join(labDir, LAB_PLACE_TRAITS[place].path), false, around)
    if (own === STDIN_NAME && !isFolderPlace(place)) return { path: null, shown: '<stdin>', given: true }
    return locate(own, true, around)
  })
}

/** The paths of a lab, place by place; `pathOf` must give a folder's place a path. */
export function pathsOf(lab: LabFolder, pathOf: (place: LabPlace) => LabPath): LabPaths {
  return { lab, ...byLabPlace(pathOf) } as LabPaths
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

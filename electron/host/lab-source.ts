import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { LabSnapshot } from '../../shared/host-api.ts'
import { byLabPlace, isFolderPlace, LAB_PLACE_TRAITS, LAB_PLACES } from '../../shared/lab/lab-places.ts'
import { DEFAULT_LAB, expandHome, labPathsByConvention, pathsOf, type LabPaths } from './paths.ts'
import { sampleFolder } from './sample-lab.ts'
import { diskFault } from './system-error.ts'
import type { WatchPlace } from './watch-places.ts'

/** A lab that can be opened, and how it was come by. */
export interface LabSource {
  readonly paths: LabPaths
  readonly origin: LabSnapshot['origin']
  /** Why the overlay must not be saved, or null. */
  readonly readOnly: string | null
  /** What Open Recent remembers; null for the sample, which is always at hand. */
  readonly recent: string | null
}

/** The lab that was named on the command line. */
export function argumentLab(paths: LabPaths): LabSource {
  return { paths, origin: 'argument', readOnly: null, recent: paths.lab.path }
}

/** The bundled sample, as the person's own copy. */
export async function sampleLab(bundled: string, configDir: string, home: string): Promise<LabSource> {
  const { folder, readOnly } = await sampleFolder(bundled, configDir)
  return {
    paths: labPathsByConvention(folder, {}, { cwd: home, home }),
    origin: 'sample',
    readOnly,
    recent: null,
  }
}

/** The lab in its default place, or null when there is no such folder. */
export async function defaultLab(home: string): Promise<LabSource | null> {
  const folder = expandHome(DEFAULT_LAB, home)
  const isThere = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isThere) return null
  const paths = labPathsByConvention(DEFAULT_LAB, {}, { cwd: home, home })
  return { paths, origin: 'default', readOnly: null, recent: folder }
}

export type LocatedLab =
  | { readonly ok: true; readonly source: LabSource }
  /** Why it cannot be opened, as a sentence for a person. */
  | { readonly ok: false; readonly message: string }

/**
 * The lab at a path that the operator picked, dropped or named: a lab's folder, or a roster file. A folder
 * that holds the files itself (`queue.yaml` and not `docs/models/queue.yaml`) is one too; beside a roster the
 * other files are looked for under their usual names, and a roster in its usual place opens the lab around
 * it.
 */
export async function locateLab(path: string, home: string): Promise<LocatedLab> {
  try {
    const stats = await stat(path)
    if (!stats.isDirectory() && !stats.isFile()) {
      return { ok: false, message: 'Only a folder or a roster file can be opened as a lab.' }
    }
    const paths = stats.isDirectory() ? await pathsOfFolder(path, home) : pathsOfRoster(path, home)
    return { ok: true, source: { paths, origin: 'picked', readOnly: null, recent: path } }
  } catch (error) {
    return { ok: false, message: `The lab cannot be opened: ${diskFault(error).reason}.` }
  }
}

async function pathsOfFolder(folder: string, home: string): Promise<LabPaths> {
  const usual = labPathsByConvention(folder, {}, { cwd: home, home })
  const flatRoster = join(folder, 'queue.yaml')
  if (usual.roster.path === null || (await isFile(usual.roster.path)) || !(await isFile(flatRoster)))
    return usual
  return pathsBeside(flatRoster, home)
}

function pathsOfRoster(roster: string, home: string): LabPaths {
  const around = labPathsByConvention(dirname(dirname(dirname(roster))), {}, { cwd: home, home })
  return around.roster.path === roster ? around : pathsBeside(roster, home)
}

/** All files in the roster's own folder; only the roster counts as named, the others may be missing. */
function pathsBeside(roster: string, home: string): LabPaths {
  const folder = dirname(roster)
  const besides = byLabPlace((place) =>
    place === 'roster' ? roster : join(folder, basename(LAB_PLACE_TRAITS[place].path)),
  )
  const named = labPathsByConvention(folder, besides, { cwd: home, home })
  return pathsOf(named.lab, (place) => ({ ...named[place], given: place === 'roster' }))
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

/** What to watch of a lab. */
export function watchedPlaces(paths: LabPaths): readonly WatchPlace[] {
  return LAB_PLACES.flatMap((place): WatchPlace[] => {
    const { path } = paths[place]
    if (path === null) return []
    return [{ path, kind: isFolderPlace(place) ? 'folder' : 'file' }]
  })
}

/** The paths of what `path` names. One that is not there is opened all the same: the page then says what is missing. */
export async function labPathsAt(path: string, home: string): Promise<LabPaths> {
  const located = await locateLab(path, home)
  return located.ok ? located.source.paths : labPathsByConvention(path)
}

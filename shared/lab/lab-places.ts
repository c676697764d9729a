import type { Severity } from '../problem.ts'

const MIB = 1024 * 1024

/** Everything that differs between the inputs of a lab: whatever finds, reads or names them asks this table. */
export interface LabPlaceTraits {
  /** What its files are to the planner. */
  readonly kind: string
  /** Where it is below the lab's folder, by convention. */
  readonly path: string
  /** One file, or a folder whose files of that extension are read. */
  readonly holds: 'file' | 'folder'
  readonly extension: '.json' | '.yaml'
  /** The most bytes read of one file. */
  readonly maxBytes: number
  /** One of its files, in messages. */
  readonly fileWords: string
  /** What is in the place, in messages and in the help of the terminal. */
  readonly words: string
  /** Without it a lab is another lab: when one that was read goes, it is more likely away than removed. */
  readonly isAnchor: boolean
  /** What it means that nothing is there; null: nothing worth saying. */
  readonly absent: { readonly severity: Severity; readonly message: string } | null
}

/** The inputs of a lab, in the order in which they are read (docs/formats.md, "Where a lab keeps them"). */
export const LAB_PLACE_TRAITS = {
  roster: {
    kind: 'roster',
    path: 'docs/models/queue.yaml',
    holds: 'file',
    extension: '.yaml',
    maxBytes: MIB,
    fileWords: 'roster',
    words: 'roster',
    isAnchor: true,
    absent: { severity: 'error', message: 'There is no roster here. Put one here, or name another.' },
  },
  overlay: {
    kind: 'overlay',
    path: 'docs/models/overlay.yaml',
    holds: 'file',
    extension: '.yaml',
    maxBytes: MIB,
    fileWords: 'overlay',
    words: 'overlay',
    isAnchor: false,
    absent: {
      severity: 'info',
      message: 'There is no overlay: the defaults hold. The first saved edit makes the file.',
    },
  },
  registry: {
    kind: 'registry',
    path: 'docs/models/registry.json',
    holds: 'file',
    extension: '.json',
    maxBytes: 16 * MIB,
    fileWords: 'model registry',
    words: 'model registry',
    isAnchor: true,
    absent: {
      severity: 'info',
      message: 'There is no model registry: the folder of model manifests is all there is.',
    },
  },
  manifests: {
    kind: 'manifest',
    path: 'docs/models/manifests',
    holds: 'folder',
    extension: '.json',
    maxBytes: MIB,
    fileWords: 'model manifest',
    words: 'model manifests',
    isAnchor: true,
    absent: {
      severity: 'info',
      message: 'There is no folder of model manifests: the model registry is all there is.',
    },
  },
  shapes: {
    kind: 'shape',
    path: 'docs/models/shapes',
    holds: 'folder',
    extension: '.json',
    maxBytes: MIB,
    fileWords: 'model shape',
    words: 'model shapes',
    isAnchor: false,
    absent: null,
  },
  nodes: {
    kind: 'node',
    path: 'docs/models/nodes',
    holds: 'folder',
    extension: '.json',
    maxBytes: MIB,
    fileWords: 'node facts',
    words: 'node facts',
    isAnchor: true,
    absent: {
      severity: 'info',
      message: 'There is no folder of node facts: the fleet notes are all there is.',
    },
  },
  scenarios: {
    kind: 'scenario',
    path: 'docs/models/scenarios',
    holds: 'folder',
    extension: '.yaml',
    maxBytes: MIB,
    fileWords: 'scenario',
    words: 'scenarios',
    isAnchor: false,
    absent: null,
  },
  fleet: {
    kind: 'fleet',
    path: 'docs/models/fleet.yaml',
    holds: 'file',
    extension: '.yaml',
    maxBytes: MIB,
    fileWords: 'fleet notes',
    words: 'fleet notes',
    isAnchor: false,
    absent: {
      severity: 'info',
      message: 'There are no fleet notes: the node facts are all there is.',
    },
  },
} as const satisfies Readonly<Record<string, LabPlaceTraits>>

type Traits = typeof LAB_PLACE_TRAITS

/** A file or folder of a lab, which the operator can name instead of the default place. */
export type LabPlace = keyof Traits

/** A place that is a folder of files. */
export type LabFolderPlace = {
  [Place in LabPlace]: Traits[Place]['holds'] extends 'folder' ? Place : never
}[LabPlace]

/** What a lab's file is to the planner. */
export type LabFileKind = Traits[LabPlace]['kind']

export const LAB_PLACES = Object.keys(LAB_PLACE_TRAITS) as readonly LabPlace[]
export const LAB_FOLDER_PLACES = LAB_PLACES.filter(isFolderPlace)

export function isFolderPlace(place: LabPlace): place is LabFolderPlace {
  return LAB_PLACE_TRAITS[place].holds === 'folder'
}

/** A value for every place of a lab. */
export function byLabPlace<T>(valueOf: (place: LabPlace) => T): Readonly<Record<LabPlace, T>> {
  return Object.fromEntries(LAB_PLACES.map((place) => [place, valueOf(place)])) as Record<LabPlace, T>
}

/** The most bytes that are read of one file of each kind (docs/reference.md R1; docs/formats.md, "Model manifest"). */
export const MAX_FILE_BYTES = Object.fromEntries(
  Object.values(LAB_PLACE_TRAITS).map(({ kind, maxBytes }) => [kind, maxBytes]),
) as Readonly<Record<LabFileKind, number>>

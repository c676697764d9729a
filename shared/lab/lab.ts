import type { ShapeDocument } from '../memory/shape-file.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { LabNode } from '../node/types.ts'
import type { LabFileKind } from './lab-places.ts'
import type { Problem } from '../problem.ts'
import type { RosterDocument } from '../roster/types.ts'

/** One file of a lab; its hash distinguishes its versions. */
export interface LabFileEntry {
  readonly kind: LabFileKind
  /** The path as a person would name it (`~/llm/docs/models/queue.yaml`, or as given on the command line). */
  readonly file: string
  /** SHA-256 of the file's bytes, 64 hex digits: by it a save finds that the file has changed meanwhile. */
  readonly hash: string
}

/** One file of a lab as the host read it. */
export interface LabFile extends LabFileEntry {
  /** As on disk: a byte order mark and the line endings are kept. */
  readonly text: string
}

/** Everything the host could read of a lab, and what it could not. The overlay file may be missing: then it is null. */
export type LabFiles = LabOf<LabFile>

/** The same without the texts: thousands of them are sent by their hashes, and only those that are new. */
export type LabListing = LabOf<LabFileEntry>

interface LabOf<File extends LabFileEntry> {
  /** The lab's name for a person: its folder as given. */
  readonly name: string
  readonly files: readonly File[]
  /** Missing, unreadable, oversized, non-UTF-8 files and folders in a file's place. */
  readonly problems: readonly Problem[]
  /** Where the overlay is, or would be created. */
  readonly overlayFile: string
}

/** A lab read from its texts, everything but the overlay (whose text is edited while the lab stays). */
export interface Lab {
  readonly name: string
  /** Null when there is none or it cannot be read; `problems` says why. */
  readonly roster: RosterDocument | null
  readonly manifests: readonly ModelManifest[]
  /** What the lab keeps of its models' shapes, by package id. Models without one have their memory unknown. */
  readonly shapes: ReadonlyMap<string, ShapeDocument>
  /** The scenarios kept beside the roster, as texts: what assumes something is read after the lab, not with it. */
  readonly scenarioFiles: readonly LabFile[]
  /** Sorted by node id in code point order, one per id. */
  readonly nodes: readonly LabNode[]
  readonly problems: readonly Problem[]
}

import { MODEL_MARKER_PREFIX } from '../locality/holding.ts'
import { MODEL_MISMATCH } from '../locality/mismatched-shards.ts'
import type { Capability } from '../node/types.ts'

/**
 * What was found of one file of a model. `held`: there, and unchanged since it was hashed as the manifest has
 * it. `mismatch`: there, hashed, and other bytes. `changed`: there, but changed since it was hashed, so
 * nothing is known.
 */
export type FileState = 'held' | 'missing' | 'mismatch' | 'changed' | 'unreadable'

/** One file of a model at one place of this machine. */
export interface FoundFile {
  readonly path: string
  /** The manifest's hash. */
  readonly blake3: string
  readonly state: FileState
  /** Whether it is one of the shards, and not the tokenizer or the template. */
  readonly shard: boolean
}

/** A model at one place of this machine. */
export type PlaceFinding =
  | { readonly kind: 'there'; readonly files: readonly FoundFile[] }
  /** The drive it is on is not mounted. */
  | { readonly kind: 'detached' }
  /** The drive is there and the model is not. */
  | { readonly kind: 'gone' }

/** What this machine has of one model. */
export interface ModelFinding {
  readonly name: string
  /** Null where only a part of the model was ever there, so that it is not known which model it is. */
  readonly packageId: string | null
  /** In the manifest's order. */
  readonly shardHashes: readonly string[]
  /** One for each place that it was scanned at. */
  readonly places: readonly PlaceFinding[]
}

export interface Advertised {
  readonly capabilities: readonly Capability[]
  readonly notes: readonly { readonly probe: string; readonly note: string }[]
}

/**
 * What a node advertises of a model (docs/formats.md, "Node facts"): complete with the marker where every file of
 * one place is held; else the shards held anywhere, without it; and a detached holding, with it and degraded,
 * where a drive is away. Shards with other bytes are marked by {@link MODEL_MISMATCH}. A node that has
 * nothing of it says so in a note only.
 */
export function advertiseModel(finding: ModelFinding): Advertised {
  const { name, packageId, shardHashes, places } = finding
  const markers = packageId === null ? [] : [MODEL_MARKER_PREFIX + packageId]
  const there = places.flatMap((place) => (place.kind === 'there' ? [place.files] : []))
  if (there.some((files) => files.every(({ state }) => state === 'held'))) {
    const note =
      packageId === null
        ? `${name}: only a part of it is there, ${shardHashes.length} of its files`
        : `${name}: every file is there, unchanged since it was hashed`
    return {
      capabilities: [present([...markers, ...shardHashes], 'available')],
      notes: [{ probe: 'model.present', note }],
    }
  }
  const files = there.flat()
  const heldHashes = new Set(
    files.flatMap(({ shard, state, blake3 }) => (shard && state === 'held' ? [blake3] : [])),
  )
  const held = shardHashes.filter((hash) => heldHashes.has(hash))
  const wrong = files.filter(
    (file) => file.shard && file.state === 'mismatch' && !heldHashes.has(file.blake3),
  )
  const capabilities: Capability[] = []
  if (held.length > 0) capabilities.push(present(held, 'available'))
  if (packageId !== null && places.some(({ kind }) => kind === 'detached'))
    capabilities.push(present([...markers, ...shardHashes], 'degraded'))
  if (packageId !== null && wrong.length > 0) {
    const shards = [...markers, ...new Set(wrong.map(({ blake3 }) => blake3))]
    capabilities.push({ ...present(shards, 'degraded'), id: MODEL_MISMATCH, provenance: 'measured' })
  }
  return { capabilities, notes: modelNotes(name, places, files) }
}

function present(shards: readonly string[], state: Capability['state']): Capability {
  return {
    id: 'model.present',
    attrs: new Map([['shards', shards]]),
    provenance: 'probed',
    state,
    exclusive: false,
  }
}

function modelNotes(
  name: string,
  places: readonly PlaceFinding[],
  files: readonly FoundFile[],
): { probe: string; note: string }[] {
  const note = (text: string) => ({ probe: 'model.present', note: `${name}: ${text}` })
  const notes: { probe: string; note: string }[] = []
  if (places.length === 0) notes.push(note('not scanned on this machine, so not known to be here'))
  if (places.some(({ kind }) => kind === 'detached')) notes.push(note('on a drive that is not mounted'))
  if (places.every(({ kind }) => kind === 'gone') && places.length > 0) {
    notes.push(note('no longer where it was scanned'))
  }
  for (const [state, words] of STATE_WORDS) {
    const paths = [...new Set(files.filter((file) => file.state === state).map(({ path }) => path))]
    if (paths.length === 0) continue
    const named = paths.length > 3 ? `${paths.length} files` : paths.join(', ')
    notes.push({
      probe: state === 'mismatch' ? MODEL_MISMATCH : 'model.present',
      note: `${name}: ${named}: ${words}`,
    })
  }
  return notes
}

const STATE_WORDS: readonly (readonly [FileState, string])[] = [
  ['missing', 'missing'],
  ['unreadable', 'cannot be read'],
  ['changed', 'changed since it was hashed: scan again, or verify'],
  ['mismatch', 'other bytes than the manifest has'],
]

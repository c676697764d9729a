import { join } from 'node:path'
import { z } from 'zod'
import { readKept, updateKept, type KeptFileKind, type KeptRead, type Parsed } from '../kept-file.ts'
import type { FileStamp, FoundModel } from './found-model.ts'
import { sameStamp } from './hash-file.ts'

/** A model where it was scanned: what the facts of a node are read from later. */
export interface ScannedPlace {
  readonly packageId: string
  readonly name: string
  readonly kind: FoundModel['kind']
  /** Absolute. */
  readonly root: string
  /** Where the drive it is on was mounted. */
  readonly mount: string
  /** Whether only a part of the model was there; `packageId` is then that of no model. */
  readonly partial?: boolean | undefined
  readonly files: readonly {
    readonly path: string
    /** Absolute, links resolved. */
    readonly real: string
    readonly blake3: string
    readonly shard: boolean
  }[]
}

/**
 * What is remembered between scans, a person's own and beside no weights: `scan.json` in the folder of their
 * settings. It holds the hash of every file that was read, under its stamp, where each scanned model lies,
 * and by what id this machine goes in which lab. It can be removed at any time: then files are read again, and
 * node facts tell of no model until they are scanned again.
 */
export interface ScanRecord {
  /** The hash of a file that has not changed since it was read; null when it has, or was not read. */
  readonly hashOf: (real: string, stamp: FileStamp) => string | null
  readonly rememberHash: (real: string, stamp: FileStamp, blake3: string) => void
  readonly places: () => readonly ScannedPlace[]
  /** Takes the place of what was scanned at the same place before. */
  readonly rememberPlace: (place: ScannedPlace) => void
  /** The id that this machine was given in the lab at that path; null when it was not. */
  readonly nodeIdIn: (lab: string) => string | null
  readonly rememberNodeId: (lab: string, nodeId: string) => void
  /** What a person must know of the file as it was found (damaged, from a newer planner); null when it was whole. */
  readonly notice: string | null
  /** Writes what is new, over what other scans wrote meanwhile. Says why it could not, or null. */
  readonly save: () => Promise<string | null>
}

const FILE = 'scan.json'
const MOST_BYTES = 64 * 1024 * 1024
/** The most files whose hashes are kept; the ones that were read longest ago are forgotten. */
const MOST_HASHES = 50_000

const count = z.string().regex(/^\d{1,20}$/)
const mtime = z.string().regex(/^-?\d{1,20}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const hashEntry = z.tuple([z.string(), count, mtime, hash])
const placeEntry = z.object({
  packageId: hash,
  name: z.string(),
  kind: z.enum(['folder', 'hf_snapshot', 'gguf', 'ollama']),
  root: z.string(),
  mount: z.string(),
  partial: z.boolean().optional(),
  files: z.array(z.object({ path: z.string(), real: z.string(), blake3: hash, shard: z.boolean() })),
})
const nodeIdEntry = z.tuple([z.string(), z.string()])

interface Hashed {
  readonly stamp: FileStamp
  readonly blake3: string
}

interface State {
  readonly hashes: Map<string, Hashed>
  readonly places: Map<string, ScannedPlace>
  readonly nodeIds: Map<string, string>
}

/**
 * Opens the record in `configDir`; a missing one is empty. Of a damaged one every good entry counts, and the
 * file as it was is put aside when the record is saved; one of a newer planner is never written.
 */
export async function openScanRecord(configDir: string): Promise<ScanRecord> {
  const file = recordFile(join(configDir, FILE))
  const found = await readKept(file)
  const known = ('value' in found ? found.value : null) ?? emptyState()
  let news = emptyState()
  let saving: Promise<string | null> = Promise.resolve(null)

  const saveNow = async (): Promise<string | null> => {
    const mine = news
    news = emptyState()
    const saved = await updateKept(file, (onDisk) => merge(onDisk ?? emptyState(), mine))
    if (saved.ok) return null
    news = merge(mine, news)
    return saved.message
  }
  return {
    notice: noticeOf(found),
    hashOf: (real, stamp) => {
      const hashed = known.hashes.get(real)
      return hashed !== undefined && sameStamp(hashed.stamp, stamp) ? hashed.blake3 : null
    },
    rememberHash: (real, stamp, blake3) => {
      for (const { hashes } of [known, news]) hashes.delete(real)
      for (const { hashes } of [known, news]) hashes.set(real, { stamp, blake3 })
    },
    places: () => [...known.places.values()],
    rememberPlace: (place) => {
      for (const { places } of [known, news]) places.set(placeKey(place), place)
    },
    nodeIdIn: (lab) => known.nodeIds.get(lab) ?? null,
    rememberNodeId: (lab, nodeId) => {
      for (const { nodeIds } of [known, news]) nodeIds.set(lab, nodeId)
    },
    save: () => {
      saving = saving.then(saveNow, saveNow)
      return saving
    },
  }
}

/**
 * One folder holds one model, but one store and one folder of GGUF files hold many, distinguished by their
 * weights.
 */
function placeKey({ kind, root, files }: ScannedPlace): string {
  if (kind === 'folder' || kind === 'hf_snapshot') return root
  const first = files.find(({ shard }) => shard)?.path ?? ''
  return `${root}\n${first}`
}

function emptyState(): State {
  return { hashes: new Map(), places: new Map(), nodeIds: new Map() }
}

/** `later` over `earlier`, what is in both counted as read last. */
function merge(earlier: State, later: State): State {
  const hashes = new Map(earlier.hashes)
  for (const [real, hashed] of later.hashes) {
    hashes.delete(real)
    hashes.set(real, hashed)
  }
  return {
    hashes,
    places: new Map([...earlier.places, ...later.places]),
    nodeIds: new Map([...earlier.nodeIds, ...later.nodeIds]),
  }
}

function noticeOf(found: KeptRead<State>): string | null {
  switch (found.kind) {
    case 'whole':
    case 'missing':
      return null
    case 'damaged':
      return `${FILE} is damaged: what is good of it counts, and as it is now it is kept as ${FILE}.damaged.`
    case 'locked':
      return `${found.reason} Models that it knows of are missing from a node's facts until then.`
  }
}

function recordFile(path: string): KeptFileKind<State> {
  return { path, maxBytes: MOST_BYTES, version: 1, parse: parseStored, print: storedText }
}

/** Takes every entry that is good by itself. */
function parseStored(json: unknown): Parsed<State> | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  const state = emptyState()
  const stored = json as Readonly<Record<string, unknown>>
  const lists = [stored['hashes'], stored['places']].map((list) => (Array.isArray(list) ? list : null))
  const nodeIds = stored['nodeIds']
  const ids = typeof nodeIds === 'object' && nodeIds !== null ? Object.entries(nodeIds) : null
  let isWhole = ids !== null && !lists.includes(null) && stored['version'] === 1
  const each = <T>(
    schema: z.ZodType<T>,
    entries: readonly unknown[] | null | undefined,
    take: (entry: T) => void,
  ) => {
    for (const entry of entries ?? []) {
      const parsed = schema.safeParse(entry)
      if (parsed.success) take(parsed.data)
      else isWhole = false
    }
  }
  each(hashEntry, lists[0], ([real, size, mtimeNs, blake3]) => {
    state.hashes.set(real, { stamp: { size: BigInt(size), mtimeNs: BigInt(mtimeNs) }, blake3 })
  })
  each(placeEntry, lists[1], (place) => state.places.set(placeKey(place), place))
  each(nodeIdEntry, ids, ([lab, nodeId]) => state.nodeIds.set(lab, nodeId))
  return { value: state, isWhole }
}

function storedText({ hashes, places, nodeIds }: State): string {
  const stored = {
    version: 1,
    hashes: [...hashes].slice(-MOST_HASHES).map(([real, { stamp, blake3 }]) => {
      return [real, stamp.size.toString(), stamp.mtimeNs.toString(), blake3]
    }),
    places: [...places.values()].map((place) => ({ ...place, files: [...place.files] })),
    nodeIds: Object.fromEntries(nodeIds),
  }
  return `${JSON.stringify(stored)}\n`
}

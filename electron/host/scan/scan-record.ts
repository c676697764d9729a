import { join } from 'node:path'
import { z } from 'zod'
import { saveTextAtomically } from '../atomic-save.ts'
import { readTextFile } from '../read-text-file.ts'
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
 * and by what id this machine goes in which lab. It can be removed at any time: then files are read anew, and
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
const storedSchema = z.object({
  version: z.literal(1),
  /** Real path, size in bytes, modification time in ns, BLAKE3; the file read last comes last. */
  hashes: z.array(z.tuple([z.string(), count, mtime, hash])),
  places: z.array(
    z.object({
      packageId: hash,
      name: z.string(),
      kind: z.enum(['folder', 'hf_snapshot', 'gguf', 'ollama']),
      root: z.string(),
      mount: z.string(),
      partial: z.boolean().optional(),
      files: z.array(z.object({ path: z.string(), real: z.string(), blake3: hash, shard: z.boolean() })),
    }),
  ),
  nodeIds: z.record(z.string(), z.string()),
})

interface Hashed {
  readonly stamp: FileStamp
  readonly blake3: string
}

interface State {
  readonly hashes: Map<string, Hashed>
  readonly places: Map<string, ScannedPlace>
  readonly nodeIds: Map<string, string>
}

/** Opens the record in `configDir`; a missing or damaged one is empty. */
export async function openScanRecord(configDir: string): Promise<ScanRecord> {
  const file = join(configDir, FILE)
  const known = await readState(file)
  let news = emptyState()
  let saving: Promise<string | null> = Promise.resolve(null)

  const saveNow = async (): Promise<string | null> => {
    const mine = news
    news = emptyState()
    const all = merge(await readState(file), mine)
    const saved = await saveTextAtomically(file, storedText(all))
    if (saved.ok) return null
    news = merge(mine, news)
    return saved.message
  }
  return {
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
 * One folder holds one model, but one store and one folder of GGUF files hold many, told apart by their
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

async function readState(file: string): Promise<State> {
  const state = emptyState()
  const read = await readTextFile(file, MOST_BYTES)
  const stored = read.ok ? parseStored(read.text) : null
  if (stored === null) return state
  for (const [real, size, mtimeNs, blake3] of stored.hashes) {
    state.hashes.set(real, { stamp: { size: BigInt(size), mtimeNs: BigInt(mtimeNs) }, blake3 })
  }
  for (const place of stored.places) state.places.set(placeKey(place), place)
  for (const [lab, nodeId] of Object.entries(stored.nodeIds)) state.nodeIds.set(lab, nodeId)
  return state
}

function parseStored(text: string): z.output<typeof storedSchema> | null {
  try {
    const parsed = storedSchema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

function storedText({ hashes, places, nodeIds }: State): string {
  const stored: z.input<typeof storedSchema> = {
    version: 1,
    hashes: [...hashes].slice(-MOST_HASHES).map(([real, { stamp, blake3 }]) => {
      return [real, stamp.size.toString(), stamp.mtimeNs.toString(), blake3]
    }),
    places: [...places.values()].map((place) => ({ ...place, files: [...place.files] })),
    nodeIds: Object.fromEntries(nodeIds),
  }
  return `${JSON.stringify(stored)}\n`
}

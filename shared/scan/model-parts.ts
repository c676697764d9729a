/** The number of a part in a file's name: `model-00002-of-00005.safetensors` is 2 of 5. */
export interface NumberedPart {
  /** The same for all parts of one set. */
  readonly set: string
  readonly part: number
  readonly parts: number
}

const NUMBERED = /^(.*)-(\d{1,6})-of-(\d{1,6})(\.[A-Za-z0-9]+)$/

export function numberedPart(path: string): NumberedPart | null {
  const [, stem, part, parts, extension] = NUMBERED.exec(path) ?? []
  if (stem === undefined || part === undefined || parts === undefined || extension === undefined) return null
  const set = `${stem}-*-of-${parts}${extension.toLowerCase()}`
  return { set, part: Number(part), parts: Number(parts) }
}

/** The most missing parts that are named one by one; no model has more shards. */
const MAX_NAMED = 255

/**
 * The parts that numbered files among `paths` lack, by the name each would have. Parts of different sets are
 * missed each in its own; a set that claims no parts, or more than a model can have, lacks what it claims.
 */
export function missingParts(paths: readonly string[]): readonly string[] {
  const sets = new Map<
    string,
    { readonly example: string; readonly parts: number; readonly there: Set<number> }
  >()
  for (const path of paths) {
    const numbered = numberedPart(path)
    if (numbered === null) continue
    const { set, part, parts } = numbered
    const known = sets.get(set) ?? { example: path, parts, there: new Set() }
    known.there.add(part)
    sets.set(set, known)
  }
  return [...sets.values()].flatMap(({ example, parts, there }) => {
    const missing: string[] = []
    for (let part = 1; part <= parts && missing.length < MAX_NAMED; part++) {
      if (!there.has(part)) missing.push(partName(example, part))
    }
    return missing
  })
}

function partName(example: string, part: number): string {
  return example.replace(NUMBERED, (_all, stem: string, number: string, parts: string, extension: string) => {
    return `${stem}-${String(part).padStart(number.length, '0')}-of-${parts}${extension}`
  })
}

/** What an index of shards says: which file each tensor is in. */
export interface ShardIndex {
  /** The names of the files, sorted; at most what a model may have. */
  readonly files: readonly string[]
  readonly tensors: readonly string[]
}

/** Reads `model.safetensors.index.json`; null when it is no such list. */
export function readShardIndex(text: string): ShardIndex | null {
  try {
    const parsed = JSON.parse(text) as unknown
    if (typeof parsed !== 'object' || parsed === null || !('weight_map' in parsed)) return null
    const map = parsed.weight_map
    if (typeof map !== 'object' || map === null || Array.isArray(map)) return null
    const entries = Object.entries(map)
    const files = [...new Set(entries.map(([, file]: [string, unknown]) => file))]
    if (!files.every((file) => typeof file === 'string')) return null
    return { files: files.sort(), tensors: entries.map(([tensor]) => tensor) }
  } catch {
    return null
  }
}

/** What is there of a model that an index lists, all in the folder of the index. */
export interface PresentShards {
  /** Safetensors files that are there and whole. */
  readonly files: readonly string[]
  /** The tensors in them. */
  readonly tensors: ReadonlySet<string>
}

export type IndexFinding =
  | { readonly kind: 'whole' }
  /** The index is of other files, and those that are there agree with each other. */
  | { readonly kind: 'stale' }
  | { readonly kind: 'missing'; readonly files: readonly string[] }

/**
 * Whether every shard that `index` names is there. Published models come with an index of other files now and
 * then; it is stale where the files that are there hold all its tensors, or are a whole set of their own that
 * it names no part of.
 */
export function compareIndex(index: ShardIndex, { files, tensors }: PresentShards): IndexFinding {
  const there = new Set(files)
  const missing = index.files.filter((file) => !there.has(file))
  if (missing.length === 0) return { kind: 'whole' }
  if (files.length > 0 && index.tensors.every((tensor) => tensors.has(tensor))) return { kind: 'stale' }
  const isOther = files.length > 0 && missing.length === index.files.length
  if (isOther && isOneSet(files)) return { kind: 'stale' }
  return { kind: 'missing', files: missing.slice(0, MAX_NAMED) }
}

/** Whether `files` are one file, or all the parts of one set. */
function isOneSet(files: readonly string[]): boolean {
  const sets = new Set(files.map((file) => numberedPart(file)?.set ?? file))
  return sets.size === 1 && missingParts(files).length === 0
}

/** `files` for a sentence: named where they are few. */
export function fileList(files: readonly string[]): string {
  const shown = files.slice(0, 3).join(', ')
  return files.length <= 3 ? shown : `${shown} and ${files.length - 3} more`
}

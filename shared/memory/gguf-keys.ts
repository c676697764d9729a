import type { GgufScalar, GgufValue } from '../model-files/gguf-values.ts'
import { MAX_COUNT } from './shape.ts'

/**
 * The keys of one architecture in a GGUF header, read as what they should be. A key is what follows the
 * architecture's name and a dot.
 */
export interface GgufKeys {
  /** A count from 0; null when the key is missing or holds something else. */
  readonly count: (key: string) => number | null
  /** The same for a key that nothing can be said without: 0 when it is missing, which {@link GgufKeys.lacking} keeps. */
  readonly need: (key: string) => number
  /** One count a layer: a list of at least `layers`, or one number for all; null when there is no such thing. */
  readonly counts: (key: string, layers: number) => readonly number[] | null
  readonly needCounts: (key: string, layers: number) => readonly number[]
  /** Whether the key holds a list (of whatever). */
  readonly isList: (key: string) => boolean
  /** The first key that was needed and missing; null while there is none. */
  readonly lacking: () => string | null
}

/** The keys of `architecture` in `metadata`. */
export function ggufKeys(metadata: ReadonlyMap<string, GgufValue>, architecture: string): GgufKeys {
  const valueOf = (key: string): GgufValue | undefined => metadata.get(`${architecture}.${key}`)
  let lacking: string | null = null
  const needed = <T>(key: string, found: T | null, instead: T): T => {
    if (found === null) lacking ??= key
    return found ?? instead
  }
  const count = (key: string): number | null => countOf(valueOf(key))
  const counts = (key: string, layers: number): readonly number[] | null => listOf(valueOf(key), layers)
  return {
    count,
    counts,
    need: (key) => needed(key, count(key), 0),
    needCounts: (key, layers) => needed(key, counts(key, layers), []),
    isList: (key) => typeof valueOf(key) === 'object',
    lacking: () => lacking,
  }
}

function listOf(value: GgufValue | undefined, layers: number): readonly number[] | null {
  if (typeof value !== 'object') {
    const all = countOf(value)
    return all === null ? null : Array.from({ length: layers }, () => all)
  }
  const counts = value.values.map(countOf)
  const known = counts.filter((count) => count !== null)
  return known.length === counts.length && known.length >= layers ? known : null
}

/** A count as a header may hold it; a boolean counts 1 or 0, as llama.cpp takes it. */
function countOf(value: GgufScalar | GgufValue | undefined): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'number' && typeof value !== 'bigint') return null
  const count = Number(value)
  return Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : null
}

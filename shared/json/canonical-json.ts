import type { JsonPath } from './json-source.ts'
import { compareCodePoints } from '../token.ts'

/** Deepest nesting of a canonical JSON text (docs/formats.md, "Model manifest"). */
export const MAX_CANONICAL_NESTING = 32

/** A canonical text, or the first value that has none and why. */
export type Canonical =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly path: JsonPath; readonly reason: string }

/**
 * The one JSON text of `value` that is hashed and signed: keys sorted by code point at every level, no
 * spaces, non-ASCII as is, integers only and within ±(2^53-1), nesting at most 32 (docs/formats.md, "Model
 * manifest"). `value` is what `JSON.parse` gives; numbers that are integers by value count as integers, so a
 * caller that must refuse `1.0` looks at the text.
 */
export function canonicalJson(value: unknown): Canonical {
  return canonicalAt(value, [], 0)
}

function canonicalAt(value: unknown, path: JsonPath, depth: number): Canonical {
  const fault = (reason: string): Canonical => ({ ok: false, path, reason })
  switch (typeof value) {
    case 'boolean':
      return { ok: true, text: String(value) }
    case 'number':
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
        return fault('must be an integer between -(2^53-1) and 2^53-1')
      }
      return { ok: true, text: String(value) }
    case 'string':
      return isWellFormed(value) ? { ok: true, text: JSON.stringify(value) } : fault(LONE_SURROGATE)
    case 'object':
      if (value === null) return { ok: true, text: 'null' }
      if (depth === MAX_CANONICAL_NESTING)
        return fault(`is nested more than ${MAX_CANONICAL_NESTING} levels deep`)
      return Array.isArray(value)
        ? canonicalList(value, path, depth + 1)
        : canonicalObject(value, path, depth + 1)
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
      return fault('is not a JSON value')
  }
}

function canonicalList(items: readonly unknown[], path: JsonPath, depth: number): Canonical {
  const texts: string[] = []
  for (const [i, item] of items.entries()) {
    const canonical = canonicalAt(item, [...path, i], depth)
    if (!canonical.ok) return canonical
    texts.push(canonical.text)
  }
  return { ok: true, text: `[${texts.join(',')}]` }
}

function canonicalObject(object: object, path: JsonPath, depth: number): Canonical {
  const members = Object.entries(object) as [string, unknown][]
  members.sort(([a], [b]) => compareCodePoints(a, b))
  const texts: string[] = []
  for (const [key, value] of members) {
    if (!isWellFormed(key)) return { ok: false, path: [...path, key], reason: LONE_SURROGATE }
    const canonical = canonicalAt(value, [...path, key], depth)
    if (!canonical.ok) return canonical
    texts.push(`${JSON.stringify(key)}:${canonical.text}`)
  }
  return { ok: true, text: `{${texts.join(',')}}` }
}

const LONE_SURROGATE = 'holds half a character (a lone surrogate), which has no UTF-8 form'

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

import { isMap, isSeq } from 'yaml'
import { describe, type YamlReader } from './reader.ts'
import { fits64Bits, isNullWord, readBool, readInteger, readYamlFloat, resolvePlain, type PlainValue } from './scalars.ts'
import type { Slot } from './slots.ts'

/** A value of any type: a number, a text, or something whose only use is to be there. */
export type AnyValue =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'other' }

/** Collections within collections that the reference follows, counted from the top of the document. */
export const MAX_DEPTH = 128

interface Checked {
  readonly value: AnyValue
  /** Equal for the values that the reference holds for equal as keys. */
  readonly identity: string
}

const CORE = 'tag:yaml.org,2002:'
const OTHER: AnyValue = { kind: 'other' }

/**
 * Reads a value of any type (reference: `serde_yaml::Value`). Null when even that is refused: an integer beyond 64
 * bits, a tag that its scalar does not meet, a key twice in one mapping, or collections nested too deep. `depth` is the
 * number of collections around it.
 */
export function readAnyValue(reader: YamlReader, slot: Slot, code: string, depth: number, role?: string): AnyValue | null {
  const refuse = (at: Slot, message: string): null => {
    reader.report(at, code, message, role === undefined ? {} : { role })
    return null
  }

  const scalar = (at: Slot): Checked | null => {
    const read = reader.scalar(at)
    if (!read) return null
    const { text, style, tag } = read
    let plain: PlainValue
    if (tag?.startsWith('!')) plain = style === 'plain' ? resolvePlain(text) : { kind: 'text', value: text }
    else if (tag?.startsWith(CORE)) {
      const tagged = readTagged(tag.slice(CORE.length), text)
      if (!tagged) return refuse(at, `${describe(reader, at)} is not what its tag says: mend the value or remove the tag`)
      plain = tagged
    } else if (tag === null && style === 'plain') plain = resolvePlain(text)
    else plain = { kind: 'text', value: text }
    if (plain.kind === 'integer' && !fits64Bits(plain.value)) {
      return refuse(at, `the integer ${text} does not fit 64 bits: write a smaller one, or put it in quotes`)
    }
    return withTag(tag, valueOf(plain))
  }

  const check = (at: Slot, depthHere: number): Checked | null => {
    const target = reader.follow(at)
    if (!target) return null
    if (reader.exhausted) return refuse(at, 'aliases repeat too much of this text: write the values out')
    const { node } = target
    if (!isMap(node) && !isSeq(node)) return scalar(target)
    if (depthHere >= MAX_DEPTH) return refuse(target, `collections are nested deeper than ${MAX_DEPTH}: flatten them`)
    const parts: string[] = []
    if (isSeq(node)) {
      for (const item of reader.items(target) ?? []) {
        const checked = check(item, depthHere + 1)
        if (!checked) return null
        parts.push(checked.identity)
      }
      return withTag(node.tag ?? null, { value: OTHER, identity: `[${parts.join(',')}]` })
    }
    const keys = new Set<string>()
    for (const { key, value } of reader.entries(target) ?? []) {
      const checkedKey = check(key, depthHere + 1)
      if (!checkedKey) return null
      if (keys.has(checkedKey.identity)) {
        return refuse(target, `the key ${describe(reader, key)} is given twice in this mapping: keep one`)
      }
      keys.add(checkedKey.identity)
      const checkedValue = check(value, depthHere + 1)
      if (!checkedValue) return null
      parts.push(`${checkedKey.identity}:${checkedValue.identity}`)
    }
    // Mappings are equal whatever the order of their keys.
    return withTag(node.tag ?? null, { value: OTHER, identity: `{${parts.sort().join(',')}}` })
  }

  return check(slot, depth)?.value ?? null
}

/** A local tag makes of its value something else, which is neither a number nor a text. */
function withTag(tag: string | null, checked: Checked): Checked {
  if (!tag?.startsWith('!')) return checked
  const name = tag.length > 1 ? tag.slice(1) : tag
  return { value: OTHER, identity: `!${JSON.stringify(name)}${checked.identity}` }
}

function readTagged(type: string, text: string): PlainValue | null {
  switch (type) {
    case 'null':
      return isNullWord(text) ? { kind: 'null' } : null
    case 'bool': {
      const value = readBool(text)
      return value === null ? null : { kind: 'bool', value }
    }
    case 'int': {
      const value = readInteger(text)
      return value === null ? null : { kind: 'integer', value }
    }
    case 'float': {
      const value = readYamlFloat(text)
      return value === null ? null : { kind: 'float', value }
    }
    default:
      return { kind: 'text', value: text }
  }
}

function valueOf(plain: PlainValue): Checked {
  switch (plain.kind) {
    case 'null':
      return { value: OTHER, identity: 'null' }
    case 'bool':
      return { value: OTHER, identity: String(plain.value) }
    case 'integer':
      return { value: { kind: 'number', value: Number(plain.value) }, identity: `i${plain.value}` }
    case 'float':
      // Zero is zero whatever its sign, and a float is never equal to an integer.
      return { value: { kind: 'number', value: plain.value }, identity: `f${plain.value + 0}` }
    case 'text':
      return { value: { kind: 'text', value: plain.value }, identity: JSON.stringify(plain.value) }
  }
}

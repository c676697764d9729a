import { describe, type ScalarValue, type YamlReader } from './reader.ts'
import {
  fits64Bits,
  isNullWord,
  readBool,
  readInteger,
  readYamlFloat,
  resolvePlain,
  type PlainValue,
} from './scalars.ts'
import { tagOf, type YamlNode } from './nodes.ts'

/** A value of any type: a number, a text, or something whose only use is to be there. */
export type AnyValue =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'other' }

/** Collections within collections that the reference follows, counted from the top of the document. */
const MAX_DEPTH = 128

const CORE = 'tag:yaml.org,2002:'
const OTHER: AnyValue = { kind: 'other' }

/**
 * How a value is read: under which code its faults go, below how many collections, and of which role it is.
 */
export interface AnyValueContext {
  readonly code: string
  readonly depth: number
  readonly role: string | undefined
}

interface Checked {
  readonly value: AnyValue
  /** Equal for the values that the reference holds for equal as keys; empty where it is not asked for. */
  readonly identity: string
}

/**
 * Reads a value of any type (docs/reference.md Y8). Null when even that is refused: an integer
 * beyond 64 bits, a tag that its scalar does not meet, a key twice in one mapping, or collections nested too
 * deep.
 */
export function readAnyValue(reader: YamlReader, node: YamlNode, context: AnyValueContext): AnyValue | null {
  return new AnyValueReader(reader, context).read(node, context.depth, false)?.value ?? null
}

class AnyValueReader {
  readonly #reader: YamlReader
  readonly #context: AnyValueContext

  constructor(reader: YamlReader, context: AnyValueContext) {
    this.#reader = reader
    this.#context = context
  }

  /** `asKey`: whether the value, or a key that it is part of, is compared with others. */
  read(node: YamlNode, depth: number, asKey: boolean): Checked | null {
    const target = this.#reader.follow(node)
    if (!target) return null
    if (target.kind !== 'list' && target.kind !== 'mapping') return this.#scalar(target)
    if (depth >= MAX_DEPTH) {
      return this.#refuse(target, `collections are nested deeper than ${MAX_DEPTH}: take some levels out`)
    }
    const identity =
      target.kind === 'mapping'
        ? this.#mapping(target, depth + 1, asKey)
        : this.#list(target, depth + 1, asKey)
    return identity === null ? null : withTag(tagOf(target), { value: OTHER, identity })
  }

  #refuse(at: YamlNode, message: string): null {
    const { code, role } = this.#context
    this.#reader.report(at, code, message, { role })
    return null
  }

  #list(node: YamlNode, depth: number, asKey: boolean): string | null {
    const parts: string[] = []
    for (const item of this.#reader.items(node) ?? []) {
      const checked = this.read(item, depth, asKey)
      if (!checked) return null
      if (asKey) parts.push(checked.identity)
    }
    return asKey ? `[${parts.join(',')}]` : ''
  }

  #mapping(node: YamlNode, depth: number, asKey: boolean): string | null {
    const keys = new Set<string>()
    const parts: string[] = []
    for (const { key, value } of this.#reader.entries(node) ?? []) {
      const checkedKey = this.read(key, depth, true)
      if (!checkedKey) return null
      if (keys.has(checkedKey.identity)) {
        return this.#refuse(node, `the key ${describe(this.#reader, key)} is given twice here: keep one`)
      }
      keys.add(checkedKey.identity)
      const checkedValue = this.read(value, depth, asKey)
      if (!checkedValue) return null
      if (asKey) parts.push(`${checkedKey.identity}:${checkedValue.identity}`)
    }
    // Mappings are equal whatever the order of their keys.
    return asKey ? `{${parts.sort().join(',')}}` : ''
  }

  #scalar(node: YamlNode): Checked | null {
    const scalar = this.#reader.scalar(node)
    if (!scalar) return null
    const plain = resolveScalar(scalar)
    if (!plain) {
      const message = `${describe(this.#reader, node)} is not what its tag says: fix it, or remove the tag`
      return this.#refuse(node, message)
    }
    if (plain.kind === 'integer' && !fits64Bits(plain.value)) {
      return this.#refuse(
        node,
        `the integer ${scalar.text} does not fit 64 bits: write it smaller, or in quotes`,
      )
    }
    return withTag(scalar.tag, valueOf(plain))
  }
}

/** What a scalar stands for by its tag and style; null when it is not what its tag says. */
function resolveScalar({ text, style, tag }: ScalarValue): PlainValue | null {
  if (tag?.startsWith(CORE)) return readTagged(tag.slice(CORE.length), text)
  const isPlain = style === 'plain' && (tag === null || tag.startsWith('!'))
  return isPlain ? resolvePlain(text) : { kind: 'text', value: text }
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

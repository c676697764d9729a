import { describe, type YamlReader } from '../yaml/reader.ts'
import { resolvePlain, type PlainValue } from '../yaml/scalars.ts'
import type { YamlNode } from '../yaml/nodes.ts'

/** Reads mappings and scalars of a fleet file; what is not as it should be is reported at its place. */
export class FleetSource {
  readonly reader: YamlReader

  constructor(reader: YamlReader) {
    this.reader = reader
  }

  /** What a plain scalar means; null for a quoted one and for a collection. */
  plain(slot: YamlNode): PlainValue | null {
    const scalar = this.reader.scalar(slot)
    return scalar?.style === 'plain' ? resolvePlain(scalar.text) : null
  }

  /** The text of a scalar as written; null when nothing, `null` or `~` is written, or a collection. */
  text(slot: YamlNode): string | null {
    const scalar = this.reader.scalar(slot)
    return scalar === null || this.plain(slot)?.kind === 'null' ? null : scalar.text
  }

  /** Whether nothing is written there, or a plain `null`. */
  isNull(slot: YamlNode): boolean {
    return this.plain(slot)?.kind === 'null'
  }

  /** The items of a list, or the one value that stands in its place; aliases followed. */
  oneOrMore(slot: YamlNode): YamlNode[] {
    const items = this.reader.items(slot)
    return items === null ? [slot] : items.flatMap((item) => this.reader.follow(item) ?? [])
  }

  /** The values of a mapping that can have `keys` only; null when it is none. `what` names it in messages. */
  members(slot: YamlNode, what: string, keys: readonly string[]): ReadonlyMap<string, YamlNode> | null {
    const entries = this.entries(slot, what, 'key')
    if (!entries) return null
    const members = new Map<string, YamlNode>()
    for (const [name, { key, value }] of entries) {
      if (!keys.includes(name)) {
        const message = `${describe(this.reader, key)} is no key of ${what}: it can have ${keys.join(', ')}`
        this.reader.report(key, 'fleet-unknown-key', message)
      } else if (value) members.set(name, value)
    }
    return members
  }

  /** The entries of a mapping by their key, aliases followed; null when it is no mapping. */
  entries(
    slot: YamlNode,
    what: string,
    role: string,
  ): Map<string, { key: YamlNode; value: YamlNode | null }> | null {
    const target = this.reader.follow(slot)
    if (!target) return null
    const entries = this.reader.entries(target)
    if (!entries) {
      this.refuse(target, `${what} must be a mapping, not ${describe(this.reader, target)}`)
      return null
    }
    const byName = new Map<string, { key: YamlNode; value: YamlNode | null }>()
    for (const entry of entries) {
      const key = this.reader.follow(entry.key)
      if (!key) continue
      const name = this.reader.scalar(key)?.text
      if (name === undefined) {
        this.refuse(key, `a ${role} must be a text, not ${describe(this.reader, key)}`)
      } else if (byName.has(name)) {
        this.reader.report(key, 'fleet-repeated-key', `\`${name}\` is given twice here: keep one`)
      } else byName.set(name, { key, value: this.reader.follow(entry.value) })
    }
    return byName
  }

  refuse(slot: YamlNode, message: string): void {
    this.reader.report(slot, 'fleet-bad-value', message)
  }

  /** Reports that `slot` must be `expected`, and what stands there instead. */
  refuseValue(slot: YamlNode, expected: string): void {
    this.refuse(slot, `${expected}, not ${describe(this.reader, slot)}`)
  }
}

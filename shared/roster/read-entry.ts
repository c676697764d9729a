import type { Span } from '../text-lines.ts'
import { readAnyValue, type AnyValue } from '../yaml/any-value.ts'
import { describe, type YamlReader } from '../yaml/reader.ts'
import { isNullWord, readInteger } from '../yaml/scalars.ts'
import type { Entry, Slot } from '../yaml/slots.ts'
import { ramBytes } from './ram-bytes.ts'
import { ROSTER_FIELDS, type RosterEntry, type RosterField } from './types.ts'

const FIELDS: ReadonlySet<string> = new Set(ROSTER_FIELDS)
const MAX_PORT = 65535
const NO_VALUE: AnyValue = { kind: 'other' }

/** Collections around a value of an entry: the file's mapping, the list and the entry. */
const FIELD_DEPTH = 3

/**
 * Reads one entry of the roster's list (reference: roster.rs Raw). Every field that is not as it must be is a fault; the
 * answer is then null. `position` counts entries from 1, for entries that have no id to name them by.
 */
export function readEntry(reader: YamlReader, slot: Slot, position: number): RosterEntry | null {
  const target = reader.follow(slot)
  const entries = target && reader.entries(target)
  if (!target || !entries) {
    if (target) {
      const message = `entry ${position} of \`roster\` must be a mapping with at least an \`id\`, not ${describe(reader, target)}`
      reader.report(target, 'roster-bad-entry', message)
    }
    return null
  }

  const span = reader.spanOf(target)
  const before = reader.faults.length
  const role = idOf(reader, entries)
  const label = role === undefined ? `entry ${position}` : `\`${role}\``
  const texts: Partial<Record<RosterField, string>> = {}
  const fieldSpans: Partial<Record<RosterField, Span>> = {}
  let ram: AnyValue = NO_VALUE
  let port: number | null = null
  const refuse = (at: Slot, code: string, message: string, foundAt?: number): void => {
    reader.report(at, code, message, {
      ...(role === undefined ? {} : { role }),
      ...(foundAt === undefined ? {} : { foundAt }),
    })
  }

  for (const { key, value } of entries) {
    const name = keyName(reader, key)
    if (name === null) {
      refuse(reader.follow(key) ?? key, 'roster-bad-key', `a key of ${label} must be a text, not ${describe(reader, key)}`)
      continue
    }
    if (!isField(name)) continue
    if (fieldSpans[name]) {
      const message = `${label} gives \`${name}\` more than once: keep one of them`
      refuse(target, 'roster-repeated-key', message, reader.spanOf(key).start)
      continue
    }
    fieldSpans[name] = reader.spanOf(value)
    switch (name) {
      case 'ram_gb':
        ram = readAnyValue(reader, value, 'roster-bad-ram', FIELD_DEPTH, role) ?? NO_VALUE
        break
      case 'port':
        port = readPort(reader, value, target, label, refuse)
        break
      default: {
        const text = reader.follow(value)
        const scalar = text && reader.scalar(text)
        if (scalar) texts[name] = scalar.text
        else if (text) {
          refuse(text, 'roster-bad-text', `\`${name}\` of ${label} must be a text, not ${describe(reader, text)}`)
        }
      }
    }
  }
  if (!fieldSpans.id) {
    refuse(target, 'roster-missing-id', `${label} of \`roster\` has no \`id\`: give it one`, span.end)
  }
  if (reader.faults.length > before) return null

  const { id = '', role: roleText = '', name = '', repo = '', backend = '', status = '' } = texts
  return { id, role: roleText, name, repo, backend, status, ramBytes: ramBytes(ram), port, span, fieldSpans }
}

function isField(name: string): name is RosterField {
  return FIELDS.has(name)
}

function keyName(reader: YamlReader, key: Slot): string | null {
  const target = reader.follow(key)
  return target && (reader.scalar(target)?.text ?? null)
}

/** The entry's id, to name it in messages; undefined when it has none that could be one. */
function idOf(reader: YamlReader, entries: readonly Entry[]): string | undefined {
  for (const { key, value } of entries) {
    if (reader.scalar(key)?.text !== 'id') continue
    const id = reader.scalar(value)?.text
    return id === '' ? undefined : id
  }
  return undefined
}

/** A port, or null for none (reference: `Option<u16>`): nothing or null, else a plain integer from 0 to 65535. */
function readPort(
  reader: YamlReader,
  slot: Slot,
  entry: Slot,
  label: string,
  refuse: (at: Slot, code: string, message: string) => void,
): number | null {
  const target = reader.follow(slot)
  if (!target) return null
  const scalar = reader.scalar(target)
  const wanted = `\`port\` of ${label} must be an integer from 0 to ${MAX_PORT}`
  if (!scalar) {
    refuse(target, 'roster-bad-port', `${wanted}, not ${describe(reader, target)}`)
    return null
  }
  const { text, style, tag } = scalar
  if (style === 'plain') {
    if (tag === null && (text === '' || isNullWord(text))) return null
    if (tag === 'tag:yaml.org,2002:null') {
      if (isNullWord(text)) return null
      // The reference finds this one before it is at the value, and names the entry.
      refuse(entry, 'roster-bad-port', `\`port\` of ${label} is tagged as null but is not: remove the tag`)
      return null
    }
  }
  const isPlain = style === 'plain' || (style === 'literal' && tag === 'tag:yaml.org,2002:int')
  const integer = readInteger(text)
  if (isPlain && integer !== null && integer >= 0n && integer <= MAX_PORT && !text.startsWith('-')) return Number(integer)
  const unquoted = !isPlain && integer !== null ? `: write ${text} without quotes` : `, not ${describe(reader, target)}`
  refuse(target, 'roster-bad-port', `${wanted}${unquoted}`)
  return null
}

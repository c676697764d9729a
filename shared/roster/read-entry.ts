import type { Span } from '../text-lines.ts'
import { readAnyValue, type AnyValue } from '../yaml/any-value.ts'
import { describe, type YamlReader } from '../yaml/reader.ts'
import type { Entry, YamlNode } from '../yaml/nodes.ts'
import { ramBytes } from './ram-bytes.ts'
import { readPort } from './read-port.ts'
import { missingIdHint } from './roster-warnings.ts'
import { ROSTER_FIELDS, type RosterEntry, type RosterField } from './types.ts'

const NO_VALUE: AnyValue = { kind: 'other' }

/** Collections around a value of an entry: the file's mapping, the list and the entry. */
const FIELD_DEPTH = 3

/**
 * Reads one entry of the roster's list (docs/reference.md R3 and R4). Every field that is not as it must be is a
 * fault; the answer is then null. `position` counts entries from 1, for entries that have no id to name them
 * by.
 */
export function readEntry(reader: YamlReader, slot: YamlNode, position: number): RosterEntry | null {
  const target = reader.follow(slot)
  if (!target) return null
  const entries = reader.entries(target)
  if (!entries) {
    const message = `entry ${position} must be a mapping with an \`id\`, not ${describe(reader, target)}`
    reader.report(target, 'roster-bad-entry', message)
    return null
  }

  const span = reader.spanOf(target)
  const faultsBefore = reader.reported
  const role = idOf(reader, entries)
  const label = role === undefined ? `entry ${position}` : `\`${role}\``
  const refuse = (at: YamlNode, code: string, message: string, foundAt?: number): void => {
    reader.report(at, code, message, { role, foundAt })
  }

  const texts: Partial<Record<RosterField, string>> = {}
  const fieldSpans: Partial<Record<RosterField, Span>> = {}
  let ram: AnyValue = NO_VALUE
  let port: number | null = null
  for (const { key, value } of entries) {
    const keyTarget = reader.follow(key)
    if (!keyTarget) continue
    const name = reader.scalar(keyTarget)?.text
    if (name === undefined) {
      refuse(
        keyTarget,
        'roster-bad-key',
        `a key of ${label} must be a text, not ${describe(reader, keyTarget)}`,
      )
      continue
    }
    if (!isField(name)) continue
    if (fieldSpans[name]) {
      const message = `${label} gives \`${name}\` more than once: keep one of them`
      refuse(target, 'roster-repeated-key', message, key.event)
      continue
    }
    fieldSpans[name] = reader.spanOf(value)
    switch (name) {
      case 'ram_gb':
        ram = readAnyValue(reader, value, { code: 'roster-bad-ram', depth: FIELD_DEPTH, role }) ?? NO_VALUE
        break
      case 'port': {
        const read = readPort(reader, value, target, label)
        if ('port' in read) port = read.port
        else refuse(read.at, 'roster-bad-port', read.message)
        break
      }
      case 'id':
      case 'role':
      case 'name':
      case 'repo':
      case 'backend':
      case 'status': {
        const textTarget = reader.follow(value)
        if (!textTarget) break
        const text = reader.scalar(textTarget)?.text
        if (text !== undefined) texts[name] = text
        else {
          const message = `\`${name}\` of ${label} must be a text, not ${describe(reader, textTarget)}`
          refuse(textTarget, 'roster-bad-text', message)
        }
      }
    }
  }
  if (!fieldSpans.id) {
    const names = entries.flatMap(({ key }) => reader.scalar(key)?.text ?? [])
    const message = `${label} has no \`id\`: give it one${missingIdHint(names)}`
    refuse(target, 'roster-missing-id', message, target.kind === 'mapping' ? target.endEvent : target.event)
  }
  if (reader.reported > faultsBefore) return null

  const { id = '', role: roleText = '', name = '', repo = '', backend = '', status = '' } = texts
  return { id, role: roleText, name, repo, backend, status, ramBytes: ramBytes(ram), port, span, fieldSpans }
}

const FIELDS: ReadonlySet<string> = new Set(ROSTER_FIELDS)

function isField(name: string): name is RosterField {
  return FIELDS.has(name)
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

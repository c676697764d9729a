import { LATENCY_CLASSES, type LatencyClass } from '../inference-spec.ts'
import { listed } from '../listed.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { TextLines } from '../text-lines.ts'
import { parseYaml, type YamlSource } from '../yaml/yaml-source.ts'
import { describe, YamlReader } from '../yaml/reader.ts'
import { isNullWord, readBool } from '../yaml/scalars.ts'
import type { YamlNode } from '../yaml/nodes.ts'
import {
  EMPTY_OVERLAY,
  OVERLAY_KEYS,
  type Overlay,
  type OverlayDocument,
  type OverlayKey,
  type OverlayMention,
} from './types.ts'

/**
 * Reads an overlay text (docs/reference.md O1 to O3). A text that says nothing is the default
 * overlay; a role given twice under one key counts as it stands last. Every problem is reported with its place,
 * in the order in which the reference would meet them; with any error there is no document. `file` is the
 * name for messages.
 */
export function parseOverlay(text: string, file = 'overlay.yaml'): Read<OverlayDocument> {
  return readOverlay(parseYaml(text, 'column'), file)
}

/** {@link parseOverlay} of a text that was parsed already. */
export function readOverlay(source: YamlSource, file: string): Read<OverlayDocument> {
  const lines = new TextLines(source.text)
  const reader = new YamlReader(source)
  const mentions: OverlayMention[] = []
  const overlay = source.root ? readRoot(reader, source.root, mentions) : EMPTY_OVERLAY
  const problems = reader.faults('overlay-bad-yaml').map(({ code, message, span, role }): Problem => ({
    severity: 'error',
    code,
    message,
    file,
    range: lines.range(span),
    ...(role === undefined ? {} : { role }),
  }))
  return problems.length > 0 ? readFailed(problems) : readOk({ file, lines, overlay, mentions })
}

function readRoot(reader: YamlReader, root: YamlNode, mentions: OverlayMention[]): Overlay {
  const entries = reader.entries(root)
  if (!entries) {
    const message = `the overlay must be a mapping of ${KEY_LIST}, not ${describe(reader, root)}`
    reader.report(root, 'overlay-not-a-mapping', message)
    return EMPTY_OVERLAY
  }
  const excludes = new Map<string, readonly string[]>()
  const latencyClass = new Map<string, LatencyClass>()
  const sticky = new Map<string, boolean>()
  const seen = new Set<OverlayKey>()
  for (const { key, value } of entries) {
    const target = reader.follow(key)
    if (!target) continue
    const name = reader.scalar(target)?.text
    if (name === undefined || !isOverlayKey(name)) {
      const message = `${describe(reader, target)} is no key of an overlay: it can have ${KEY_LIST}`
      reader.report(target, 'overlay-unknown-key', message)
      continue
    }
    if (seen.has(name)) {
      const message = `\`${name}\` is given more than once: put all its roles under one`
      reader.report(root, 'overlay-repeated-key', message, { foundAt: key.event })
      continue
    }
    seen.add(name)
    const found: OverlayMention[] = []
    switch (name) {
      case 'excludes':
        readRoles(reader, value, name, excludes, found, readExcludes(found))
        break
      case 'latency_class':
        readRoles(reader, value, name, latencyClass, found, readLatency)
        break
      case 'sticky':
        readRoles(reader, value, name, sticky, found, readSticky)
    }
    for (const mention of found) mentions.push(mention)
  }
  return { excludes, latencyClass, sticky }
}

const KEY_LIST = '`excludes`, `latency_class` and `sticky`'

function isOverlayKey(name: string): name is OverlayKey {
  return OVERLAY_KEYS.some((key) => key === name)
}

/** Reads one value of a role, or records why it cannot. */
type ReadValue<T> = (reader: YamlReader, slot: YamlNode, role: string, roles: YamlNode) => T | null

/** The mapping from roles to values below one key of the overlay. */
function readRoles<T>(
  reader: YamlReader,
  slot: YamlNode,
  key: OverlayKey,
  into: Map<string, T>,
  mentions: OverlayMention[],
  readValue: ReadValue<T>,
): void {
  const target = reader.follow(slot)
  if (!target) return
  const entries = reader.entries(target)
  if (!entries) {
    const message = `\`${key}\` must be a mapping from roles to their values, not ${describe(reader, target)}`
    reader.report(target, 'overlay-bad-value', message)
    return
  }
  for (const entry of entries) {
    const keySlot = reader.follow(entry.key)
    if (!keySlot) continue
    const role = reader.scalar(keySlot)?.text
    if (role === undefined) {
      const message = `a role under \`${key}\` must be a text, not ${describe(reader, keySlot)}`
      reader.report(keySlot, 'overlay-bad-role', message)
      continue
    }
    mentions.push({ key, role, exclude: null, span: reader.spanOf(entry.key) })
    const value = readValue(reader, entry.value, role, target)
    if (value !== null) into.set(role, value)
  }
}

function readExcludes(mentions: OverlayMention[]): ReadValue<readonly string[]> {
  return (reader, slot, role) => {
    const target = reader.follow(slot)
    if (!target) return null
    const items = reader.items(target)
    if (!items) {
      const message = `excludes of \`${role}\` must be a list like [planner], not ${describe(reader, target)}`
      reader.report(target, 'overlay-bad-value', message, { role })
      return null
    }
    const names: string[] = []
    for (const item of items) {
      const name = reader.follow(item)
      const scalar = name && reader.scalar(name)
      if (scalar) {
        names.push(scalar.text)
        mentions.push({ key: 'excludes', role, exclude: scalar.text, span: reader.spanOf(item) })
      } else if (name) {
        const message = `\`${role}\` can exclude roles by name, not by ${describe(reader, name)}`
        reader.report(name, 'overlay-bad-value', message, { role })
      }
    }
    return names
  }
}

const LATENCY_ADVICE = listed(
  LATENCY_CLASSES.map((name) => `\`${name}\``),
  { conjunction: 'or' },
)

/**
 * A latency class as a text, or as a local tag of nothing (`!interactive`), which is how the reference reads
 * enums.
 */
const readLatency: ReadValue<LatencyClass> = (reader, slot, role, roles) => {
  const target = reader.follow(slot)
  if (!target) return null
  const tag = reader.tag(target)
  const isTagged = tag?.startsWith('!') === true
  const scalar = reader.scalar(target)
  const name = isTagged ? tag.slice(1) : scalar?.text
  const found = LATENCY_CLASSES.find((latency) => latency === name)
  const isBare = scalar?.style === 'plain' && (scalar.text === '' || isNullWord(scalar.text))
  if (found && (!isTagged || isBare)) return found
  const message = `the latency class of \`${role}\` must be ${LATENCY_ADVICE}, not ${describe(reader, target)}`
  // The reference knows no place for a tag that it does not know, and names the mapping.
  reader.report(isTagged && !found ? roles : target, 'overlay-bad-value', message, { role })
  return null
}

const readSticky: ReadValue<boolean> = (reader, slot, role) => {
  const target = reader.follow(slot)
  if (!target) return null
  const scalar = reader.scalar(target)
  const isPlain =
    scalar?.style === 'plain' || (scalar?.style === 'literal' && scalar.tag === 'tag:yaml.org,2002:bool')
  const value = scalar && isPlain ? readBool(scalar.text) : null
  if (value !== null) return value
  const message = `\`sticky\` of \`${role}\` must be a bare true or false, not ${describe(reader, target)}`
  reader.report(target, 'overlay-bad-value', message, { role })
  return null
}

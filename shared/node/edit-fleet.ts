import {
  isEmpty,
  type CollectionNode,
  type ListNode,
  type MappingNode,
  type YamlNode,
} from '../yaml/nodes.ts'
import { parseYaml, type YamlSource } from '../yaml/yaml-source.ts'
import { readFleet } from './read-fleet.ts'
import type { DeclaredNode } from './types.ts'

/** An edit that was made, or why it cannot be made by a program, with the lines for the operator to add. */
export type FleetEdit =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly lines: string }

/** A key of a node and its value as YAML has it in one line. */
export type FleetKey = readonly [key: string, value: string]

/**
 * `text` with a node of that id and keys at the end of its list. Comments, order and line ends stay. `text` may be
 * empty.
 */
export function addFleetNode(text: string, nodeId: string, keys: readonly FleetKey[]): FleetEdit {
  const lines = [`- id: ${nodeId}`, ...keys.map(([key, value]) => `  ${key}: ${value}`)]
  const manual = lines.map((line) => `  ${line}`).join('\n')
  const source = parseYaml(text, 'skip')
  const list = entryValue(source, source.root, 'nodes')
  const eol = lineEnd(text)
  if (source.root === null || list === null) {
    if (source.root !== null && !isBlockMapping(source.root)) return refuse('it is no list of nodes', manual)
    const gap = text === '' || text.endsWith('\n') ? '' : eol
    return checked(text, `${text}${gap}nodes:${eol}${block(lines, '  ', eol)}`, nodeId, manual)
  }
  if (isEmpty(list)) {
    const at = endOfLine(text, list.end)
    return checked(text, insert(text, at, block(lines, '  ', eol), eol), nodeId, manual)
  }
  if (list.kind !== 'list') return refuse('`nodes` is no list', manual)
  if (list.isFlow) {
    const flow = `{id: ${nodeId}${keys.map(([key, value]) => `, ${key}: ${value}`).join('')}}`
    const gap = list.items.length === 0 ? '' : ', '
    return checked(text, splice(text, list.end - 1, list.end - 1, gap + flow), nodeId, manual)
  }
  const dash = list.marks[0] ?? list.start
  const indent = text.slice(startOfLine(text, dash), dash)
  const at = endOfLine(text, contentEnd(list))
  return checked(text, insert(text, at, block(lines, indent, eol), eol), nodeId, manual)
}

/** `text` with that key of a node set, in the place of the value it has, else behind its other keys. */
export function setFleetKey(text: string, nodeId: string, [key, value]: FleetKey): FleetEdit {
  const manual = `  - id: ${nodeId}\n    ${key}: ${value}`
  const source = parseYaml(text, 'skip')
  const node = nodeOf(source, nodeId)
  if (node === undefined) return addFleetNode(text, nodeId, [[key, value]])
  if (node.kind !== 'mapping') return refuse('the node is written elsewhere in it, by an alias', manual)
  const known = entryOf(node, key)
  if (known !== null) {
    const { value: old } = known
    const end = old.kind === 'list' || old.kind === 'mapping' ? contentEnd(old) : old.end
    const isPlain = old.kind === 'scalar' || old.kind === 'list' || old.kind === 'mapping'
    const written = text.slice(known.key.end, end)
    const isInLine = !written.includes('\n')
    // A comment within it would be lost.
    const hasComment = !isInLine && /(?:^|\s)#/.test(written)
    if (!isPlain || isEmpty(old) || old.properties !== null || hasComment)
      return refuse(`\`${key}\` is written with comments in it, or by an alias`, manual)
    const from = isInLine ? old.start : known.key.end
    return checked(text, splice(text, from, end, isInLine ? value : `: ${value}`), nodeId, manual)
  }
  const eol = lineEnd(text)
  if (node.isFlow) {
    const gap = node.entries.length === 0 ? '' : ', '
    return checked(text, splice(text, node.end - 1, node.end - 1, `${gap}${key}: ${value}`), nodeId, manual)
  }
  const first = node.entries[0]
  if (first === undefined) return refuse('the node has no key', manual)
  const indent = ' '.repeat(first.start - startOfLine(text, first.start))
  const at = endOfLine(text, contentEnd(node))
  return checked(text, insert(text, at, `${indent}${key}: ${value}${eol}`, eol), nodeId, manual)
}

/** `text` without that key of a node; a comment in its lines goes with it. */
export function unsetFleetKey(text: string, nodeId: string, key: string): FleetEdit {
  const manual = `  - id: ${nodeId}   # without ${key}`
  const source = parseYaml(text, 'skip')
  const node = nodeOf(source, nodeId)
  const known = node?.kind === 'mapping' ? entryOf(node, key) : null
  if (node === undefined || known === null) return { ok: true, text }
  const { value, key: name } = known
  if (node.kind === 'mapping' && node.isFlow) return refuse('the node is written in one line', manual)
  const start = startOfLine(text, name.start)
  const end =
    value.kind === 'list' || value.kind === 'mapping' ? contentEnd(value) : Math.max(value.end, name.end)
  const isAlone = text.slice(start, name.start).trim() === ''
  return isAlone
    ? checked(text, splice(text, start, endOfLine(text, end), ''), nodeId, manual)
    : refuse(`\`${key}\` shares its line with another key`, manual)
}

/** A text as a YAML value of one line: plain where that means the text, else in single quotes. */
export function fleetText(text: string): string {
  return /^[A-Za-z/][A-Za-z0-9/._@+-]*$/.test(text) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : `'${text.replaceAll("'", "''")}'`
}

function refuse(reason: string, lines: string): FleetEdit {
  return { ok: false, reason: `${reason}: add these lines by hand`, lines }
}

/** The edit, where it reads as it should: the node is there, and all others are as they were. */
function checked(before: string, after: string, nodeId: string, manual: string): FleetEdit {
  const [old, now] = [readFleet(before, ''), readFleet(after, '')]
  if (!old.ok) return refuse('it has errors', manual)
  if (!now.ok) return refuse('it would have errors then', manual)
  const others = (nodes: readonly DeclaredNode[]): string =>
    stableText(nodes.filter((node) => node.nodeId !== nodeId))
  const isThere = now.value.some((node) => node.nodeId === nodeId)
  if (!isThere || others(old.value) !== others(now.value)) {
    return refuse('it is written in a way that is not edited here', manual)
  }
  return { ok: true, text: after }
}

function stableText(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'bigint') return `${each}n`
    return each instanceof Map ? [...(each as Map<unknown, unknown>)] : each
  })
}

function nodeOf(source: YamlSource, nodeId: string): YamlNode | undefined {
  const list = entryValue(source, source.root, 'nodes')
  const nodes = list?.kind === 'list' ? list.items : []
  return nodes.find((each) => {
    const id = entryValue(source, each, 'id')
    return id?.kind === 'scalar' && id.text === nodeId
  })
}

function isBlockMapping(node: YamlNode): boolean {
  return node.kind === 'mapping' && !node.isFlow
}

function entryOf(node: MappingNode, key: string): MappingNode['entries'][number] | null {
  return node.entries.find((entry) => entry.key.kind === 'scalar' && entry.key.text === key) ?? null
}

function entryValue(source: YamlSource, node: YamlNode | null, key: string): YamlNode | null {
  const target = node?.kind === 'alias' ? source.anchored[node.target ?? -1] : node
  return target?.kind === 'mapping' ? (entryOf(target, key)?.value ?? null) : null
}

/** Where the last thing that is written in a collection ends. */
function contentEnd(node: CollectionNode): number {
  if (node.isFlow) return node.end
  const last: ListNode | MappingNode['entries'][number] | YamlNode | undefined =
    node.kind === 'list' ? node.items.at(-1) : node.entries.at(-1)?.value
  if (last === undefined) return node.end
  return last.kind === 'list' || last.kind === 'mapping' ? contentEnd(last) : last.end
}

function lineEnd(text: string): string {
  return /\r\n/.test(text) ? '\r\n' : '\n'
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Behind the line end of the line of `at`; the end of the text where there is none. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', Math.max(0, at))
  return end < 0 ? text.length : end + 1
}

function block(lines: readonly string[], indent: string, eol: string): string {
  return lines.map((line) => `${indent}${line}${eol}`).join('')
}

/** Whole lines put in at the start of a line, or behind a last one that has no end. */
function insert(text: string, at: number, lines: string, eol: string): string {
  const gap = at > 0 && !text.slice(0, at).endsWith('\n') ? eol : ''
  return splice(text, at, at, gap + lines)
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}

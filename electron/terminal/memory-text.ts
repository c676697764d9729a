import type { ContextEffect, LabContext } from '../../shared/advice/context-effects.ts'
import { contextEffectText, labContextText } from '../../shared/advice/context-words.ts'
import { formatBytes, formatExactBytes } from '../../shared/bytes.ts'
import type { JsonInput } from '../../shared/json/json-text.ts'
import type { MemoryNeed } from '../../shared/memory/memory-need.ts'
import {
  formatTokens,
  largestText,
  missingText,
  PART_WORDS,
  settingRemarks,
  workingText,
} from '../../shared/memory/memory-words.ts'
import type { ModelShape } from '../../shared/memory/shape.ts'
import type { ContextRoom } from '../../shared/plan/context-room.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { hang, printable } from './width.ts'

/** What is said of one model. */
export interface MemoryResult {
  /** A role, or the model's place. */
  readonly name: string
  readonly shape: ModelShape
  readonly need: MemoryNeed
  /** Of a role: what the roster says it takes, in bytes. */
  readonly rosterBytes: bigint | null
  /** Of a role: the nodes it could run on. */
  readonly rooms: readonly ContextRoom[]
  /** Of a role: what twice the context would make of the plan; null where that is not known. */
  readonly twice: ContextEffect | null
}

/** A model's memory as lines: the parts with their working, the sum, and what the roster says. */
export function memoryLines(result: MemoryResult, width: number, style: Style): string[] {
  const { name, shape, need, rosterBytes, rooms, twice } = result
  const { setting, missing } = need
  const trained = shape.trainedContext === null ? '' : `, trained for ${formatTokens(shape.trainedContext)}`
  const heading =
    `${shape.architecture ?? 'no architecture'}${trained}; ${formatTokens(setting.context)} tokens, ` +
    `${setting.keyType}, ${setting.parallel} at once`
  const parts = need.parts.map((part) => [
    { text: `  ${PART_WORDS[part.kind]}` },
    { text: formatBytes(part.bytes) },
    { text: workingText(part, setting) },
  ])
  const sum = missing.length === 0 ? formatBytes(need.runBytes) : `more than ${formatBytes(need.runBytes)}`
  return [
    `${style.heading(printable(name))}  ${printable(heading)}`,
    ...renderTable(
      [{ title: '  part' }, { title: 'bytes', align: 'right' }, { title: 'how', min: 20, wraps: true }],
      [...parts, [{ text: '  in all' }, { text: sum }, { text: formatExactBytes(need.runBytes) }]],
      width,
      style.faint,
    ),
    ...[...missingText(shape, missing), ...settingRemarks(shape, setting)].flatMap((line) =>
      hang('  ', printable(line), width),
    ),
    ...(rosterBytes === null ? [] : hang('  ', rosterText(rosterBytes, need), width)),
    ...roomLines(rooms, width, style),
    ...(twice === null ? [] : hang('  twice the context: ', printable(contextEffectText(twice)), width)),
  ]
}

function rosterText(said: bigint, { runBytes, missing }: MemoryNeed): string {
  const roster = `ram_gb says ${formatBytes(said)}`
  if (runBytes > said) return `${roster}: ${formatBytes(runBytes - said)} too little`
  if (missing.length > 0) return `${roster}; whether that is enough is not known`
  return runBytes === said
    ? `${roster}: just that`
    : `${roster}: ${formatBytes(said - runBytes)} more than that`
}

function roomLines(rooms: readonly ContextRoom[], width: number, style: Style): string[] {
  if (rooms.length === 0) return []
  return renderTable(
    [
      { title: '  node' },
      { title: 'room', align: 'right' },
      { title: 'largest context that fits there', min: 20, wraps: true },
    ],
    rooms.map(({ nodeId, room, largest }) => [
      { text: `  ${printable(nodeId)}` },
      { text: room === null ? 'unknown' : formatBytes(room) },
      { text: largestText(largest) },
    ]),
    width,
    style.faint,
  )
}

/** The same as JSON: byte counts are exact integers. */
export function memoryJson({ name, shape, need, rosterBytes, rooms, twice }: MemoryResult): JsonInput {
  const { setting } = need
  return {
    name,
    architecture: shape.architecture,
    trained_context: shape.trainedContext,
    context: setting.context,
    key_type: setting.keyType,
    value_type: setting.valueType,
    parallel: setting.parallel,
    parts: need.parts.map((part) => ({
      part: part.kind,
      bytes: part.bytes,
      formula: part.formula,
      layers: part.layers,
      cells: part.cells,
    })),
    unknown: [...need.missing],
    run_bytes: need.runBytes,
    context_bytes: need.missing.includes('kv_cache') ? null : need.contextBytes,
    roster_bytes: rosterBytes,
    remarks: [...missingText(shape, need.missing), ...settingRemarks(shape, setting)],
    nodes: rooms.map(({ nodeId, room, largest }) => ({
      node: nodeId,
      room_bytes: room,
      largest_context: largest.kind === 'fits' ? largest.context : null,
      limit: largest.kind === 'fits' ? largest.limit : largest.kind,
    })),
    twice_the_context: twice === null ? null : effectJson(twice),
  }
}

function effectJson({ context, bytes, own, displaced }: ContextEffect): JsonInput {
  return {
    context,
    run_bytes: bytes,
    node: own.nodeId,
    displaced: displaced.map(({ role, before, after }) => {
      return { role, before: before.nodeId, after: after.nodeId }
    }),
  }
}

/** The largest context for all roles of a lab, as a line. */
export function labContextLines(found: LabContext, width: number, style: Style): string[] {
  return hang(`${style.heading('largest context for all')}  `, printable(labContextText(found)), width)
}

/** The same as JSON: roles by the context each would have. */
export function labContextJson(found: LabContext): JsonInput {
  switch (found.kind) {
    case 'fits':
      return {
        context: found.context,
        limit: found.limit,
        roles: Object.fromEntries(found.contexts),
        first: [...found.first],
        unknown: [...found.unknown],
      }
    case 'none':
      return {
        context: null,
        limit: 'memory',
        roles: {},
        first: [...found.first],
        unknown: [...found.unknown],
      }
    case 'unknown':
      return { context: null, limit: 'unknown', roles: {}, first: [], unknown: [] }
  }
}

import { formatBytes } from '../bytes.ts'
import type { JsonInput } from '../json/json-text.ts'
import type { AttrValue } from '../node/types.ts'
import { formatGib } from '../scenario/scenario.ts'
import type { Causes } from './compare-plans.ts'
import type { Difference } from './difference.ts'
import type { InputPlace } from './input-place.ts'
import type { FactDetail, NodeDifference } from './node-differences.ts'
import type { OverlayDifference } from './overlay-differences.ts'
import type { EntryField, EntryValue, RosterDifference } from './roster-differences.ts'
import type { ScenarioDifference } from './scenario-differences.ts'

/** A difference for a person: what it is, and (in brackets) the file and line to look at. */
export function differenceText(difference: Difference): string {
  switch (difference.of) {
    case 'scenario':
      return scenarioText(difference)
    case 'exclude':
    case 'exclude_order':
    case 'latency_class':
    case 'sticky':
      return overlayText(difference) + placeText(difference.place)
    case 'node':
    case 'node_fact':
    case 'node_facts_age':
    case 'declaration':
      return nodeText(difference) + fileText(difference.file)
    case 'manifest':
      return `manifest ${difference.name} ${difference.change}${fileText(difference.file)}`
    case 'roster':
    case 'roster_order':
    case 'roster_entry':
    case 'roster_field':
      return rosterText(difference)
  }
}

/** Causes named before the rest is counted. */
const MOST_NAMED = 8

/** All causes in one text; where the search was cut off it says that not all of them may matter. */
export function causesText({ differences, proof }: Causes): string {
  const named = differences.slice(0, MOST_NAMED).map(differenceText)
  const more = differences.length - named.length
  const texts = [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')
  return proof === 'bounded' ? `some or all of: ${texts}` : texts
}

function placeText(place: InputPlace | null): string {
  if (place === null) return ''
  return place.line === null ? ` (${place.file})` : ` (${place.file}:${place.line})`
}

function fileText(file: string | null): string {
  return file === null ? '' : ` (${file})`
}

function overlayText(difference: OverlayDifference): string {
  switch (difference.of) {
    case 'exclude':
      return difference.change === 'added'
        ? `${difference.role} now excludes ${difference.entry}`
        : `${difference.role} no longer excludes ${difference.entry}`
    case 'exclude_order':
      return `the excludes of ${difference.role} are listed differently`
    case 'latency_class':
      return `latency_class of ${difference.role}: ${difference.from ?? 'not given'} → ${difference.to ?? 'not given'}`
    case 'sticky':
      return `sticky of ${difference.role}: ${stickyText(difference.from)} → ${stickyText(difference.to)}`
  }
}

function stickyText(value: boolean | null): string {
  return value === null ? 'not given' : String(value)
}

function scenarioText({ field, key, from, to }: ScenarioDifference): string {
  switch (field) {
    case 'allow_weight_transfer':
      return `weight transfer: ${to === true ? 'off → on' : 'on → off'}`
    case 'max_bytes':
      return `ceiling: ${gibText(from)} → ${gibText(to)}`
    case 'free_headroom_bytes':
      return `headroom: ${gibText(from)} → ${gibText(to)}`
    case 'sharing_veto':
      return to === true ? 'copying weights is forbidden' : 'copying weights is no longer forbidden'
    case 'require_fresh_facts':
      return to === true ? 'fresh facts are required' : 'fresh facts are no longer required'
    case 'now_secs':
      return `the time facts are judged by: ${valueText(from)} → ${valueText(to)}`
    case 'forced_nodes':
      return `${key ?? ''}: ${forcedText(from)} → ${forcedText(to)}`
    case 'free_space':
      return `free space assumed on ${key ?? ''}: ${bytesText(from)} → ${bytesText(to)}`
    case 'memory':
      return `free memory assumed on ${key ?? ''}: ${bytesText(from)} → ${bytesText(to)}`
    case 'off_roles':
      return `${key ?? ''} is switched ${to === null ? 'on' : 'off'}`
    case 'away_nodes':
      return `${key ?? ''} is ${to === null ? 'no longer ' : ''}treated as offline`
    case 'pinned':
      return to === null ? `${key ?? ''} is no longer pinned` : `${key ?? ''} is pinned to ${valueText(to)}`
    case 'role_context':
      return `context of ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'role_key_type':
      return `type of K of ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'role_value_type':
      return `type of V of ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'role_parallel':
      return `requests at once of ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'computed_memory':
      return `${key ?? ''} is planned with ${to === null ? 'ram_gb' : 'its computed memory'}`
    case 'installed':
      return `assumed to be installed on ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'held_models':
      return `models assumed to be held by ${key ?? ''}: ${valueText(from)} → ${valueText(to)}`
    case 'redistributable':
      return `${key ?? ''} is ${to === null ? 'no longer ' : ''}assumed to be redistributable`
    case 'export_kv_budget':
      return to === true ? 'the KV budget is exported' : 'the KV budget is no longer exported'
    case 'link_mbps':
      return `assumed link rate: ${valueText(from)} → ${valueText(to)}`
  }
}

function gibText(value: JsonInput): string {
  return typeof value === 'string' ? formatGib(BigInt(value)) : 'none'
}

function bytesText(value: JsonInput): string {
  return typeof value === 'string' ? formatBytes(BigInt(value)) : 'as reported'
}

function forcedText(value: JsonInput): string {
  if (value === 'in') return 'treated as eligible'
  return value === 'out' ? 'ruled out' : 'by its constraints'
}

function valueText(value: JsonInput): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'none'
}

function nodeText(difference: NodeDifference): string {
  const { node } = difference
  switch (difference.of) {
    case 'node':
      return `node ${node} ${difference.change}`
    case 'node_facts_age':
      return `the facts of ${node} are of another time`
    case 'declaration':
      return `what is declared of ${node}`
    case 'node_fact': {
      const details = difference.details.map(detailText).join(', ')
      return `${difference.capability} of ${node} ${difference.change}${details === '' ? '' : `: ${details}`}`
    }
  }
}

function detailText({ name, from, to }: FactDetail): string {
  if (typeof from === 'object' && from !== null) return name
  if (typeof to === 'object' && to !== null) return name
  return `${name} ${attrText(from)} → ${attrText(to)}`
}

function attrText(value: Exclude<AttrValue, object> | null): string {
  return value === null ? 'not reported' : String(value)
}

const FIELD_NAMES: Readonly<Record<EntryField, string>> = {
  role: 'role',
  name: 'name',
  repo: 'repo',
  backend: 'backend',
  status: 'status',
  ramBytes: 'ram_gb',
  port: 'port',
}

function rosterText(difference: RosterDifference): string {
  switch (difference.of) {
    case 'roster':
      return `the roster was ${difference.change} (${difference.file})`
    case 'roster_order':
      return `roster entries stand in another order (${difference.file})`
    case 'roster_entry':
      return `roster entry ${entryText(difference)} ${difference.change}${placeText(difference.place)}`
    case 'roster_field': {
      const { field, from, to, place } = difference
      const change = `${fieldValue(field, from)} → ${fieldValue(field, to)}`
      return `${FIELD_NAMES[field]} of ${entryText(difference)}: ${change}${placeText(place)}`
    }
  }
}

function entryText({ id, number }: { readonly id: string; readonly number: number }): string {
  return number === 1 ? id : `${id} (number ${number})`
}

function fieldValue(field: EntryField, value: EntryValue): string {
  if (value === null || value === '') return 'none'
  if (field === 'ramBytes' && typeof value === 'bigint') return formatBytes(value)
  return typeof value === 'string' ? value : String(value)
}

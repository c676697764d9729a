import { readJsonFile, type JsonValue, type TextRule } from '../json/json-reader.ts'
import type { Read } from '../problem.ts'
import { exceedsUtf8 } from '../utf8.ts'
import {
  CAPABILITY_STATES,
  PROVENANCES,
  type AttrScalar,
  type AttrValue,
  type Capability,
  type NodeFacts,
} from './types.ts'

/** Largest node facts file, in bytes: what the other bounds let a sane node need, many times over. */
const MAX_NODE_FILE_BYTES = 16 * 1024 * 1024
export const MAX_CAPABILITIES = 512
const MAX_ATTRS = 64
/** Most items of an attribute that is a list. */
const MAX_ATTR_ITEMS = 256
/** Longest attribute text, in bytes. */
export const MAX_ATTR_TEXT_BYTES = 1024

const NODE_ID = /^[A-Za-z0-9\-_.:]{1,128}$/
const CAPABILITY_ID = /^[a-z0-9][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*){1,7}$/
const MAX_CAPABILITY_ID_BYTES = 128
const ATTR_NAME = /^[a-z][a-z0-9_]*$/

/** Whether `text` can be a node's id (docs/formats.md, "Node facts"). */
export function isNodeId(text: string): boolean {
  return NODE_ID.test(text)
}

/** What a node id must be, for messages. */
export const NODE_ID_RULE: TextRule = {
  test: isNodeId,
  expected: 'a node id: 1 to 128 letters, digits and - _ . :',
}

const CAPABILITY_ID_RULE: TextRule = {
  test: (text) => text.length <= MAX_CAPABILITY_ID_BYTES && CAPABILITY_ID.test(text),
  expected:
    `a capability id: 2 to 8 parts of lower-case letters, digits, _ and - joined by dots, ` +
    `at most ${MAX_CAPABILITY_ID_BYTES} bytes`,
}

/** Gives one string object for all equal texts: thousands of nodes tell of the same few thousand hashes. */
export type SharedTexts = (text: string) => string

/** Texts that are shared for as long as the answer is used; it keeps each of them. */
export function sharedTexts(): SharedTexts {
  const texts = new Map<string, string>()
  return (text) => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, text)
    return text
  }
}

/**
 * Reads a node facts file (docs/formats.md, "Node facts"). Every bound that is broken is an error with its place,
 * and any error refuses the file: half of what a node says of itself could be worse than nothing. Unknown
 * keys are ignored. `share` is for reading many files.
 */
export function readNodeFacts(text: string, file: string, share = sharedTexts()): Read<NodeFacts> {
  return readJsonFile(text, file, MAX_NODE_FILE_BYTES, (facts) => readFacts(facts, share))
}

function readFacts(facts: JsonValue, share: SharedTexts): NodeFacts | null {
  if (!facts.object()) return null
  const version = facts.member('version')
  if (version.value !== 1) {
    version.refuse('1, the only version of node facts known here')
    // Another version may mean other things by the same keys.
    return null
  }
  version.count()
  return {
    nodeId: facts.member('node_id').text(NODE_ID_RULE),
    issuedAt: facts.member('issued_at').count(),
    ttlSecs: facts.member('ttl_secs').count(),
    seq: facts.member('seq').count(),
    capabilities: facts
      .member('capabilities')
      .list(0, MAX_CAPABILITIES)
      .map((one) => readCapability(one, share)),
    notes: (facts.optional('notes')?.list(0, Infinity) ?? []).map(readNote),
  }
}

function readCapability(capability: JsonValue, share: SharedTexts): Capability {
  if (!capability.object()) return NO_CAPABILITY
  const id = capability.member('id')
  const capabilityId = id.text(CAPABILITY_ID_RULE)
  if (capabilityId.startsWith('trust.')) {
    const message = `${id.name} is "${capabilityId}": a node cannot vouch for itself`
    id.tell('error', 'node-trust-capability', `${message}, remove trust.* capabilities`)
  }
  return {
    id: share(capabilityId),
    attrs: readAttrs(capability.optional('attrs'), share, HAS_BYTES.test(capabilityId)),
    provenance: capability.member('provenance').oneOf(PROVENANCES),
    state: capability.optional('state')?.oneOf(CAPABILITY_STATES) ?? 'available',
    exclusive: capability.optional('exclusive')?.flag() ?? false,
  }
}

/** The stand-in for something that is no capability, in a file that is then refused. */
const NO_CAPABILITY: Capability = {
  id: '',
  attrs: new Map(),
  provenance: 'claimed',
  state: 'available',
  exclusive: false,
}

function readNote(note: JsonValue): { probe: string; note: string } {
  if (!note.object()) return { probe: '', note: '' }
  return { probe: note.member('probe').text(), note: note.member('note').text() }
}

/** Capabilities whose `free` and `total` are byte counts. */
const HAS_BYTES = /^(?:mem|store\.tier)\./

function readAttrs(attrs: JsonValue | null, share: SharedTexts, hasBytes: boolean): Map<string, AttrValue> {
  const read = new Map<string, AttrValue>()
  for (const [name, value] of attrs?.members(MAX_ATTRS) ?? []) {
    if (!ATTR_NAME.test(name)) {
      const form = 'lower-case letters, digits and _, first a letter'
      value.tellKey('error', 'node-bad-attr-name', `${value.name}: an attribute's name must be ${form}`)
      continue
    }
    if (hasBytes && (name === 'free' || name === 'total') && typeof value.value === 'string') {
      const message = `${value.name} is a text, so it does not count: write the number of bytes without quotes`
      value.tell('warning', 'node-bytes-as-text', message)
    }
    read.set(name, readAttr(value, share))
  }
  return read
}

function readAttr(value: JsonValue, share: SharedTexts): AttrValue {
  const raw = value.value
  if (!Array.isArray(raw)) return readScalar(value, `${SCALAR}, or a list of those`)
  // Lists of hundreds of hashes are read item by item only when there is something to tell of one.
  if (raw.length <= MAX_ATTR_ITEMS && raw.every(isScalar)) {
    return raw.map((item) => (typeof item === 'string' ? share(item) : item))
  }
  return value.list(0, MAX_ATTR_ITEMS).map((item) => readScalar(item, SCALAR))
}

const SCALAR = `true, false, a finite number or a text of at most ${MAX_ATTR_TEXT_BYTES} bytes`

function readScalar(value: JsonValue, expected: string): AttrScalar {
  if (isScalar(value.value)) return value.value
  value.refuse(expected)
  return false
}

function isScalar(value: unknown): value is AttrScalar {
  if (typeof value === 'string') return !exceedsUtf8(value, MAX_ATTR_TEXT_BYTES)
  return typeof value === 'boolean' || Number.isFinite(value)
}

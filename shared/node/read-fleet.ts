import { gibToBytes } from '../bytes.ts'
import { MAX_NAME_BYTES } from '../model-manifest/read-body.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { TextLines, type Span } from '../text-lines.ts'
import { isToken } from '../token.ts'
import { exceedsUtf8 } from '../utf8.ts'
import { parseYaml } from '../yaml/yaml-source.ts'
import { describe, YamlReader } from '../yaml/reader.ts'
import type { YamlNode } from '../yaml/nodes.ts'
import { FleetSource } from './fleet-source.ts'
import { NODE_ID_RULE } from './read-node-facts.ts'
import { readNodeSite, SITE_KEYS } from './read-node-site.ts'
import { EVERY_MODEL, type DeclaredNode, type DeclaredPresence } from './types.ts'

/** Largest fleet file read, in bytes. */
export const MAX_FLEET_BYTES = 1024 * 1024

/**
 * Reads a fleet file (docs/formats.md, "Node facts", `fleet.yaml`): nodes declared by a person, in text order. An
 * empty text declares none. Every problem is reported with its place; with any error there are no nodes.
 */
export function readFleet(text: string, file: string): Read<readonly DeclaredNode[]> {
  const lines = new TextLines(text)
  const problem = (code: string, message: string, span: Span | null): Problem => {
    return { severity: 'error', code, message, file, range: span && lines.range(span) }
  }
  if (exceedsUtf8(text, MAX_FLEET_BYTES)) {
    const message = `the fleet file is larger than ${MAX_FLEET_BYTES} bytes (1 MiB): shorten it`
    return readFailed([problem('fleet-too-large', message, null)])
  }
  const source = parseYaml(text, 'skip')
  const fleet = new FleetReader(new YamlReader(source))
  const nodes = source.root ? fleet.readRoot(source.root) : []
  const problems = fleet.reader
    .faults('fleet-bad-yaml')
    .toSorted((a, b) => a.span.start - b.span.start)
    .map(({ code, message, span }) => problem(code, message, span))
  return problems.length > 0 ? readFailed(problems) : readOk(nodes)
}

/** What a node of the file can have. */
const NODE_KEYS = ['id', 'models', 'free_gib', 'eligible', 'link_mbps', ...SITE_KEYS]

type Models = ReadonlyMap<string, DeclaredPresence>

class FleetReader {
  readonly reader: YamlReader
  readonly #source: FleetSource
  readonly #ids = new Set<string>()
  /** Read mappings by their node: thousands of aliases to one mapping are one mapping. */
  readonly #models = new Map<YamlNode, Models>()

  constructor(reader: YamlReader) {
    this.reader = reader
    this.#source = new FleetSource(reader)
  }

  readRoot(root: YamlNode): DeclaredNode[] {
    const nodes = this.#source.members(root, 'the fleet file', ['nodes'])?.get('nodes')
    if (!nodes) return []
    const items = this.reader.items(nodes)
    if (!items) {
      this.#source.refuse(nodes, `\`nodes\` must be a list of nodes, not ${describe(this.reader, nodes)}`)
      return []
    }
    return items.flatMap((item) => this.#readNode(item) ?? [])
  }

  #readNode(item: YamlNode): DeclaredNode | null {
    const members = this.#source.members(item, 'a node', NODE_KEYS)
    if (!members) return null
    const id = members.get('id')
    if (!id) {
      this.#source.refuse(item, 'this node has no `id`: say which node it is')
      return null
    }
    const nodeId = this.reader.scalar(id)?.text ?? ''
    if (!NODE_ID_RULE.test(nodeId)) {
      this.#source.refuse(id, `\`id\` must be ${NODE_ID_RULE.expected}, not ${describe(this.reader, id)}`)
    } else if (this.#ids.has(nodeId)) {
      this.reader.report(id, 'fleet-repeated-node', `the node ${nodeId} is declared twice: put both into one`)
      return null
    }
    this.#ids.add(nodeId)
    const models = this.#readModels(members.get('models'))
    const freeBytes = this.#readFree(members.get('free_gib'))
    const eligible = this.#readEligible(members.get('eligible'))
    const linkMbps = this.#readLink(members.get('link_mbps'))
    const site = readNodeSite(this.#source, members)
    return {
      nodeId,
      models,
      freeBytes,
      eligible,
      ...(linkMbps === null ? {} : { linkMbps }),
      ...(site === null ? {} : { site }),
    }
  }

  #readModels(slot: YamlNode | undefined): Models {
    if (!slot) return NO_MODELS
    const known = this.#models.get(slot)
    if (known) return known
    const models = new Map<string, DeclaredPresence>()
    for (const [name, { key, value }] of this.#source.entries(slot, '`models`', 'model') ?? []) {
      if (name !== EVERY_MODEL && !isToken(name, MAX_NAME_BYTES)) {
        const message =
          `${describe(this.reader, key)} cannot be a model's name: that is letters, digits and . _ + : -, ` +
          `first a letter or digit, at most ${MAX_NAME_BYTES} of them`
        this.#source.refuse(key, message)
      }
      const presence = value && this.reader.scalar(value)?.text
      if (presence === 'complete' || presence === 'none') models.set(name, presence)
      else if (value) {
        this.#source.refuse(
          value,
          `\`${name}\` must be complete or none, not ${describe(this.reader, value)}`,
        )
      }
    }
    this.#models.set(slot, models)
    return models
  }

  #readFree(slot: YamlNode | undefined): bigint | null {
    const value = slot && this.#source.plain(slot)
    if (!slot || value?.kind === 'null') return null
    const gib = value?.kind === 'integer' || value?.kind === 'float' ? Number(value.value) : NaN
    const bytes = gibToBytes(gib)
    if (bytes === null) {
      const message = `\`free_gib\` must be a number of GiB (2^30) from 0, such as 200 or 0.5, not `
      this.#source.refuse(slot, message + describe(this.reader, slot))
    }
    return bytes
  }

  #readLink(slot: YamlNode | undefined): number | null {
    const value = slot && this.#source.plain(slot)
    if (!slot || value?.kind === 'null') return null
    const mbps = value?.kind === 'integer' || value?.kind === 'float' ? Number(value.value) : NaN
    if (Number.isFinite(mbps) && mbps > 0) return mbps
    const message = '`link_mbps` must be a number of megabits a second above 0, such as 1000, not '
    this.#source.refuse(slot, message + describe(this.reader, slot))
    return null
  }

  #readEligible(slot: YamlNode | undefined): boolean | null {
    const value = slot && this.#source.plain(slot)
    if (!slot || value?.kind === 'null') return null
    if (value?.kind === 'bool') return value.value
    this.#source.refuse(
      slot,
      `\`eligible\` must be true or false without quotes, not ${describe(this.reader, slot)}`,
    )
    return null
  }
}

const NO_MODELS: ReadonlyMap<string, DeclaredPresence> = new Map()

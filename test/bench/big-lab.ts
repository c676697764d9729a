import type { LabFile, LabFiles } from '../../shared/lab/lab.ts'
import { bodyJson, envelopeJson, idOf } from '../support/manifests.ts'
import type { LabParts } from '../support/lab-builder.ts'
import { seeded } from './inputs.ts'

export interface BigLabSize {
  readonly roles: number
  readonly nodes: number
  /** Manifests; the roles share them in turn. */
  readonly models: number
  /** Of the first model; */
  readonly shards: number
  /** and of the others, as many when left out. */
  readonly otherShards?: number
}

/** What an operator with many machines edits. */
export const EDITED_LAB: BigLabSize = { roles: 256, nodes: 200, models: 60, shards: 255, otherShards: 16 }

/** What is scrolled through: the largest lab there is to be room for. */
export const SCROLLED_LAB: BigLabSize = { ...EDITED_LAB, nodes: 10_000 }

const GB = 1_000_000_000
const ISSUED_AT = 1_795_000_000

interface BigModel {
  readonly name: string
  readonly id: string
  readonly envelope: unknown
  readonly hashes: readonly string[]
}

/**
 * A lab of any size as its files' texts. Every node holds two models whole and half of a third; one in seven
 * cannot run anything, and memory is short, so that roles have to be fetched and get in each other's way.
 */
export function bigLab({
  roles,
  nodes,
  models: modelCount,
  shards,
  otherShards = shards,
}: BigLabSize): LabParts {
  const random = seeded(7)
  const models = Array.from({ length: modelCount }, (_, i) => bigModel(i, i === 0 ? shards : otherShards))
  const roster = Array.from({ length: roles }, (_, i) => {
    const name = models[i % modelCount]?.name ?? ''
    return (
      `- id: role-${number(i)}\n  role: worker number ${i} for coding and chat\n  name: ${name}\n` +
      `  repo: example-org/${name}\n  ram_gb: ${(5 + Math.floor(random() * 400) / 10).toFixed(1)}\n` +
      `  backend: llamacpp\n  port: ${8000 + i}\n  status: ready\n` +
      `  why: Measured best of its size in the last round, kept until something beats it by a margin.\n`
    )
  })
  return {
    roster: `roster:\n${roster.join('')}`,
    overlay: bigOverlay(roles),
    registry: JSON.stringify({
      schema: 'weftos.model-registry.v1',
      models: Object.fromEntries(
        models.map(({ id, envelope, name }) => [id, { envelope, root: `/models/${name}`, files: [] }]),
      ),
    }),
    nodes: Object.fromEntries(
      Array.from({ length: nodes }, (_, i) => [`node-${number(i)}.json`, nodeText(i, models, random)]),
    ),
  }
}

/** The same lab as a host hands it to the planner. */
export function bigLabFiles(size: BigLabSize): LabFiles {
  const { roster = '', overlay = '', registry = '', nodes = {} } = bigLab(size)
  const file = (kind: LabFile['kind'], name: string, text: string): LabFile => ({
    kind,
    file: name,
    text,
    hash: name,
  })
  return {
    name: 'bench',
    files: [
      file('roster', 'queue.yaml', roster),
      file('overlay', 'overlay.yaml', overlay),
      file('registry', 'registry.json', registry),
      ...Object.entries(nodes).map(([name, text]) => file('node', `nodes/${name}`, text)),
    ],
    problems: [],
    overlayFile: 'overlay.yaml',
  }
}

/** An overlay that names every role, with comments, as it grows under an operator's hand. */
export function bigOverlay(roles: number): string {
  const ids = Array.from({ length: roles }, (_, i) => `role-${number(i)}`)
  return [
    '# Facts the roster does not carry.\nlatency_class:\n',
    ...ids.map((id, i) => `  ${id}: ${i % 3 === 0 ? 'interactive # asked by people' : 'batch'}\n`),
    'sticky:\n',
    ...ids.map((id, i) => `  ${id}: ${i % 2 === 0 ? 'true' : 'false'}\n`),
    'excludes:\n',
    ...ids.map((id, i) => `  ${id}:\n    - role:role-${number((i + 1) % roles)}\n`),
  ].join('')
}

function number(index: number): string {
  return String(index).padStart(5, '0')
}

function bigModel(index: number, shards: number): BigModel {
  const name = `Model-${index}`
  const hashes = Array.from({ length: shards }, (_, shard) =>
    (index * 256 + shard + 1).toString(16).padStart(64, '0'),
  )
  const envelope = envelopeJson(
    bodyJson({
      name,
      format: 'gguf',
      redistributable: true,
      shards: hashes.map((blake3, shard) => ({
        path: `model-${number(shard + 1)}.gguf`,
        size: Math.floor((40 * GB) / shards) + shard,
        blake3,
      })),
    }),
  )
  return { name, id: idOf(envelope), envelope, hashes }
}

function nodeText(index: number, models: readonly BigModel[], random: () => number): string {
  const held = [index % models.length, (index * 7 + 3) % models.length].map((i) => models[i])
  const part = models[(index * 11 + 5) % models.length]
  const capability = (id: string, attrs: object = {}) => ({ id, attrs, provenance: 'probed' })
  const total = [64, 128, 256][index % 3] ?? 64
  return JSON.stringify({
    version: 1,
    node_id: `node-${number(index)}`,
    issued_at: ISSUED_AT,
    ttl_secs: 3600,
    seq: 1,
    capabilities: [
      capability('os.linux'),
      capability('mem.unified', { total: total * GB, free: Math.floor(total * GB * (0.4 + random() / 2)) }),
      capability('store.tier.internal', { free: Math.floor(random() * 500 * GB) }),
      ...(index % 7 === 0 ? [] : [capability('runtime.infer.llamacpp'), capability('format.gguf')]),
      ...held.flatMap((model) =>
        model === undefined
          ? []
          : [capability('model.present', { shards: [`model:${model.id}`, ...model.hashes] })],
      ),
      ...(part === undefined
        ? []
        : [capability('model.present', { shards: part.hashes.filter(() => random() < 0.5) })]),
    ],
    notes: [],
  })
}

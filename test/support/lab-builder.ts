import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bodyJson, envelopeJson, idOf } from './manifests.ts'

/** What a lab is built of; every part can be left out. */
export interface LabParts {
  readonly roster?: string
  readonly overlay?: string
  readonly registry?: string
  /** Node facts by file name. */
  readonly nodes?: Readonly<Record<string, string>>
}

/** Writes a lab's files where the planner looks for them below `folder`. */
export async function writeLab(folder: string, parts: LabParts): Promise<void> {
  const files: Record<string, string | undefined> = {
    'queue.yaml': parts.roster,
    'overlay.yaml': parts.overlay,
    'registry.json': parts.registry,
    ...Object.fromEntries(Object.entries(parts.nodes ?? {}).map(([name, text]) => [`nodes/${name}`, text])),
  }
  for (const [name, text] of Object.entries(files)) {
    if (text === undefined) continue
    const path = join(folder, 'docs/models', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
}

export interface LabSize {
  readonly roles: number
  readonly nodes: number
  readonly shards: number
  /** Names of the roles and nodes; numbered names when left out. */
  readonly roleName?: (index: number) => string
  readonly nodeName?: (index: number) => string
}

const GB = 1_000_000_000
const ISSUED_AT = 1_795_000_000

/**
 * A lab of any size: role `i` runs llama.cpp on a model of its own, which node `i` (counted round) holds
 * whole; every third node holds it but cannot run it, so that its roles have to be fetched.
 */
export function sizedLab(size: LabSize): LabParts {
  const { roles, nodes, shards, roleName = numbered('role'), nodeName = numbered('node') } = size
  const models = Array.from({ length: roles }, (_, i) => model(i, shards))
  const roster = models.map(
    ({ name }, i) =>
      `- id: ${roleName(i)}\n  role: worker ${i}\n  name: ${name}\n  repo: example-org/${name}\n` +
      `  ram_gb: 1.5\n  backend: llamacpp\n  port: ${8000 + i}\n  status: ready\n`,
  )
  return {
    roster: `roster:\n${roster.join('')}`,
    overlay: '# By the operator.\nlatency_class: {}\n',
    registry: JSON.stringify({
      schema: 'weftos.model-registry.v1',
      models: Object.fromEntries(
        models.map(({ id, envelope, name }) => [id, { envelope, root: `/models/${name}`, files: [] }]),
      ),
    }),
    nodes: Object.fromEntries(
      Array.from({ length: nodes }, (_, i) => {
        const held = models.filter((_model, role) => role % nodes === i)
        return [`${String(i)}.json`, JSON.stringify(nodeFacts(nodeName(i), held, i % 3 !== 0))]
      }),
    ),
  }
}

function numbered(word: string): (index: number) => string {
  return (index) => `${word}-${String(index).padStart(3, '0')}`
}

interface BuiltModel {
  readonly name: string
  readonly id: string
  readonly envelope: unknown
  readonly hashes: readonly string[]
}

function model(index: number, shards: number): BuiltModel {
  const name = `Model-${index}`
  const hashes = Array.from({ length: shards }, (_, shard) =>
    (index * 256 + shard + 1).toString(16).padStart(64, '0'),
  )
  const envelope = envelopeJson(
    bodyJson({
      name,
      format: 'gguf',
      shards: hashes.map((blake3, shard) => ({
        path: `model-${String(shard + 1).padStart(5, '0')}.gguf`,
        size: GB / 2 + shard,
        blake3,
      })),
    }),
  )
  return { name, id: idOf(envelope), envelope, hashes }
}

function nodeFacts(nodeId: string, held: readonly BuiltModel[], canRun: boolean): object {
  const capability = (id: string, attrs: object = {}) => ({ id, attrs, provenance: 'probed' })
  return {
    version: 1,
    node_id: nodeId,
    issued_at: ISSUED_AT,
    ttl_secs: 3600,
    seq: 1,
    capabilities: [
      capability('mem.unified', { total: 64 * GB, free: 48 * GB }),
      capability('store.tier.internal', { free: 500 * GB }),
      ...(canRun ? [capability('runtime.infer.llamacpp'), capability('format.gguf')] : []),
      ...held.map(({ id, hashes }) => capability('model.present', { shards: [`model:${id}`, ...hashes] })),
    ],
    notes: [],
  }
}

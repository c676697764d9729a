import type { Lab } from '../../../../shared/lab/lab.ts'
import type { ModelManifest } from '../../../../shared/model-manifest/types.ts'
import type { Capability, CapabilityState, LabNode } from '../../../../shared/node/types.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { compareCodePoints } from '../../../../shared/token.ts'
import { model } from './make-lab.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'

export const GB = 1_000_000_000n

export function hashOf(shard: number): string {
  return (shard + 1).toString(16).padStart(64, '0')
}

/** A redistributable gguf model of `hashes.length` shards of 1 GB each. */
export function modelOf(name: string, hashes: readonly string[]): ModelManifest {
  const made = model(name, 0, { packageId: `${name}-package` })
  const shards = hashes.map((blake3, i) => ({ path: `${name}-${i + 1}.gguf`, size: GB, blake3 }))
  return { ...made, body: { ...made.body, shards } }
}

function capability(
  id: string,
  attrs: Capability['attrs'] = new Map(),
  state: CapabilityState = 'available',
): Capability {
  return { id, attrs, provenance: 'probed', state, exclusive: false }
}

export interface NodeSketch {
  readonly id: string
  /** Hashes of shards held singly. */
  readonly held?: readonly string[]
  /** Models held whole. */
  readonly whole?: readonly string[]
  /** Models held whole on storage that is away. */
  readonly away?: readonly string[]
  /** Hashes of shards of a model that are there with other bytes. */
  readonly mismatched?: { readonly of: string; readonly hashes: readonly string[] }
  /** Runs llama.cpp; true when left out. */
  readonly runs?: boolean
  /** Memory free for roles, in bytes. */
  readonly memory?: bigint
  /** Bytes where a fetched model would land; null when it reports none. */
  readonly free?: bigint | null
}

function nodeOf({ id, held, whole, away, mismatched, runs, memory, free }: NodeSketch): LabNode {
  const presence = (shards: readonly string[], state?: CapabilityState): Capability =>
    capability('model.present', new Map([['shards', shards]]), state)
  const capabilities = [
    ...(runs === false ? [] : [capability('runtime.infer.llamacpp'), capability('format.gguf')]),
    capability('mem.unified', new Map([['free', Number(memory ?? 64n * GB)]])),
    ...(free === null
      ? []
      : [capability('store.tier.disk', new Map([['free', Number(free ?? 1000n * GB)]]))]),
    ...(held === undefined ? [] : [presence(held)]),
    ...(whole ?? []).map((name) => presence([`model:${name}-package`])),
    ...(away ?? []).map((name) => presence([`model:${name}-package`], 'reserved')),
    ...(mismatched === undefined
      ? []
      : [
          capability(
            'model.mismatch',
            new Map([['shards', [`model:${mismatched.of}-package`, ...mismatched.hashes]]]),
            'degraded',
          ),
        ]),
  ]
  return {
    nodeId: id,
    facts: { nodeId: id, issuedAt: 0, ttlSecs: 60, seq: 1, capabilities, notes: [] },
    declared: null,
    file: `${id}.json`,
  }
}

/** A lab whose roles are given as [role, model, GB of memory]. */
export function labOf(
  roles: readonly (readonly [role: string, model: string, gb: number])[],
  manifests: readonly ModelManifest[],
  nodes: readonly NodeSketch[],
): Lab {
  const entries = roles.map(
    ([id, name, gb], i) =>
      `- {id: ${id}, name: ${name}, repo: r/${id}, ram_gb: ${gb}, backend: llamacpp, port: ${9000 + i}}`,
  )
  const roster = readRoster(['roster:', ...entries, ''].join('\n'), 'queue.yaml')
  if (!roster.ok) throw new Error(roster.problems.map(({ message }) => message).join('\n'))
  const inOrder = nodes.toSorted((a, b) => compareCodePoints(a.id, b.id))
  return {
    name: 'lab',
    roster: roster.value,
    manifests,
    shapes: new Map(),
    scenarioFiles: [],
    nodes: inOrder.map(nodeOf),
    problems: [],
  }
}

export function planOf(lab: Lab, transfer: boolean, patch: Partial<Scenario> = {}): LabPlan {
  const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: transfer }
  return plan(lab, null, { ...DEFAULT_SCENARIO, policy, ...patch })
}

import { capability } from '../../../support/capability.ts'
import { valueOf } from '../../../support/problems.ts'
import { GB } from '../../../../shared/bytes.ts'
import type { ModelFormat } from '../../../../shared/inference-spec.ts'
import type { Lab } from '../../../../shared/lab/lab.ts'
import type { ModelManifest } from '../../../../shared/model-manifest/types.ts'
import type { Capability, DeclaredNode, LabNode } from '../../../../shared/node/types.ts'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'
import type { OverlayDocument } from '../../../../shared/overlay/types.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { LabPlan, PlanInputs, RolePlan } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'

/** When the facts of {@link node} are issued, and for how long they hold. */
export const ISSUED = 1000
export const TTL = 60

/** A roster entry that becomes a role; `fields` replace or add to it as YAML. */
export function entry(id: string, fields: Readonly<Record<string, string>> = {}): string {
  const all = {
    name: 'model-a',
    repo: `repo/${id}`,
    ram_gb: '10',
    backend: 'llamacpp',
    port: '8090',
    ...fields,
  }
  return `- {id: ${id}, ${Object.entries(all)
    .map(([key, value]) => `${key}: ${value}`)
    .join(', ')}}`
}

/** A gguf model of `shards` shards of 5 GB each. */
export function model(name: string, shards = 2, changes: Partial<ModelManifest> = {}): ModelManifest {
  return {
    packageId: `${name}-id`,
    body: {
      name,
      format: 'gguf',
      shards: Array.from({ length: shards }, (_, i) => ({
        path: `${name}-${i + 1}.gguf`,
        size: 5n * GB,
        blake3: shardHash(name, i),
      })),
      redistributable: true,
      tokenizerPath: null,
      tokenizerBlake3: null,
      templatePath: null,
      templateBlake3: null,
      source: null,
    },
    signature: 'valid',
    file: 'registry.json',
    refused: null,
    ...changes,
  }
}

export function withFormat(manifest: ModelManifest, format: ModelFormat): ModelManifest {
  return { ...manifest, body: { ...manifest.body, format } }
}

/** The hash of shard `i` (from 0) of the model that {@link model} makes of `name`. */
export function shardHash(name: string, i: number): string {
  return `${name}/${i}`
}

/** What a node that can run llama.cpp roles of up to 32 GB reports, with 100 GB of room. */
export function able(): Capability[] {
  return [
    capability('runtime.infer.llamacpp'),
    capability('format.gguf'),
    capability('mem.unified', { free: 32e9, total: 64e9 }),
    capability('store.tier.internal', { free: 100e9 }),
  ]
}

/** Holds the whole attested model. */
export function whole(name: string): Capability {
  return capability('model.present', { shards: [`model:${name}-id`] })
}

export function node(nodeId: string, capabilities: readonly Capability[]): LabNode {
  return {
    nodeId,
    facts: { nodeId, issuedAt: ISSUED, ttlSecs: TTL, seq: 1, capabilities, notes: [] },
    declared: null,
    file: `${nodeId}.json`,
  }
}

export function declaredNode(nodeId: string, declared: Partial<DeclaredNode> = {}): LabNode {
  return {
    nodeId,
    facts: null,
    declared: { nodeId, models: new Map(), freeBytes: null, eligible: null, ...declared },
    file: 'fleet.yaml',
  }
}

export interface LabSketch {
  readonly entries?: readonly string[]
  readonly manifests?: readonly ModelManifest[]
  readonly nodes?: readonly LabNode[]
}

export function lab({ entries = [entry('role-a')], manifests = [], nodes = [] }: LabSketch = {}): Lab {
  const roster = valueOf(readRoster(['roster:', ...entries, ''].join('\n'), 'queue.yaml'))
  return { name: 'lab', roster, manifests, shapes: new Map(), scenarioFiles: [], nodes, problems: [] }
}

export function overlay(text: string): OverlayDocument {
  return valueOf(parseOverlay(text, 'overlay.yaml'))
}

/** The plan of all that it is made of. */
export function planOf({ lab: of, overlay: document, scenario }: PlanInputs): LabPlan {
  return plan(of, document, scenario)
}

/** Plans `of` with the default scenario but for `changes`; `transfer` allows it. */
export function planned(
  of: Lab,
  changes: Partial<Scenario> & { readonly transfer?: boolean; readonly overlay?: string } = {},
): LabPlan {
  const { transfer = false, overlay: text, ...rest } = changes
  const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: transfer }
  return plan(of, text === undefined ? null : overlay(text), { ...DEFAULT_SCENARIO, policy, ...rest })
}

/** The first role of a plan that has one. */
export function firstRole(plan: LabPlan): RolePlan {
  const [role] = plan.roles
  if (!role) throw new Error('the plan has no role')
  return role
}

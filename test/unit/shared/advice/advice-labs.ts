import { capability } from '../../../support/capability.ts'
import { adviceLines } from '../../../../shared/advice/advice-words.ts'
import { createAdviser, type Advice } from '../../../../shared/advice/advise.ts'
import type { Change } from '../../../../shared/advice/change.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { PlanInputs } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { lab, model, node, overlay, whole, type LabSketch } from '../plan/make-lab.ts'

export const A = model('model-a')
export const B = model('model-b')
export const LOCKED = { ...A, body: { ...A.body, redistributable: false } }
export const TRANSFER = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }

interface Sketch extends LabSketch {
  readonly overlay?: string
  readonly scenario?: Partial<Scenario>
}

export function inputs({ overlay: text, scenario, ...sketch }: Sketch): PlanInputs {
  return {
    lab: lab({
      manifests: [A],
      ...sketch,
      nodes: [...(sketch.nodes ?? [])].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)),
    }),
    overlay: text === undefined ? null : overlay(text),
    scenario: { ...DEFAULT_SCENARIO, ...scenario },
  }
}

function indexOf(of: PlanInputs, nodeId: string): number {
  return of.lab.nodes.findIndex((each) => each.nodeId === nodeId)
}

/** What is advised for the first role (or number `role`) on the node. */
export function advised(of: PlanInputs, nodeId: string, role = 0): Advice {
  return createAdviser(of).advise(role, indexOf(of, nodeId))
}

export function lines(of: PlanInputs, nodeId: string, role = 0): string[] {
  const { plan } = createAdviser(of)
  const own = plan.roles[role]
  if (!own) throw new Error('no such role')
  return adviceLines(advised(of, nodeId, role), own)
}

export function changesOf(advice: Advice): readonly Change[] {
  return advice.kind === 'changes' ? advice.changes : []
}

/** A node that runs llama.cpp roles, with `free` of `total` GB of memory and `room` GB of storage. */
export function box(
  id: string,
  { free = 32, total = 64, room = 100 } = {},
  ...models: readonly string[]
): LabNode {
  return node(id, [
    capability('runtime.infer.llamacpp'),
    capability('format.gguf'),
    capability('mem.unified', { free: free * 1e9, total: total * 1e9 }),
    capability('store.tier.internal', { free: room * 1e9 }),
    ...models.map(whole),
  ])
}

export const NAS = node('nas', [whole('model-a')])
export const AWAY = capability('model.present', { shards: ['model:model-a-id'] }, { state: 'degraded' })

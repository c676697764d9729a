import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab/lab.ts'
import { heldMemory, SERVER_HELD } from '../node/held-memory.ts'
import type { Capability, LabNode } from '../node/types.ts'
import type { LabPlan } from '../plan/types.ts'
import { matchModel } from './match-model.ts'
import type { ObservedAddress, ServedModel } from './types.ts'

/**
 * `lab` with what servers run now, for nodes whose facts do not say what servers hold: a plan gives a role's own memory
 * back to it (never more than was in use when the facts were gathered). Where a server does not say how much it holds,
 * it is what `plan` counts for the role that it serves. The same object when nothing is to be added.
 */
export function withServersSeen(lab: Lab, plan: LabPlan, observed: readonly ObservedAddress[]): Lab {
  const nodes = lab.nodes.map((node): LabNode => {
    const { facts } = node
    if (facts === null || heldMemory(facts) !== null) return node
    const seen = observed.filter(({ nodeId }) => nodeId === node.nodeId).flatMap((each) => heldAt(each, plan))
    if (seen.length === 0) return node
    return { ...node, facts: { ...facts, capabilities: [...facts.capabilities, ...seen] } }
  })
  return nodes.some((node, i) => node !== lab.nodes[i]) ? { ...lab, nodes } : lab
}

function heldAt({ port, observation }: ObservedAddress, plan: LabPlan): Capability[] {
  if (observation.kind !== 'server') return []
  return observation.models.flatMap((model): Capability[] => {
    const bytes = model.state === 'loaded' ? (model.bytes ?? plannedBytes(model, plan)) : 0n
    if (bytes === 0n) return []
    const file = (model.file ?? model.id).split(/[/\\]/).at(-1) ?? model.id
    const attrs = { process: observation.server, port, model: file, bytes: Number(bytes) }
    return [
      {
        id: SERVER_HELD,
        attrs: new Map(Object.entries(attrs)),
        provenance: 'measured',
        state: 'available',
        exclusive: false,
      },
    ]
  })
}

function plannedBytes(served: ServedModel, plan: LabPlan): bigint {
  const role = plan.roles.find(({ role: id, imported, manifest }) => {
    const wanted = { role: id, model: imported.spec.model, repo: imported.entry.repo, manifest }
    return matchModel(served, wanted) === 'exact'
  })
  return role === undefined ? 0n : specMemoryBytes(role.imported.spec)
}

import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab/lab.ts'
import { heldMemory, SERVER_HELD } from '../node/held-memory.ts'
import type { Capability, LabNode } from '../node/types.ts'
import { EMPTY_OVERLAY } from '../overlay/types.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { matchModel } from './match-model.ts'
import { isResident, type ObservedAddress, type ServedModel, type ServerKind } from './types.ts'

/**
 * `lab` with what servers run now, for nodes whose facts do not say what servers hold: a plan gives a role's own memory
 * back to it (never more than was in use when the facts were gathered). What a server does not say of its memory is what
 * the roster counts for the role that it serves. The same object when nothing is to be added.
 */
export function withServersSeen(lab: Lab, observed: readonly ObservedAddress[]): Lab {
  const running = observed.filter(({ observation }) => observation.kind === 'server')
  if (running.length === 0) return lab
  const specs = lab.roster === null ? [] : importEntries(lab.roster, EMPTY_OVERLAY).specs
  const manifests = new Map(lab.manifests.map((manifest) => [manifest.body.name, manifest]))
  const needOf = (served: ServedModel): bigint => {
    const isOf = ({ spec, entry }: ImportedSpec): boolean => {
      const manifest = spec.model === null ? null : (manifests.get(spec.model) ?? null)
      const wanted = { role: spec.role, model: spec.model, repo: entry.repo, manifest }
      return matchModel(served, wanted) === 'exact'
    }
    const role = specs.find(isOf)
    return role === undefined ? 0n : specMemoryBytes(role.spec)
  }
  const nodes = lab.nodes.map((node): LabNode => {
    const { facts } = node
    if (facts === null || heldMemory(facts) !== null) return node
    const seen = running
      .filter(({ nodeId }) => nodeId === node.nodeId)
      .flatMap((address) => heldAt(address, needOf))
    if (seen.length === 0) return node
    return { ...node, facts: { ...facts, capabilities: [...facts.capabilities, ...seen] } }
  })
  return nodes.some((node, i) => node !== lab.nodes[i]) ? { ...lab, nodes } : lab
}

function heldAt(
  { port, observation }: ObservedAddress,
  needOf: (served: ServedModel) => bigint,
): Capability[] {
  if (observation.kind !== 'server') return []
  const { server, models } = observation
  return models.flatMap((model): Capability[] => {
    // One that still loads held nothing when the facts were gathered.
    if (model.state !== 'loaded') return []
    const bytes = heldBytes(model, server, needOf)
    if (bytes === 0n) return []
    const file = (model.file ?? model.id).split(/[/\\]/).at(-1) ?? model.id
    const attrs = { process: server, port, model: file, bytes: Number(bytes) }
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

/** Other servers than these say the size of the weights at most, and their KV cache comes on top. */
const SAYS_ALL: ReadonlySet<ServerKind> = new Set(['Ollama'])

function heldBytes(model: ServedModel, server: ServerKind, needOf: (served: ServedModel) => bigint): bigint {
  const said = model.bytes ?? 0n
  if (said > 0n && SAYS_ALL.has(server)) return said
  const need = needOf(model)
  return said > need ? said : need
}

/** What the servers of one node hold now, by their own word. */
export interface NodeNow {
  /** Models in memory. */
  readonly models: number
  readonly bytes: bigint
  /** Whether that is all of it: servers that say less than their whole memory make it a lower bound. */
  readonly isWhole: boolean
}

/** By node id, for every node of which a server answered. */
export function nodesNow(observed: readonly ObservedAddress[]): ReadonlyMap<string, NodeNow> {
  const nodes = new Map<string, NodeNow>()
  for (const { nodeId, observation } of observed) {
    if (observation.kind !== 'server') continue
    const resident = observation.models.filter(isResident)
    const { models, bytes, isWhole } = nodes.get(nodeId) ?? { models: 0, bytes: 0n, isWhole: true }
    nodes.set(nodeId, {
      models: models + resident.length,
      bytes: resident.reduce((sum, model) => sum + (model.bytes ?? 0n), bytes),
      isWhole: isWhole && (resident.length === 0 || SAYS_ALL.has(observation.server)),
    })
  }
  return nodes
}

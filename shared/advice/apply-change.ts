import { withOverlay } from '../overlay/with-overlay.ts'
import type { Lab } from '../lab/lab.ts'
import { MODEL_MARKER_PREFIX } from '../locality/holding.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { Capability, DeclaredNode, LabNode } from '../node/types.ts'
import { EMPTY_OVERLAY } from '../overlay/types.ts'
import type { PlanInputs } from '../plan/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Change } from './change.ts'

/**
 * `inputs` after `change`: what planning proves an advice with. Changes of the world (a drive mounted, a model adopted,
 * a manifest signed anew) are changes of the lab as it would then be read.
 */
export function applyChange(inputs: PlanInputs, change: Change): PlanInputs {
  const { scenario } = inputs
  const assume = (changes: Partial<Scenario>): PlanInputs => ({
    ...inputs,
    scenario: { ...scenario, ...changes },
  })
  const policy = (changes: Partial<Scenario['policy']>): PlanInputs =>
    assume({ policy: { ...scenario.policy, ...changes } })
  switch (change.kind) {
    case 'switch_on':
      return assume({ offRoles: without(scenario.offRoles, change.role) })
    case 'switch_off':
      return assume({ offRoles: new Set([...scenario.offRoles, change.role]) })
    case 'bring_back':
      return assume({ awayNodes: without(scenario.awayNodes, change.node) })
    case 'unpin':
      return assume({ pinned: withoutKey(scenario.pinned, change.role) })
    case 'unforce':
      return assume({ forcedNodes: withoutKey(scenario.forcedNodes, change.node) })
    case 'force_in':
      return assume({ forcedNodes: new Map([...scenario.forcedNodes, [change.node, 'in']]) })
    case 'allow_transfer':
      return policy({ allowWeightTransfer: true })
    case 'lower_headroom':
      return policy({ freeHeadroomBytes: change.bytes })
    case 'raise_ceiling':
      return policy({ maxBytes: change.bytes })
    case 'lift_veto':
      return assume({ sharingVeto: false })
    case 'accept_stale':
      return assume({ requireFreshFacts: false })
    case 'free_storage':
      return assume({ freeSpace: new Map([...scenario.freeSpace, [change.node, change.bytes]]) })
    case 'free_memory':
      return assume({ memory: new Map([...scenario.memory, [change.node, change.bytes]]) })
    case 'drop_exclude':
      return withoutExclude(inputs, change.role, change.excluded)
    case 'mount_drive':
      return withNode(inputs, change.node, (node) => mounted(node, change.packageId))
    case 'mark_redistributable':
      return {
        ...inputs,
        lab: withManifests(inputs.lab, (manifest) =>
          manifest.packageId === change.packageId
            ? { ...manifest, body: { ...manifest.body, redistributable: true } }
            : manifest,
        ),
      }
    case 'adopt_model':
      return adopted(inputs, change)
  }
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set([...names].filter((each) => each !== name))
}

function withoutKey<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([each]) => each !== key))
}

function withoutExclude(inputs: PlanInputs, role: string, excluded: string): PlanInputs {
  const overlay = inputs.overlay?.overlay ?? EMPTY_OVERLAY
  const kept = (overlay.excludes.get(role) ?? []).filter(
    (entry) => entry !== excluded && entry !== `role:${excluded}`,
  )
  const excludes = new Map([...overlay.excludes, [role, kept]])
  return { ...inputs, overlay: withOverlay(inputs.overlay, { ...overlay, excludes }) }
}

function withNode(inputs: PlanInputs, nodeId: string, change: (node: LabNode) => LabNode): PlanInputs {
  const nodes = inputs.lab.nodes.map((node) => (node.nodeId === nodeId ? change(node) : node))
  return { ...inputs, lab: { ...inputs.lab, nodes } }
}

function withManifests(lab: Lab, change: (manifest: ModelManifest) => ModelManifest): Lab {
  return { ...lab, manifests: lab.manifests.map(change) }
}

/** The node with its storage of that model there again. */
function mounted(node: LabNode, packageId: string): LabNode {
  if (node.facts === null) return node
  const capabilities = node.facts.capabilities.map((capability): Capability =>
    isHolding(capability, packageId) ? { ...capability, state: 'available' } : capability,
  )
  return { ...node, facts: { ...node.facts, capabilities } }
}

function isHolding({ id, attrs }: Capability, packageId: string): boolean {
  const shards = attrs.get('shards')
  return id === 'model.present' && Array.isArray(shards) && shards.includes(MODEL_MARKER_PREFIX + packageId)
}

function adopted(inputs: PlanInputs, change: Extract<Change, { kind: 'adopt_model' }>): PlanInputs {
  const holding = withNode(inputs, change.node, (node) => ({
    ...node,
    declared: holdsWhole(node, change.model),
  }))
  if (change.assumed === null) return holding
  const manifest: ModelManifest = {
    packageId: `assumed:${change.model}`,
    body: {
      name: change.model,
      format: change.assumed,
      shards: [{ path: change.model, size: change.bytes, blake3: '' }],
      redistributable: false,
      tokenizerPath: null,
      tokenizerBlake3: null,
      templatePath: null,
      templateBlake3: null,
      source: null,
    },
    signature: 'unsigned',
    file: '',
    refused: null,
  }
  return { ...holding, lab: { ...holding.lab, manifests: [...holding.lab.manifests, manifest] } }
}

/** A declaration of the node that it holds all of the model, beside what is declared of it already. */
function holdsWhole({ nodeId, declared }: LabNode, model: string): DeclaredNode {
  const models = new Map([...(declared?.models ?? []), [model, 'complete'] as const])
  return { nodeId, freeBytes: null, eligible: null, ...declared, models }
}

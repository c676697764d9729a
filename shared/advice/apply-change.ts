import type { ModelFormat } from '../inference-spec.ts'
import { withOverlay } from '../overlay/with-overlay.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { DeclaredNode, LabNode } from '../node/types.ts'
import { EMPTY_OVERLAY } from '../overlay/types.ts'
import type { PlanInputs } from '../plan/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Change } from './change.ts'

/**
 * `inputs` after `change`: what planning proves an advice with. Changes of the world (a drive mounted, a program
 * installed, a manifest signed again) become assumptions of the scenario; only a model that no manifest describes
 * changes the lab.
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
      return assume({ heldModels: withNames(scenario.heldModels, change.node, [change.model]) })
    case 'mark_redistributable':
      return assume({ redistributable: new Set([...scenario.redistributable, change.model]) })
    case 'install':
      return assume({ installed: withNames(scenario.installed, change.node, change.capabilities) })
    case 'pin':
      return assume({ pinned: new Map([...scenario.pinned, [change.role, change.node]]) })
    case 'smaller_context':
      return assume({
        roleContext: new Map([...scenario.roleContext, [change.role, change.context]]),
        computedMemory: new Set([...scenario.computedMemory, change.role]),
      })
    case 'adopt_model':
      return change.assumed === null
        ? assume({ heldModels: withNames(scenario.heldModels, change.node, [change.model]) })
        : adopted(inputs, change, change.assumed)
  }
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  return new Set([...names].filter((each) => each !== name))
}

function withoutKey<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([each]) => each !== key))
}

function withNames(
  lists: ReadonlyMap<string, ReadonlySet<string>>,
  key: string,
  added: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...lists, [key, new Set([...(lists.get(key) ?? []), ...added])]])
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

/** A model without a manifest cannot be assumed by a scenario: the lab is given one. */
function adopted(
  inputs: PlanInputs,
  change: Extract<Change, { kind: 'adopt_model' }>,
  format: ModelFormat,
): PlanInputs {
  const holding = withNode(inputs, change.node, (node) => ({
    ...node,
    declared: holdsWhole(node, change.model),
  }))
  const manifest: ModelManifest = {
    packageId: `assumed:${change.model}`,
    body: {
      name: change.model,
      format,
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

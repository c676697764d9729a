import { saturatingAdd } from '../bytes.ts'
import { release, type Refusal } from '../placement/ledger.ts'
import { RUNTIME_TRAITS, specMemoryBytes, type ModelFormat } from '../inference-spec.ts'
import type { Unplaceable } from '../locality/types.ts'
import { largestContext } from '../memory/largest-context.ts'
import { instanceName } from '../placement/place.ts'
import { roleMemory } from '../plan/role-memory.ts'
import type { LabPlan, NodeVerdict, PlanInputs, RolePlan } from '../plan/types.ts'
import type { ConstraintFailure } from '../eligibility/types.ts'
import type { Change } from './change.ts'
import { obstaclesTo, type Obstacle } from './standing.ts'

/** What one asks about: a role of a plan on one of its nodes. */
export interface Question {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
  /** Numbers into `plan.roles` and every role's `nodes`. */
  readonly role: number
  readonly node: number
}

/** What looks at a question needs, found once. */
interface Subject extends Question {
  readonly own: RolePlan
  readonly verdict: NodeVerdict
}

/**
 * Changes of the whole plan's terms: one plan serves the questions of many nodes, and they may help against more than
 * what they are made for (another role finds a better place; a node that is out on a word is one that another word puts
 * in despite its failures). The others are of use only against what they are made for.
 */
const OF_THE_WHOLE_PLAN: readonly Change['kind'][] = [
  'allow_transfer',
  'lower_headroom',
  'raise_ceiling',
  'lift_veto',
  'accept_stale',
  'bring_back',
  'unpin',
  'unforce',
]

/** Single changes that could do away with all `obstacles`; whether one does is for a plan to prove. */
export function candidateChanges(question: Question, obstacles: readonly Obstacle[]): Change[] {
  const own = question.plan.roles[question.role]
  const verdict = own?.verdictAt(question.node)
  if (own === undefined || !verdict) return []
  const subject: Subject = { ...question, own, verdict }
  const candidates = new Map<string, { readonly change: Change; readonly against: Set<Obstacle> }>()
  for (const obstacle of obstacles) {
    for (const change of changesAgainst(obstacle, subject)) {
      const key = changeKey(change)
      const known = candidates.get(key) ?? { change, against: new Set() }
      candidates.set(key, known)
      known.against.add(obstacle)
    }
  }
  return [...candidates.values()]
    .filter(
      ({ change, against }) => against.size === obstacles.length || OF_THE_WHOLE_PLAN.includes(change.kind),
    )
    .map(({ change }) => change)
}

/** Changes that could do away with one obstacle; others may remain. */
export function changesAgainstOne(question: Question, obstacle: Obstacle): Change[] {
  const own = question.plan.roles[question.role]
  const verdict = own?.verdictAt(question.node)
  return own === undefined || !verdict ? [] : changesAgainst(obstacle, { ...question, own, verdict })
}

/** A text that equal changes share. */
export function changeKey(change: Change): string {
  return JSON.stringify(change, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

function changesAgainst(obstacle: Obstacle, subject: Subject): Change[] {
  const { own, verdict } = subject
  switch (obstacle.kind) {
    case 'off':
      return [{ kind: 'switch_on', role: own.role }]
    case 'no_manifest':
      return obstacle.model === null ? [] : [adoptUnknown(obstacle.model, own, verdict)]
    case 'constraint':
      return againstConstraint(obstacle.failure, subject)
    case 'transfer':
      return againstTransfer(obstacle.unplaceable, subject)
    case 'co_residency':
      return againstRefusal(obstacle.refusal, subject)
  }
}

function againstConstraint(failure: ConstraintFailure, subject: Subject): Change[] {
  const { own, verdict, inputs } = subject
  const node = verdict.nodeId
  const forceIn: Change = { kind: 'force_in', node }
  switch (failure.constraint) {
    case 'runtime':
      return failure.found === 'absent' ? [installOn(verdict)] : [forceIn]
    case 'format':
      if (failure.problem.kind === 'not_loadable') return []
      return failure.problem.found === 'absent' ? [installOn(verdict)] : [forceIn]
    case 'memory':
      return [...smallerContext(subject), ...moreMemory(subject), ...(failure.pool === null ? [forceIn] : [])]
    case 'fresh_facts':
      return [{ kind: 'accept_stale' }, forceIn]
    case 'override':
      switch (failure.by) {
        case 'operator':
          return inputs.scenario.forcedNodes.get(node) === 'out' ? [{ kind: 'unforce', node }] : []
        case 'declaration':
          return [forceIn]
        case 'away':
          return [{ kind: 'bring_back', node }]
        case 'pin':
          return [{ kind: 'unpin', role: own.role, node: failure.pinnedTo }]
      }
  }
}

/** All that is absent on the node comes together: a runtime brings the formats it loads. */
function installOn({ nodeId, failures }: NodeVerdict): Change {
  const capabilities = failures.flatMap((failure): string[] => {
    if (failure.constraint === 'runtime') return failure.found === 'absent' ? [failure.capability] : []
    if (failure.constraint !== 'format' || failure.problem.kind !== 'not_advertised') return []
    return failure.problem.found === 'absent' ? [failure.problem.capability] : []
  })
  return { kind: 'install', node: nodeId, capabilities }
}

/** The largest context that fits what the node has left, where that is less than now and the model's shape is known. */
function smallerContext({ inputs, plan, own, role, node }: Subject): Change[] {
  const { lab, scenario } = inputs
  const memory = roleMemory(lab, own.imported, own.manifest, scenario)
  const residency = plan.residency[node]
  if (memory === null || !residency?.ledger.budget) return []
  const { bytes } = residency.ledger.budget
  const name = instanceName(plan.roles, role)
  const { usedBytes } = release(residency.ledger, name)
  const { setting } = memory.need
  const largest = largestContext(memory.shape, setting, bytes > usedBytes ? bytes - usedBytes : 0n)
  if (largest.kind !== 'fits' || largest.context > setting.context) return []
  const { context, bytes: needed } = largest
  return [{ kind: 'smaller_context', role: own.role, context, before: setting.context, bytes: needed }]
}

/** As much free memory as the role needs beside the others there; none where the whole pool is smaller. */
function moreMemory({ plan, own, role, node, verdict }: Subject): Change[] {
  const residency = plan.residency[node]
  if (residency === undefined) return []
  const name = instanceName(plan.roles, role)
  const others = release(residency.ledger, name).usedBytes
  return [memoryOf(verdict, saturatingAdd(others, specMemoryBytes(own.imported.spec)))].flatMap(
    (change) => change ?? [],
  )
}

/** The change to `bytes` free in the node's pool, or null when it has no so large one. */
export function memoryOf({ nodeId, memory }: NodeVerdict, bytes: bigint): Change | null {
  if (memory === null) return { kind: 'free_memory', node: nodeId, bytes, more: null }
  if (bytes > memory.totalBytes || bytes <= memory.freeBytes) return null
  return { kind: 'free_memory', node: nodeId, bytes, more: bytes - memory.freeBytes }
}

/** Those of `nodes` whose copy of the model is on a drive that is away. Asked for every node of a lab of thousands. */
function detachedAmong(nodes: readonly NodeVerdict[]): string[] {
  const detached: string[] = []
  for (const { nodeId, presence } of nodes) if (presence?.detached === true) detached.push(nodeId)
  return detached
}

function againstTransfer(unplaceable: Unplaceable, subject: Subject): Change[] {
  const { own, verdict, inputs } = subject
  const { manifest } = own
  const bytes = verdict.missingBytes ?? 0n
  if (manifest === null) return []
  const { name: model } = manifest.body
  const { packageId } = manifest
  const brought: Change[] = [
    ...detachedAmong(unplaceable.reason === 'no_holder' ? own.nodes : [verdict]).map((node): Change => ({
      kind: 'mount_drive',
      node,
      model,
      packageId,
    })),
    { kind: 'adopt_model', node: verdict.nodeId, model, bytes, assumed: null },
  ]
  switch (unplaceable.reason) {
    case 'no_holder':
    case 'no_eligible_node':
      return brought
    case 'transfer_disabled':
      return [{ kind: 'allow_transfer' }, ...brought]
    case 'not_redistributable':
      return [
        ...(inputs.scenario.sharingVeto ? [{ kind: 'lift_veto' } as const] : []),
        ...(manifest.body.redistributable
          ? []
          : [{ kind: 'mark_redistributable', model, packageId } as const]),
        ...brought,
      ]
    case 'over_ceiling':
      return [{ kind: 'raise_ceiling', bytes: unplaceable.bytes }, ...brought]
    case 'no_space': {
      const { needed, free } = unplaceable
      const more = free === null ? null : needed - free
      return [
        ...(free !== null && free >= bytes ? [{ kind: 'lower_headroom', bytes: free - bytes } as const] : []),
        { kind: 'free_storage', node: verdict.nodeId, bytes: needed, more },
        ...brought,
      ]
    }
  }
}

function againstRefusal(refusal: Refusal, subject: Subject): Change[] {
  const { verdict, inputs } = subject
  const { nodeId } = verdict
  switch (refusal.kind) {
    case 'excluded': {
      const excluded = refusal.declaredBy === refusal.role ? refusal.beside : refusal.role
      const mention = inputs.overlay?.mentions.findLast(
        ({ key, role, exclude }) =>
          key === 'excludes' &&
          role === refusal.declaredBy &&
          (exclude === excluded || exclude === `role:${excluded}`),
      )
      const place =
        inputs.overlay && mention
          ? { file: inputs.overlay.file, line: inputs.overlay.lines.range(mention.span).start.line }
          : null
      return [
        { kind: 'drop_exclude', role: refusal.declaredBy, excluded, place },
        ...moveAway(refusal.beside, subject),
        ...switchOff(refusal.beside, subject, nodeId),
      ]
    }
    case 'over_budget':
      return [
        ...smallerContext(subject),
        ...moreMemory(subject),
        ...refusal.holders
          .filter(({ bytes }) => bytes + refusal.free >= refusal.needed)
          .flatMap(({ role }) => [...moveAway(role, subject), ...switchOff(role, subject, nodeId)]),
      ]
  }
}

/** Places that are looked at for a role that is to move, and that are offered. */
const MOST_LOOKED_AT = 8
const MOST_OFFERED = 2

/** Running `role` on another node that has room for it as things are. */
function moveAway(role: string, { own, plan, node }: Subject): Change[] {
  const number = plan.roles.findIndex((each) => each.role === role)
  const moved = plan.roles[number]
  if (moved === undefined || role === own.role) return []
  const offered: Change[] = []
  let looked = 0
  for (const { nodeId, obstacle } of moved.targets()) {
    if (looked++ === MOST_LOOKED_AT || offered.length === MOST_OFFERED) break
    if (obstacle !== null) continue
    const place = plan.residency.findIndex((each) => each.nodeId === nodeId)
    if (place === -1 || place === node) continue
    if (obstaclesTo(plan, number, place).length === 0) offered.push({ kind: 'pin', role, node: nodeId })
  }
  return offered
}

/** Switching `role` off, as far as that leaves the role that is asked about. */
function switchOff(role: string, { own, plan, node }: Subject, nodeId: string): Change[] {
  if (role === own.role) return []
  const held = plan.residency[node]?.ledger.instances.filter((instance) => instance.role === role) ?? []
  return [{ kind: 'switch_off', role, node: nodeId, bytes: held.reduce((sum, { bytes }) => sum + bytes, 0n) }]
}

/** A model without a manifest is taken to be as large as the roster says, in a format its runtime loads. */
function adoptUnknown(model: string, { imported }: RolePlan, { nodeId }: NodeVerdict): Change {
  const [assumed]: readonly (ModelFormat | undefined)[] = RUNTIME_TRAITS[imported.spec.runtime].formats
  return {
    kind: 'adopt_model',
    node: nodeId,
    model,
    bytes: imported.spec.memory.weightsBytes,
    assumed: assumed ?? 'gguf',
  }
}

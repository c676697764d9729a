import { saturatingAdd } from '../bytes.ts'
import { admit, emptyLedger, release, type Budget, type Instance, type Ledger } from '../placement/ledger.ts'
import type { ModelFetch } from './types.ts'

/** One thing to do, in the order of a run book. */
export type Step =
  | { readonly kind: 'stop'; readonly nodeId: string; readonly role: string; readonly why: StopReason }
  | { readonly kind: 'fetch'; readonly nodeId: string; readonly fetch: ModelFetch }
  | { readonly kind: 'start'; readonly nodeId: string; readonly role: string }

export type StopReason =
  /** The plan runs it nowhere. */
  | { readonly kind: 'not_planned' }
  /** It runs on another node by now. */
  | { readonly kind: 'moved'; readonly to: string }
  /** It must leave before the role it waits for can move in: it is down until it starts on `to`. */
  | { readonly kind: 'makes_room'; readonly for: string; readonly to: string }

/** Roles that wait for each other's place: one of them had to be stopped before it could start elsewhere. */
export interface Knot {
  /** Who waits, each for the place that the next one holds; the last for the first's. */
  readonly waiting: readonly { readonly role: string; readonly from: string; readonly to: string }[]
  /** The role that is down for a while. */
  readonly stopped: string
  /** Room on that node would have spared it; null when an exclude is in the way, which no room helps against. */
  readonly room: { readonly nodeId: string; readonly bytes: bigint } | null
}

/** A fetch that does not fit the disk of its node, and how many bytes it lacks there. */
interface NoSpace {
  readonly fetch: ModelFetch
  readonly missingBytes: bigint
}

export interface NodeState {
  readonly nodeId: string
  readonly budget: Budget | null
  /** Bytes free for weights; null when unknown, which nothing is held to. */
  readonly freeBytes: bigint | null
  /** What runs there now. Roles that the planner does not know of are outside of the budget. */
  readonly running: readonly Instance[]
  /** What the plan runs there. */
  readonly planned: readonly Instance[]
}

export interface Order {
  readonly steps: readonly Step[]
  readonly knots: readonly Knot[]
  readonly noSpace: readonly NoSpace[]
  /** Roles that never find room at their planned place: what runs there now does not leave. */
  readonly stuck: readonly { readonly nodeId: string; readonly role: string }[]
}

interface Relocation {
  readonly instance: Instance
  readonly from: string | null
  readonly to: string
}

/**
 * An order in which a lab gets from what runs now to what is planned: roles that are planned nowhere stop first, then
 * weights come (the smallest first, the largest waits last), then roles start, and one that moves stops at its old place
 * only once it runs at the new one. Nothing exceeds a disk less `headroomBytes`, a node's memory or breaks an exclude at
 * any moment. Where roles wait for each other in a ring the smallest is stopped early, and the ring is a {@link Knot}.
 */
export function orderSteps(
  nodes: readonly NodeState[],
  fetches: readonly ModelFetch[],
  headroomBytes: bigint,
): Order {
  const state = new LabState(nodes)
  const steps: Step[] = []
  const { going, leaving } = relocations(nodes)
  for (const { nodeId, instance } of leaving) {
    state.stop(nodeId, instance)
    steps.push({ kind: 'stop', nodeId, role: instance.role, why: { kind: 'not_planned' } })
  }
  const noSpace: NoSpace[] = []
  for (const fetch of fetches.toSorted((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))) {
    const lacks = state.store(fetch, headroomBytes)
    if (lacks === 0n) steps.push({ kind: 'fetch', nodeId: fetch.target, fetch })
    else noSpace.push({ fetch, missingBytes: lacks })
  }
  const knots: Knot[] = []
  let waiting: readonly Relocation[] = going
  while (waiting.length > 0) {
    const still = waiting.filter((move) => !state.relocate(move, steps))
    if (still.length === waiting.length && !untie(still, state, steps, knots)) break
    waiting = still
  }
  const stuck = waiting.map(({ instance, to }) => ({ nodeId: to, role: instance.role }))
  return { steps, knots, noSpace, stuck }
}

/** Who starts or moves where, and who stops for good. A role that stays where it is does neither. */
function relocations(nodes: readonly NodeState[]): {
  readonly going: readonly Relocation[]
  readonly leaving: readonly { readonly nodeId: string; readonly instance: Instance }[]
} {
  const plannedAt = new Map(
    nodes.flatMap(({ nodeId, planned }) => planned.map(({ name }) => [name, nodeId] as const)),
  )
  const runningAt = new Map<string, string>()
  const leaving: { nodeId: string; instance: Instance }[] = []
  for (const { nodeId, running } of nodes) {
    for (const instance of running) {
      const wanted = plannedAt.get(instance.name)
      const twin = runningAt.get(instance.name)
      // Of a role that runs twice, the one that stays is where it is planned; the other one is not planned.
      if (wanted === undefined || (twin !== undefined && wanted !== nodeId))
        leaving.push({ nodeId, instance })
      else {
        if (twin !== undefined) leaving.push({ nodeId: twin, instance })
        runningAt.set(instance.name, nodeId)
      }
    }
  }
  const going = nodes.flatMap(({ nodeId: to, planned }) =>
    planned.flatMap((instance): Relocation[] => {
      const from = runningAt.get(instance.name) ?? null
      return from === to ? [] : [{ instance, from, to }]
    }),
  )
  return { going, leaving }
}

/** Stops the smallest role of those that hold each other up; false when none of them runs, so that nothing would help. */
function untie(still: readonly Relocation[], state: LabState, steps: Step[], knots: Knot[]): boolean {
  const ring = ringOf(still, state)
  const candidates = (ring.length > 0 ? ring : still).filter(
    (move) => move.from !== null && !state.isStopped(move),
  )
  const smallest = candidates.toSorted((a, b) => (a.instance.bytes < b.instance.bytes ? -1 : 1))[0]
  if (smallest === undefined || smallest.from === null) return false
  const { instance, from, to } = smallest
  const helped = still.find((move) => move !== smallest && move.to === from) ?? smallest
  knots.push({
    waiting: candidates.map((move) => ({
      role: move.instance.role,
      from: move.from ?? move.to,
      to: move.to,
    })),
    stopped: instance.role,
    room: state.roomFor(smallest),
  })
  state.stop(from, instance)
  steps.push({
    kind: 'stop',
    nodeId: from,
    role: instance.role,
    why: { kind: 'makes_room', for: helped.instance.role, to },
  })
  state.markStopped(instance.name)
  return true
}

/** Moves that wait for each other in a ring: each goes to the node that the next one has not left yet. */
function ringOf(still: readonly Relocation[], state: LabState): readonly Relocation[] {
  for (const start of still) {
    const path: Relocation[] = [start]
    for (;;) {
      const last = path.at(-1) ?? start
      const next = still.find(
        (move) => move.from === last.to && !path.includes(move) && !state.isStopped(move),
      )
      if (next === undefined) break
      path.push(next)
      if (next.to === start.from) return path
    }
  }
  return []
}

/** The nodes on the way: who runs there, and how much space is left. */
class LabState {
  readonly #ledgers = new Map<string, Ledger>()
  readonly #free = new Map<string, bigint | null>()
  readonly #stopped = new Set<string>()

  constructor(nodes: readonly NodeState[]) {
    for (const { nodeId, budget, freeBytes, running } of nodes) {
      // What runs now is there, whether or not it keeps to the budget.
      const usedBytes = running.reduce((sum, { bytes }) => saturatingAdd(sum, bytes), 0n)
      this.#ledgers.set(nodeId, { ...emptyLedger(budget), instances: [...running], usedBytes })
      this.#free.set(nodeId, freeBytes)
    }
  }

  stop(nodeId: string, { name }: Instance): void {
    const ledger = this.#ledgers.get(nodeId)
    if (ledger !== undefined) this.#ledgers.set(nodeId, release(ledger, name))
  }

  markStopped(name: string): void {
    this.#stopped.add(name)
  }

  isStopped({ instance }: Relocation): boolean {
    return this.#stopped.has(instance.name)
  }

  /** Takes the space of a fetch; returns the bytes that are missing for it, 0 when it fits. */
  store({ target, bytes }: ModelFetch, headroomBytes: bigint): bigint {
    const free = this.#free.get(target) ?? null
    if (free === null) return 0n
    const lacks = saturatingAdd(bytes, headroomBytes) - free
    if (lacks > 0n) return lacks
    this.#free.set(target, free - bytes)
    return 0n
  }

  /** Starts a role at its new place and stops it at the old one; false when it does not fit there yet. */
  relocate(move: Relocation, steps: Step[]): boolean {
    const { instance, from, to } = move
    const ledger = this.#ledgers.get(to)
    if (ledger === undefined) return false
    const admission = admit(ledger, instance)
    if (!admission.ok) return false
    this.#ledgers.set(to, admission.ledger)
    steps.push({ kind: 'start', nodeId: to, role: instance.role })
    if (from !== null && !this.isStopped(move)) {
      this.stop(from, instance)
      steps.push({ kind: 'stop', nodeId: from, role: instance.role, why: { kind: 'moved', to } })
    }
    return true
  }

  /** The memory that a role lacks at its new place; null when that is not what is in the way. */
  roomFor({ instance, to }: Relocation): Knot['room'] {
    const ledger = this.#ledgers.get(to)
    if (ledger === undefined) return null
    const admission = admit(ledger, instance)
    if (admission.ok || admission.refusals.some(({ kind }) => kind === 'excluded')) return null
    const [refusal] = admission.refusals
    return refusal.kind === 'over_budget' ? { nodeId: to, bytes: refusal.needed - refusal.free } : null
  }
}

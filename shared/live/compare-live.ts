import { listed } from '../listed.ts'
import { matchModel, type ModelMatch, type WantedModel } from './match-model.ts'
import { LIVE_STATE_TRAITS, type LiveState } from './states.ts'
import { isResident, type ObservedAddress, type ServedModel } from './types.ts'

/** A role as the plan has it. */
export interface ExpectedRole extends WantedModel {
  /** Where it should run; null when it should not run at all. */
  readonly nodeId: string | null
  readonly port: number | null
  /** The context it should be served with; null when the plan says none. */
  readonly contextTokens: number | null
}

/** What a role does now, and where that was seen. */
export interface LiveRole {
  readonly role: string
  readonly state: LiveState
  /** Null where nothing of it was seen. */
  readonly seen: SeenModel | null
  /** Why nothing could be seen, for a person; null where that is not so. */
  readonly reason: string | null
}

interface SeenModel {
  readonly nodeId: string
  readonly url: string
  readonly model: ServedModel
}

/** A model that is loaded somewhere and is none that the plan has there. */
export interface StrangeModel extends SeenModel {
  /** The role whose model it is, although the plan does not run it there; null when it is no role's. */
  readonly role: string | null
}

export interface LiveComparison {
  /** In the order of the roles given. */
  readonly roles: readonly LiveRole[]
  readonly strangers: readonly StrangeModel[]
}

interface Candidate extends SeenModel {
  readonly match: ModelMatch
  readonly port: number
}

/**
 * Holds what runs against the plan. A role is looked for on its own node first, by its port and then by its name, and
 * then on all others.
 */
export function compareLive(
  expected: readonly ExpectedRole[],
  observed: readonly ObservedAddress[],
): LiveComparison {
  const roles = expected.map((role) => liveRole(role, observed))
  const claimed = new Set(roles.flatMap(({ seen }) => seen?.model ?? []))
  const strangers = seenModels(observed).flatMap(({ port: _port, ...seen }): StrangeModel[] => {
    if (claimed.has(seen.model) || !isResident(seen.model)) return []
    const owner = expected.find((role) => matchModel(seen.model, role) !== 'none')
    return [{ ...seen, role: owner?.role ?? null }]
  })
  return { roles, strangers }
}

/** How many roles are as planned and how many differ. */
export function countLive({ roles, strangers }: LiveComparison): {
  readonly asPlanned: number
  readonly differ: number
} {
  const differ = roles.filter(({ state }) => LIVE_STATE_TRAITS[state].differs).length
  return {
    asPlanned: roles.filter(({ state }) => state === 'as_planned').length,
    differ: differ + strangers.length,
  }
}

/**
 * What changed from one look to the next, as one sentence for a person: null when every role does what it did, and
 * nothing came or went that is no role's.
 */
export function liveChanges(before: LiveComparison, after: LiveComparison): string | null {
  const was = new Map(before.roles.map(({ role, state }) => [role, state]))
  const changed = after.roles.filter(({ role, state }) => (was.get(role) ?? state) !== state)
  const strange = after.strangers.length !== before.strangers.length
  if (changed.length === 0 && !strange) return null
  const { differ } = countLive(after)
  const rest =
    differ === 0
      ? 'everything that can be seen runs as planned'
      : `${differ} ${differ === 1 ? 'differs' : 'differ'} from the plan`
  const named = listed(
    changed.map(({ role, state }) => `${role} is now “${LIVE_STATE_TRAITS[state].label}”`),
    { most: 3 },
  )
  const what = changed.length === 0 ? 'Models that are not planned came or went' : named
  return `${what}; ${rest}.`
}

function liveRole(expected: ExpectedRole, observed: readonly ObservedAddress[]): LiveRole {
  const candidates = seenModels(observed)
    .map((seen): Candidate => ({ ...seen, match: matchModel(seen.model, expected) }))
    .filter(({ match }) => match !== 'none')
    .sort((a, b) => rank(b, expected) - rank(a, expected))
  const [best] = candidates
  if (expected.nodeId === null) {
    return best !== undefined && isResident(best.model)
      ? live(expected, 'not_planned', best)
      : live(expected, 'as_planned', null)
  }
  if (best?.nodeId === expected.nodeId && best.model.state !== 'unloaded') return atHome(expected, best)
  if (best !== undefined && isResident(best.model)) return live(expected, 'elsewhere', best)
  return unseenAtHome(expected, best, observed)
}

/** The better place first: at home, resident, the right file, on its port. */
function rank({ nodeId, model, match, port }: Candidate, expected: ExpectedRole): number {
  return (
    (isResident(model) ? 8 : 0) +
    (nodeId === expected.nodeId ? 4 : 0) +
    (match === 'exact' ? 2 : 0) +
    (port === expected.port ? 1 : 0)
  )
}

function atHome(expected: ExpectedRole, seen: Candidate): LiveRole {
  // A server that only lists what it could serve, on the role's own port, is taken at its word.
  const isListed = seen.model.state === 'listed' && seen.port === expected.port
  if (!isResident(seen.model) && !isListed) return live(expected, 'asleep', seen)
  if (seen.match === 'other_file') return live(expected, 'other_file', seen)
  const { contextTokens } = seen.model
  if (expected.contextTokens !== null && contextTokens !== null && contextTokens !== expected.contextTokens) {
    return live(expected, 'other_context', seen)
  }
  return live(expected, 'as_planned', seen)
}

/** Its model was seen nowhere, or only as one that could be loaded: what its own node answered says why. */
function unseenAtHome(
  expected: ExpectedRole,
  offered: Candidate | undefined,
  observed: readonly ObservedAddress[],
): LiveRole {
  const home = observed.filter(({ nodeId }) => nodeId === expected.nodeId)
  const own = home.filter(({ port }) => port === expected.port)
  if (own.some(({ observation }) => observation.kind === 'needs_key'))
    return live(expected, 'needs_key', null)
  const occupant = own.flatMap(({ nodeId, url, observation }): SeenModel[] =>
    observation.kind === 'server'
      ? observation.models.filter(isResident).map((model) => ({ nodeId, url, model }))
      : [],
  )[0]
  if (occupant !== undefined) return live(expected, 'other_model', occupant)
  if (offered?.nodeId === expected.nodeId) return live(expected, 'asleep', offered)
  const silent = (own.length > 0 ? own : home).find(({ observation }) => observation.kind === 'no_answer')
  if (silent?.observation.kind === 'no_answer') {
    return { ...live(expected, 'no_answer', null), reason: silent.observation.reason }
  }
  if (home.length === 0) {
    return {
      ...live(expected, 'no_answer', null),
      reason: `no address of ${expected.nodeId ?? 'its node'} may be asked`,
    }
  }
  return live(expected, 'not_running', null)
}

function live({ role }: ExpectedRole, state: LiveState, seen: SeenModel | null): LiveRole {
  const place = seen && { nodeId: seen.nodeId, url: seen.url, model: seen.model }
  return { role, state, seen: place, reason: null }
}

function seenModels(observed: readonly ObservedAddress[]): (SeenModel & { readonly port: number })[] {
  return observed.flatMap(({ nodeId, url, port, observation }) =>
    observation.kind === 'server' ? observation.models.map((model) => ({ nodeId, url, port, model })) : [],
  )
}

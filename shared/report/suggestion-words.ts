import { formatBytes } from '../bytes.ts'
import { admit, emptyLedger, refusalMessage, type Ledger } from '../placement/ledger.ts'
import { cannotRunReason } from './outcome-words.ts'
import { instanceOf } from '../placement/place.ts'
import type { LabPlan } from '../plan/types.ts'
import { decidedNode } from '../locality/decided.ts'
import { plainReason } from '../locality/unplaceable-words.ts'
import { optionOf, rolesByNode } from '../suggest/assignment.ts'
import type { LeftOut } from '../suggest/assignment-problem.ts'
import type { PlanTally, ProvedSuggestion } from '../suggest/proved-suggestion.ts'
import type { Proof, Suggestion } from '../suggest/suggest-plan.ts'
import { plural } from '../listed.ts'

/** What is suggested for one role, and why. */
export interface RoleSuggestion {
  readonly role: string
  /** Null when it runs nowhere, or is not part of the suggestion. */
  readonly nodeId: string | null
  /** Bytes that move for it. */
  readonly bytes: bigint
  readonly reason: string
}

/** Every role of `plan` (which the suggestion was made of), in roster order. */
export function roleSuggestions(plan: LabPlan, suggestion: Suggestion): RoleSuggestion[] {
  const { problem, assignment } = suggestion
  const ledgers = ledgersOf(plan, suggestion)
  const inProblem = new Map(problem.roles.map(({ role }, i) => [role, i]))
  const leftOut = new Map(problem.leftOut.map(({ role, reason }) => [role, reason]))
  return plan.roles.map((own, number) => {
    const role = inProblem.get(number)
    const option = role === undefined ? null : optionOf(problem, assignment, role)
    if (role === undefined) {
      const reason = leftOutText(leftOut.get(number) ?? 'no_option', cannotRunReason(own))
      return { role: own.role, nodeId: null, bytes: 0n, reason }
    }
    const nodeId = option === null ? null : (problem.nodes[option.node]?.nodeId ?? null)
    if (option === null || nodeId === null) {
      return { role: own.role, nodeId: null, bytes: 0n, reason: noRoomText(plan, suggestion, ledgers, role) }
    }
    const decided = decidedNode(own.decision)
    const here =
      option.bytes === 0n
        ? `${nodeId} holds the whole model`
        : `${formatBytes(option.bytes)} of it must be copied to ${nodeId}`
    const instead =
      decided === null || decided === nodeId
        ? ''
        : `; not on ${decided}: ${whyNot(plan, suggestion, ledgers, number, decided)}`
    const home = problem.roles[role]?.home
    const stays =
      problem.roles[role]?.sticky === true && home === option.node ? ', and it is sticky there' : ''
    return { role: own.role, nodeId, bytes: option.bytes, reason: `${here}${stays}${instead}` }
  })
}

function leftOutText(reason: LeftOut, unplaced: string | null): string {
  switch (reason) {
    case 'off':
      return 'it is switched off'
    case 'repeated_id':
      return 'the roster has its id more than once, and a pin goes by id'
    case 'no_option':
      return unplaced === null ? 'no node could run it even by itself' : plainReason(unplaced)
  }
}

function ledgersOf(plan: LabPlan, { problem, assignment }: Suggestion): Ledger[] {
  return rolesByNode(problem, assignment).map((roles, node) =>
    roles.reduce(
      (ledger: Ledger, role) => {
        const own = plan.roles[problem.roles[role]?.role ?? -1]
        const admission = own && admit(ledger, instanceOf(own, own.role))
        return admission?.ok === true ? admission.ledger : ledger
      },
      emptyLedger(problem.nodes[node]?.budget ?? null),
    ),
  )
}

/** Why the role is not on its decided node: what the ledger says there, or that it was better so altogether. */
function whyNot(
  plan: LabPlan,
  { problem }: Suggestion,
  ledgers: readonly Ledger[],
  number: number,
  nodeId: string,
): string {
  const own = plan.roles[number]
  const ledger = ledgers[problem.nodes.findIndex((node) => node.nodeId === nodeId)]
  const admission = own && ledger && admit(ledger, instanceOf(own, own.role))
  if (admission?.ok === false) return plainReason(refusalMessage(admission.refusals[0]))
  return 'this moves less, or clashes less, altogether'
}

function noRoomText(plan: LabPlan, suggestion: Suggestion, ledgers: readonly Ledger[], role: number): string {
  const { roles, nodes } = suggestion.problem
  const { options, role: number } = roles[role] ?? { options: [], role: -1 }
  const own = plan.roles[number]
  const reasons = options.flatMap(({ node }) => {
    const ledger = ledgers[node]
    const admission = own && ledger && admit(ledger, instanceOf(own, own.role))
    const nodeId = nodes[node]?.nodeId ?? ''
    if (admission?.ok !== false) return [`on ${nodeId}: no space for what else comes there`]
    return [`on ${nodeId}: ${plainReason(refusalMessage(admission.refusals[0]))}`]
  })
  return `no room is left for it beside the others; ${reasons.join('; ')}`
}

/** The suggestion in sentences: what it reaches against the plan as it is, and how sure it is that there is none better. */
export function suggestionLines({ suggestion, now, then, isBetter }: ProvedSuggestion): string[] {
  const { problem, proof } = suggestion
  const repeated = problem.leftOut.filter(({ reason }) => reason === 'repeated_id').length
  return [
    isBetter
      ? `${tallyText(then)} (now: ${tallyText(now)}).`
      : `Nothing better was found. The plan stays as it is: ${tallyText(now)}.`,
    ...(repeated === 0
      ? []
      : [`${plural(repeated, 'role')} stay as planned: the roster has their ids more than once.`]),
    proofText(proof, isBetter),
  ]
}

function tallyText({ roles, running, bytes, stickyAtHome, portClashes }: PlanTally): string {
  const moved = bytes === 0n ? 'nothing moves' : `${formatBytes(bytes)} move`
  const clashes = portClashes === 0 ? '' : `, ${plural(portClashes, 'port clash', 'port clashes')}`
  const stay = `${plural(stickyAtHome, 'sticky role')} ${stickyAtHome === 1 ? 'stays' : 'stay'}`
  return `${running} of ${plural(roles, 'role')} can run, ${moved}, ${stay}${clashes}`
}

function proofText(proof: Proof, isBetter: boolean): string {
  if (proof.kind === 'optimal')
    return isBetter ? 'Proved: there is none better.' : 'Proved: nothing is better.'
  switch (proof.stage) {
    case 'placed':
      return 'Not proved: the time ran out before it was clear that no more roles can be placed.'
    case 'bytes': {
      const least =
        proof.bound === null
          ? ''
          : ` (at least ${formatBytes(BigInt(Math.max(0, Math.floor(proof.bound * 1e6))))} must)`
      return `Not proved: the time ran out before it was clear that no fewer bytes can move${least}.`
    }
    case 'kept':
      return 'Proved that no fewer bytes can move; the time ran out before it was clear that no more sticky roles can stay.'
  }
}

import { adviceLines } from '../../shared/advice/advice-words.ts'
import { createAdviser, type Adviser } from '../../shared/advice/advise.ts'
import { rankNodes } from '../../shared/advice/rank-nodes.ts'
import { findLabWayTask, findWayTask, type WaySearch } from '../../shared/advice/shortest-way.ts'
import { wayHeadline, wayLines, whyNoWay } from '../../shared/advice/way-words.ts'
import { labWayToJson, wayToJson } from '../../shared/advice/way-json.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { roleToJson, skippedToJson } from '../../shared/report/plan-json.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import type { LabPlan, PlanInputs, RolePlan } from '../../shared/plan/types.ts'
import { runSync } from '../../shared/task.ts'
import { hasErrors, type Problem } from '../../shared/problem.ts'
import { plural } from '../../shared/listed.ts'
import type { CommonOptions } from './arguments.ts'
import { explainLines, labWayLines, type Explanation } from './explain-text.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { nearNames } from './near-names.ts'
import { openLab, planLab } from './open-lab.ts'
import { complain, joinSections, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor } from './style.ts'
import { hang, printable } from './width.ts'

/** How long the search for the cheapest changes may take, in milliseconds. */
const WAY_MS = 2000

/**
 * `explain ROLE`: why one role is planned as it is, or why it was skipped. `explain` alone: what it would take to run
 * every role.
 */
export async function explainCommand(
  options: CommonOptions & { role: string | null; all: boolean },
  io: CliIo,
): Promise<ExitCode> {
  const memo = new PlanMemo()
  const { opened, plan, problems } = planLab(await openLab(options.lab, io), options.scenario, memo)
  const errors = ofSeverity(problems, 'error')
  reportProblems(errors, opened.sourceOf, io)
  if (!opened.readable) return EXIT.badInput
  const { lab, overlay } = opened
  const adviser = createAdviser({ lab, overlay, scenario: options.scenario }, memo, plan)
  const inputs: PlanInputs = { lab, overlay, scenario: options.scenario }
  const until = Date.now() + WAY_MS
  const search: WaySearch = { memo, isOver: () => Date.now() > until }
  if (options.role === null) {
    const way = runSync(findLabWayTask(inputs, plan, search))
    if (options.json) io.stdout(`${jsonText(labWayToJson(way), 2)}\n`)
    else writeLines(labWayLines(way, outputWidth(io)), io)
    if (hasErrors(errors)) return EXIT.badInput
    return plan.roles.some(({ outcome }) => outcome.kind === 'cannot_run') ? EXIT.unplaceable : EXIT.fine
  }
  const asked: Asked = { id: options.role, all: options.all, inputs, adviser, search }
  const known = options.json ? writeJson(asked, io) : writeText(asked, problems, io)
  if (!known) {
    complain(unknownRoleText(options.role, plan), io)
    return EXIT.badInput
  }
  if (hasErrors(errors)) return EXIT.badInput
  const roles = plan.roles.filter(({ role }) => role === options.role)
  return roles.some(({ outcome }) => outcome.kind === 'cannot_run') ? EXIT.unplaceable : EXIT.fine
}

/**
 * Whether there is such a role, or an entry skipped under that id. A roster may have an id more than once.
 */
function writeText(asked: Asked, problems: readonly Problem[], io: CliIo): boolean {
  const { id, adviser } = asked
  const { plan } = adviser
  const width = outputWidth(io)
  const style = styleFor('stdout', io)
  const notices = problems.filter(({ role, severity }) => role === id && severity !== 'error')
  const explained = [
    ...plan.roles.flatMap((role, i) =>
      role.role === id ? [explainLines(explanationOf(asked, role, i), notices, width, style)] : [],
    ),
    ...plan.skipped
      .filter((entry) => entry.id === id)
      .map(({ reason }) => [
        `${style.heading(printable(id))} ${style.no('is skipped')}`,
        ...hang('', `The roster entry does not become a role: ${printable(reason)}.`, width),
      ]),
  ]
  writeLines(joinSections(explained), io)
  return explained.length > 0
}

/** A question after one role. */
interface Asked {
  readonly id: string
  readonly all: boolean
  readonly inputs: PlanInputs
  readonly adviser: Adviser
  readonly search: WaySearch
}

/** Nodes shown unless all are asked for. */
const MOST_NODES = 20

function explanationOf({ all, inputs, adviser, search }: Asked, role: RolePlan, number: number): Explanation {
  const { plan } = adviser
  const ranked = rankNodes(inputs, plan, number)
  const isAll = all || ranked.length <= MOST_NODES
  const nodes = (isAll ? ranked : ranked.slice(0, MOST_NODES)).map(({ node }) => node)
  return {
    role,
    nodes,
    adviceOf: (node) => adviceOn(adviser, number, node),
    way: wayOf({ inputs, plan, role, number, search }),
  }
}

/** What would let a role run that cannot, as lines; null for one that runs or is switched off. */
function wayOf(of: {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
  readonly role: RolePlan
  readonly number: number
  readonly search: WaySearch
}): Explanation['way'] {
  const { inputs, plan, role, number, search } = of
  if (role.outcome.kind !== 'cannot_run') return null
  const answer = runSync(findWayTask(inputs, plan, number, search))
  const reason = answer.way === null ? whyNoWay(inputs, plan, number) : ''
  return { headline: wayHeadline(answer, role, reason), changes: wayLines(answer), answer }
}

/** Changes shown for each node: the cheapest say enough, and each is a whole plan to prove. */
const MOST_ADVICE = 3

/** What would let role number `role` run on node number `node`; nothing where it could as things are. */
function adviceOn({ plan, advise }: Adviser, role: number, node: number): string[] {
  const own = plan.roles[role]
  const advice = advise(role, node, MOST_ADVICE)
  return own === undefined || advice.kind === 'placeable' ? [] : adviceLines(advice, own)
}

/**
 * The one role's object of `plan --json`; of several roles of one id the first, as the reference looks them
 * up.
 */
function writeJson({ id, inputs, adviser: { plan }, search }: Asked, io: CliIo): boolean {
  const roles = plan.roles.filter(({ role }) => role === id)
  const skipped = plan.skipped.find((entry) => entry.id === id)
  const [role] = roles
  const number = role === undefined ? -1 : plan.roles.indexOf(role)
  const way = role === undefined ? null : wayOf({ inputs, plan, role, number, search })
  const json =
    role === undefined
      ? skipped && skippedToJson(skipped)
      : { ...roleToJson(role), way: way && wayToJson(way.answer, way.headline) }
  if (json === undefined) return false
  io.stdout(`${jsonText(json, 2)}\n`)
  if (roles.length > 1) {
    io.stderr(
      `lab-planner: warning: the roster has ${plural(roles.length, 'role')} of this id; this is the first\n`,
    )
  }
  return true
}

function unknownRoleText(id: string, plan: LabPlan): string {
  const ids = [...plan.roles.map(({ role }) => role), ...plan.skipped.map((entry) => entry.id)]
  const near = nearNames(id, ids)
  const advice =
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : ids.length === 0
        ? 'the roster is empty'
        : `it has ${[...new Set(ids)].join(', ')}`
  return `the roster has no role ${JSON.stringify(id)}; ${advice}`
}

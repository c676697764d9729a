import { adviceLines } from '../../shared/advice/advice-words.ts'
import { createAdviser, type Adviser } from '../../shared/advice/advise.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { roleToJson, skippedToJson } from '../../shared/report/plan-json.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { hasErrors, type Problem } from '../../shared/problem.ts'
import { plural } from '../../shared/listed.ts'
import type { CommonOptions } from './arguments.ts'
import { explainLines } from './explain-text.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { nearNames } from './near-names.ts'
import { openLab, planLab } from './open-lab.ts'
import { complain, joinSections, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor } from './style.ts'
import { hang, printable } from './width.ts'

/** `explain ROLE`: why one role is planned as it is, or why it was skipped. */
export async function explainCommand(
  options: CommonOptions & { role: string },
  io: CliIo,
): Promise<ExitCode> {
  const memo = new PlanMemo()
  const { opened, plan, problems } = planLab(await openLab(options.lab, io), options.scenario, memo)
  const errors = ofSeverity(problems, 'error')
  reportProblems(errors, opened.sourceOf, io)
  if (!opened.readable) return EXIT.badInput
  const { lab, overlay } = opened
  const adviser = createAdviser({ lab, overlay, scenario: options.scenario }, memo, plan)
  const known = options.json
    ? writeJson(options.role, plan, io)
    : writeText(options.role, adviser, problems, io)
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
function writeText(id: string, adviser: Adviser, problems: readonly Problem[], io: CliIo): boolean {
  const { plan } = adviser
  const width = outputWidth(io)
  const style = styleFor('stdout', io)
  const told = problems.filter(({ role, severity }) => role === id && severity !== 'error')
  const explained = [
    ...plan.roles.flatMap((role, i) =>
      role.role === id ? [explainLines(role, (node) => adviceOn(adviser, i, node), told, width, style)] : [],
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

/** Changes told for each node: the cheapest say enough, and each is a whole plan to prove. */
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
function writeJson(id: string, plan: LabPlan, io: CliIo): boolean {
  const roles = plan.roles.filter(({ role }) => role === id)
  const skipped = plan.skipped.find((entry) => entry.id === id)
  const json = roles[0] ? roleToJson(roles[0]) : skipped && skippedToJson(skipped)
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

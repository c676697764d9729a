import { formatBytes, formatExactBytes, sumBytes } from '../bytes.ts'
import type { Problem } from '../problem.ts'
import { nodeFindings, roleFacts } from './explain-text.ts'
import { codeBlock, escape, joinBlocks, list, table } from './markdown.ts'
import { onItsOwnText, outcomeSentence, shortOutcome } from './outcome-words.ts'
import { assumptions, formatGib } from '../scenario/scenario.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { roleNotes } from './words.ts'

/** What a plan is of, beside what it says itself. */
export interface PlanSource {
  /** The lab's folder, as it is shown. */
  readonly lab: string
  /** The named scenario that it is planned under; null where what is assumed has no name. */
  readonly scenario: string | null
}

/**
 * A whole plan as a Markdown document: the lab, when it was planned, the terms, a table of all roles, what was skipped, the problems, and a
 * chapter for each role that moves bytes or is not placed (`every`: for each role).
 */
export function planMarkdown(
  plan: LabPlan,
  source: PlanSource,
  explained: 'notable' | 'every' = 'notable',
): string {
  const chapters = plan.roles.filter(({ outcome }) => explained === 'every' || outcome.kind !== 'in_place')
  return joinBlocks([
    '# Plan',
    sumText(plan),
    termLines(plan.scenario, source),
    table(['Role', 'Runtime', 'Latency', 'Outcome', 'Bytes to move', 'Where'], plan.roles.map(roleRow), [
      'left',
      'left',
      'left',
      'left',
      'right',
      'left',
    ]),
    ...(plan.skipped.length === 0
      ? []
      : ['## Skipped', list(plan.skipped.map(({ id, reason }) => `${escape(id)}: ${escape(reason)}`))]),
    ...(plan.problems.length === 0 ? [] : ['## Problems', list(plan.problems.map(problemItem))]),
    ...chapters.flatMap((role) => roleBlocks(role, '##')),
  ])
}

/** One role's explanation as Markdown: the verdict, the facts, the notes to the letter, and every node. */
export function roleMarkdown(role: RolePlan): string {
  return joinBlocks(roleBlocks(role, '#'))
}

function roleBlocks(role: RolePlan, heading: '#' | '##'): string[] {
  const notes = roleNotes(role)
  return [
    `${heading} ${escape(role.role)}`,
    escape(outcomeSentence(role)),
    escape(onItsOwnText(role) ?? ''),
    list(roleFacts(role).map(({ label, text }) => `${label}: ${escape(text)}`)),
    ...(notes.length === 0 ? [] : [codeBlock(notes)]),
    ...(role.nodes.length === 0 ? [] : [nodeTable(role)]),
  ]
}

function nodeTable(role: RolePlan): string {
  return table(
    ['Node', 'Eligible', 'Holding', 'Room', 'Why not'],
    nodeFindings(role).map((node) => [
      escape(node.nodeId),
      escape(node.standing),
      escape(
        [node.holding ?? 'no manifest to compare with', node.missing]
          .filter((text) => text !== null)
          .join(': '),
      ),
      escape(node.free),
      node.failures.map(({ label, text }) => `${escape(label)}: ${escape(text)}`).join('<br>'),
    ]),
  )
}

function roleRow(plan: RolePlan): string[] {
  const { role, imported, outcome } = plan
  return [
    escape(role),
    escape(imported.spec.runtime),
    imported.spec.latencyClass,
    escape(shortOutcome(plan)),
    outcome.bytes.toString(),
    escape(outcome.nodeId ?? ''),
  ]
}

function sumText({ roles, skipped, residency }: LabPlan): string {
  const placed = roles.filter(({ outcome }) => outcome.nodeId !== null).length
  const bytes = sumBytes(residency.map(({ incomingBytes }) => incomingBytes))
  const moves =
    bytes === 0n ? 'nothing moves' : `${formatBytes(bytes)} (${formatExactBytes(bytes)}) would move`
  const entries = skipped.length === 1 ? '1 entry' : `${skipped.length} entries`
  return `${placed} of ${roles.length} roles run, ${moves}, ${entries} skipped.`
}

function termLines(scenario: Scenario, source: PlanSource): string {
  const { policy, nowSecs } = scenario
  return list([
    `lab: ${escape(source.lab)}`,
    ...(nowSecs === null ? [] : [`files read: ${utcText(nowSecs)}`]),
    `scenario: ${source.scenario === null ? 'not named' : escape(source.scenario)}`,
    `weight transfer: ${policy.allowWeightTransfer ? 'on' : 'off'}`,
    `ceiling: ${policy.maxBytes === null ? 'none' : formatGib(policy.maxBytes)}`,
    `headroom: ${formatGib(policy.freeHeadroomBytes)}`,
    ...assumptions(scenario).map(escape),
  ])
}

/** Unix seconds as `2026-12-01 09:30 UTC`. */
function utcText(secs: number): string {
  const date = new Date(secs * 1000)
  // Facts may be judged by a time that no calendar has.
  if (Number.isNaN(date.getTime())) return `${secs} (unix seconds)`
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function problemItem({ severity, message, file, range }: Problem): string {
  const place = range === null ? '' : `:${range.start.line}:${range.start.column}`
  return `${severity}: ${escape(message)}${file === null ? '' : ` (${escape(file)}${place})`}`
}

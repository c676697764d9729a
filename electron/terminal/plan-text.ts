import { formatBytes, formatExactBytes, sumBytes } from '../../shared/bytes.ts'
import { placementSentence, unplacedReason } from '../../shared/report/placement-words.ts'
import { isUnplaced, placedBytes, placedNode } from '../../shared/plan/outcome.ts'
import { assumptions, formatGib } from '../../shared/scenario/scenario.ts'
import type { LabPlan, RoleDecision, RolePlan } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import { SHORT_REASONS } from '../../shared/report/words.ts'
import { decidedNode, isPlaced } from '../../shared/plan/outcome.ts'
import type { Problem } from '../../shared/problem.ts'
import { listed, plural } from '../../shared/listed.ts'
import { countsText, joinSections, ofSeverity, problemLines } from './report.ts'
import type { Style } from './style.ts'
import { renderTable, type Cell } from './table.ts'
import { displayWidth, hang, pad, printable } from './width.ts'

/**
 * A whole plan as lines of at most `width` cells: table, what moves, what is not placed, skipped, problems,
 * sum.
 */
export function planLines(
  labName: string,
  plan: LabPlan,
  problems: readonly Problem[],
  width: number,
  style: Style,
): string[] {
  const told = [...ofSeverity(problems, 'warning'), ...ofSeverity(problems, 'info')]
  const sections: string[][] = [
    [style.heading(`Plan of ${printable(labName)}`), style.faint(scenarioText(plan.scenario))],
    plan.roles.length === 0 ? ['The roster has no role to place.'] : roleTable(plan.roles, width, style),
    section('To fetch', plan.roles.flatMap(fetchItem), width, style),
    section('Not placed', plan.roles.flatMap(unplacedItem), width, style),
    section('Beside the other roles', plan.roles.flatMap(displacedItem), width, style),
    section(
      'Skipped',
      plan.skipped.map(({ id, reason }) => ({ label: printable(id), text: printable(reason) })),
      width,
      style,
    ),
    told.length === 0 ? [] : [style.heading('Problems'), ...problemLines(told, width, style)],
    [...hang('', summaryText(plan, problems), width)],
  ]
  return joinSections(sections)
}

function roleTable(roles: readonly RolePlan[], width: number, style: Style): string[] {
  return renderTable(
    [
      { title: 'ROLE', min: 8 },
      { title: 'RUNTIME', min: 5 },
      { title: 'LATENCY', min: 5 },
      { title: 'DECISION', min: 8 },
      { title: 'MOVES', align: 'right' },
      { title: 'WHERE', min: 8 },
    ],
    roles.map((role) => roleRow(role, style)),
    width,
    style.faint,
  )
}

/** The decision as the reference makes it, role by role; what co-residency makes of it is told below the table. */
function roleRow({ role, imported, decision }: RolePlan, style: Style): Cell[] {
  const { runtime, latencyClass } = imported.spec
  return [
    { text: role, paint: style.strong },
    { text: runtime.replace(/^infer\./, '') },
    { text: latencyClass },
    decisionCell(decision, style),
    decision.kind === 'fetch_then_place'
      ? { text: formatBytes(decision.bytes), paint: style.moves }
      : { text: '-', paint: style.faint },
    whereCell(decision, style),
  ]
}

function decisionCell(decision: RoleDecision, style: Style): Cell {
  switch (decision.kind) {
    case 'place_at_holder':
      return { text: 'in place', paint: style.held }
    case 'fetch_then_place':
      return { text: 'fetch', paint: style.moves }
    case 'unplaceable':
      return { text: 'unplaceable', paint: style.no }
    case 'no_manifest':
      return { text: 'no manifest', paint: style.no }
  }
}

function whereCell(decision: RoleDecision, style: Style): Cell {
  const node = decidedNode(decision)
  if (node !== null) return { text: node }
  return {
    text: decision.kind === 'unplaceable' ? SHORT_REASONS[decision.unplaceable.reason] : '-',
    paint: style.faint,
  }
}

interface Item {
  readonly label: string
  readonly text: string
}

function fetchItem(plan: RolePlan): Item[] {
  const { role, decision, placement } = plan
  if (placement.kind !== 'placed' || placement.bytes === 0n) return []
  const { nodeId, bytes } = placement
  const sources = plan.nodes.filter((node) => node.complete).map((node) => node.nodeId)
  const shards =
    decision.kind === 'fetch_then_place' && decision.target === nodeId
      ? `${plural(decision.missingShards, 'shard')}, `
      : ''
  return [{ label: role, text: `to ${nodeId}: ${shards}${bytes} bytes, from ${listed(sources)}` }]
}

function unplacedItem(role: RolePlan): Item[] {
  const reason = isPlaced(role.decision) ? null : unplacedReason(role)
  return reason === null ? [] : [{ label: role.role, text: reason.replace(/^unplaceable: /, '') }]
}

function displacedItem(role: RolePlan): Item[] {
  const sentence = placementSentence(role)
  return sentence === null ? [] : [{ label: role.role, text: sentence }]
}

const LABEL_MAX = 24

/** A titled list of labelled texts, the texts below each other; nothing at all when there is none. */
function section(title: string, items: readonly Item[], width: number, style: Style): string[] {
  if (items.length === 0) return []
  const labelWidth = Math.min(LABEL_MAX, Math.max(...items.map(({ label }) => displayWidth(label))))
  return [
    style.heading(title),
    ...items.flatMap(({ label, text }) => {
      if (displayWidth(label) <= labelWidth) return hang(`  ${pad(label, labelWidth)}  `, text, width)
      return [`  ${label}`, ...hang(' '.repeat(labelWidth + 4), text, width)]
    }),
  ]
}

/** The terms of the plan: `transfer allowed, no ceiling, 1 GiB headroom`. */
function scenarioText(scenario: Scenario): string {
  const { policy } = scenario
  return [
    policy.allowWeightTransfer ? 'transfer allowed' : 'transfer off',
    policy.maxBytes === null ? 'no ceiling' : `at most ${formatGib(policy.maxBytes)} a role`,
    `${formatGib(policy.freeHeadroomBytes)} headroom`,
    ...assumptions(scenario).map(printable),
  ].join(', ')
}

function summaryText(plan: LabPlan, problems: readonly Problem[]): string {
  const placed = plan.roles.filter((role) => placedNode(role) !== null).length
  const unplaced = plan.roles.filter(isUnplaced).length
  const off = plan.roles.length - placed - unplaced
  const fetches = plan.roles.filter((role) => placedBytes(role) > 0n).length
  const bytes = sumBytes(plan.residency.map(({ incomingBytes }) => incomingBytes))
  return [
    `${plural(plan.roles.length, 'role')}: ${placed} placed`,
    fetches === 0
      ? 'nothing to fetch'
      : `${fetches} to fetch (${formatBytes(bytes)}, ${formatExactBytes(bytes)})`,
    `${unplaced} unplaceable`,
    ...(off === 0 ? [] : [`${off} off`]),
    `${plan.skipped.length} skipped`,
  ]
    .join(', ')
    .concat(problems.length === 0 ? '.' : `; ${countsText(problems)}.`)
}

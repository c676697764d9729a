import { formatBytes, formatExactBytes, sumBytes } from '../../shared/bytes.ts'
import { formatGib } from '../../shared/plan/scenario.ts'
import type { LabPlan, RoleDecision, RolePlan, Scenario } from '../../shared/plan/types.ts'
import {
  bytesToMove,
  decidedNode,
  isPlaced,
  SHORT_REASONS,
  unplaceableReason,
} from '../../shared/plan/words.ts'
import type { Problem } from '../../shared/problem.ts'
import { countsText, joinSections, listed, ofSeverity, plural, problemLines } from './report.ts'
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

function fetchItem({ role, decision }: RolePlan): Item[] {
  if (decision.kind !== 'fetch_then_place') return []
  const { target, missingShards, bytes, sources } = decision
  const text = `to ${target}: ${plural(missingShards, 'shard')}, ${bytes} bytes, from ${listed(sources)}`
  return [{ label: role, text }]
}

function unplacedItem({ role, decision }: RolePlan): Item[] {
  if (isPlaced(decision)) return []
  const reason = unplaceableReason(decision)
  if (reason !== null) return [{ label: role, text: reason }]
  const model = decision.kind === 'no_manifest' ? decision.model : null
  return [
    {
      label: role,
      text:
        model === null
          ? 'its name is not a plain token, so no manifest can match'
          : `no manifest is named ${model}`,
    },
  ]
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
function scenarioText({ policy, sharingVeto, requireFreshFacts, forcedNodes }: Scenario): string {
  const forced = [...forcedNodes].map(([node, way]) => `${printable(node)} forced ${way}`)
  return [
    policy.allowWeightTransfer ? 'transfer allowed' : 'transfer off',
    policy.maxBytes === null ? 'no ceiling' : `at most ${formatGib(policy.maxBytes)} a role`,
    `${formatGib(policy.freeHeadroomBytes)} headroom`,
    ...(sharingVeto ? ['sharing vetoed'] : []),
    ...(requireFreshFacts ? ['fresh facts required'] : []),
    ...forced,
  ].join(', ')
}

function summaryText(plan: LabPlan, problems: readonly Problem[]): string {
  const placed = plan.roles.filter(({ decision }) => isPlaced(decision)).length
  const fetches = plan.roles.filter(({ decision }) => decision.kind === 'fetch_then_place')
  const bytes = sumBytes(fetches.map(({ decision }) => bytesToMove(decision)))
  return [
    `${plural(plan.roles.length, 'role')}: ${placed} placed`,
    fetches.length === 0
      ? 'nothing to fetch'
      : `${fetches.length} to fetch (${formatBytes(bytes)}, ${formatExactBytes(bytes)})`,
    `${plan.roles.length - placed} unplaceable`,
    `${plan.skipped.length} skipped`,
  ]
    .join(', ')
    .concat(problems.length === 0 ? '.' : `; ${countsText(problems)}.`)
}

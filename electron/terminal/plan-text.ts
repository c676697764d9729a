import { formatBytes, formatExactBytes, sumBytes } from '../../shared/bytes.ts'
import {
  cannotRunReason,
  onItsOwnText,
  obstacleReason,
  outcomeDetail,
  shortReason,
} from '../../shared/report/outcome-words.ts'
import { plainReason } from '../../shared/locality/unplaceable-words.ts'
import { moveCost, type RoleMove } from '../../shared/plan/move-cost.ts'
import { isDisplaced, type Outcome } from '../../shared/plan/outcome.ts'
import { assumptions, formatGib } from '../../shared/scenario/scenario.ts'
import type { LabPlan, RolePlan } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Problem } from '../../shared/problem.ts'
import { listed, plural } from '../../shared/listed.ts'
import { countsText, joinSections, ofSeverity, problemLines } from './report.ts'
import type { Style } from './style.ts'
import { renderTable, type Cell } from './table.ts'
import { cutWords, displayWidth, hang, pad, printable } from './width.ts'

/**
 * A whole plan as lines of at most `width` cells: table, what moves, what cannot run, skipped, problems,
 * sum.
 */
export function planLines(
  labName: string,
  plan: LabPlan,
  problems: readonly Problem[],
  width: number,
  style: Style,
  all = true,
): string[] {
  const notices = [...ofSeverity(problems, 'warning'), ...ofSeverity(problems, 'info')]
  const sections: string[][] = [
    [style.heading(`Plan of ${printable(labName)}`), style.faint(scenarioText(plan.scenario))],
    plan.roles.length === 0 ? ['The roster has no role to place.'] : roleTable(plan.roles, width, style),
    section('To fetch', fetchItems(plan), width, style),
    section('Cannot run', plan.roles.flatMap(cannotRunItem), width, style),
    section('Instead of their own node', plan.roles.flatMap(elsewhereItem), width, style),
    section(
      'Skipped',
      plan.skipped.map(({ id, reason }) => ({ label: printable(id), text: printable(reason) })),
      width,
      style,
    ),
    notices.length === 0 ? [] : [style.heading('Problems'), ...problemLines(notices, width, style, all)],
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
      { title: 'OUTCOME', min: 8 },
      { title: 'MOVES', align: 'right' },
      { title: 'WHERE', min: 8 },
    ],
    roles.map((role) => roleRow(role, style)),
    width,
    style.faint,
  )
}

function roleRow({ role, imported, outcome }: RolePlan, style: Style): Cell[] {
  const { runtime, latencyClass } = imported.spec
  return [
    { text: role, paint: style.strong },
    { text: runtime.replace(/^infer\./, '') },
    { text: latencyClass },
    outcomeCell(outcome, style),
    outcome.bytes > 0n
      ? { text: formatBytes(outcome.bytes), paint: style.moves }
      : { text: '-', paint: style.faint },
    whereCell(outcome, style),
  ]
}

function outcomeCell(outcome: Outcome, style: Style): Cell {
  switch (outcome.kind) {
    case 'in_place':
      return { text: 'in place', paint: style.held }
    case 'after_fetching':
      return { text: 'fetch', paint: style.moves }
    case 'elsewhere':
      return { text: 'elsewhere', paint: outcome.bytes === 0n ? style.held : style.moves }
    case 'cannot_run':
      return { text: 'cannot run', paint: style.no }
    case 'switched_off':
      return { text: 'switched off', paint: style.faint }
  }
}

function whereCell(outcome: Outcome, style: Style): Cell {
  if (outcome.nodeId !== null) return { text: outcome.nodeId }
  return { text: outcome.kind === 'cannot_run' ? shortReason(outcome.reason) : '-', paint: style.faint }
}

interface Item {
  readonly label: string
  readonly text: string
}

function fetchItems(plan: LabPlan): Item[] {
  const moves = new Map(moveCost(plan, []).moves.map((move) => [move.rolePlan, move]))
  return plan.roles.flatMap((role) => fetchItem(role, moves.get(role)))
}

function fetchItem({ role, outcome, holders }: RolePlan, move: RoleMove | undefined): Item[] {
  const { nodeId, alone } = outcome
  if (nodeId === null || move === undefined) return []
  if (move.movedFor !== null) {
    return [
      { label: role, text: `to ${nodeId}: the same ${outcome.bytes} bytes that come for ${move.movedFor}` },
    ]
  }
  const { bytes } = move
  const shards =
    alone.kind === 'fetch_then_place' && alone.target === nodeId
      ? `${plural(alone.missingShards, 'shard')}, `
      : ''
  return [{ label: role, text: `to ${nodeId}: ${shards}${bytes} bytes, from ${listed(holders)}` }]
}

function cannotRunItem(role: RolePlan): Item[] {
  const reason = cannotRunReason(role)
  if (reason === null) return []
  const text = isDisplaced(role.outcome)
    ? [outcomeDetail(role), onItsOwnText(role)].filter((part) => part !== null).join(' ')
    : plainReason(reason)
  return [{ label: role.role, text }]
}

function elsewhereItem(role: RolePlan): Item[] {
  const { outcome } = role
  if (outcome.kind !== 'elsewhere') return []
  return [
    {
      label: role.role,
      text: `on ${outcome.nodeId} instead of ${outcome.insteadOf}: ${obstacleReason(outcome.reason)}`,
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
    ...items.flatMap(({ label: whole, text }) => {
      const label = cutWords(whole)
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
  const count = (is: (outcome: Outcome) => boolean): number =>
    plan.roles.filter(({ outcome }) => is(outcome)).length
  const running = count(({ nodeId }) => nodeId !== null)
  const stuck = count(({ kind }) => kind === 'cannot_run')
  const off = count(({ kind }) => kind === 'switched_off')
  const fetches = moveCost(plan, []).moves.filter(({ movedFor }) => movedFor === null).length
  const bytes = sumBytes(plan.residency.map(({ incomingBytes }) => incomingBytes))
  return [
    `${plural(plan.roles.length, 'role')}: ${running} can run`,
    fetches === 0
      ? 'nothing to fetch'
      : `${fetches} to fetch (${formatBytes(bytes)}, ${formatExactBytes(bytes)})`,
    `${stuck} cannot run`,
    ...(off === 0 ? [] : [`${off} switched off`]),
    `${plan.skipped.length} skipped`,
  ]
    .join(', ')
    .concat(problems.length === 0 ? '.' : `; ${countsText(problems)}.`)
}

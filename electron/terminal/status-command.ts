import {
  countLive,
  type LiveComparison,
  type LiveRole,
  type StrangeModel,
} from '../../shared/live/compare-live.ts'
import { liveAddresses } from '../../shared/live/addresses.ts'
import { compareToPlan } from '../../shared/live/expected-roles.ts'
import { LIVE_STATE_TRAITS } from '../../shared/live/states.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { hasErrors } from '../../shared/problem.ts'
import { plural } from '../../shared/listed.ts'
import { observeAll, type WatchMemory } from '../host/live/observe.ts'
import type { CommonOptions } from './arguments.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { withServersSeen } from '../../shared/live/servers-seen.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { openLab, planLab, type PlannedLab } from './open-lab.ts'
import { complain, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor } from './style.ts'
import { renderTable } from './table.ts'
import { printable } from './width.ts'

export type StatusOptions = CommonOptions & { readonly watch: boolean }

/** Between two rounds of `--watch`, in milliseconds. */
const ROUND_MS = 10_000

/** `status`: asks the servers of the lab what they run and holds it against the plan. Exit 1 when something differs. */
export async function statusCommand(options: StatusOptions, io: CliIo): Promise<ExitCode> {
  const planned = planLab(await openLab(options.lab, io), options.scenario)
  const { opened, problems } = planned
  reportProblems(ofSeverity(problems, 'error'), opened.sourceOf, io)
  if (!opened.readable || hasErrors(problems)) return EXIT.badInput
  const { addresses, leftPorts } = liveAddresses(opened.lab.nodes, opened.lab.roster)
  if (addresses.length === 0) {
    complain(
      'fleet.yaml gives no node a `url`: add `url: http://HOST:PORT` to the nodes that may be asked',
      io,
    )
    return EXIT.badInput
  }
  for (const { nodeId, left } of leftPorts) {
    complain(
      `${nodeId}: ${plural(left, 'port')} of roles are not asked; that is more than one node has room for`,
      io,
    )
  }
  const controller = new AbortController()
  const release = io.onInterrupt?.(() => controller.abort())
  try {
    return await rounds(options, planned, addresses, controller.signal, io)
  } finally {
    release?.()
  }
}

async function rounds(
  options: StatusOptions,
  planned: PlannedLab,
  addresses: Parameters<typeof observeAll>[0],
  signal: AbortSignal,
  io: CliIo,
): Promise<ExitCode> {
  const isStopped = (): boolean => signal.aborted
  const memory: WatchMemory = new Map()
  let before: string | null = null
  for (;;) {
    const observed = await observeAll(addresses, { signal, env: io.env, memory })
    const comparison = compareToPlan(planWith(planned, observed), observed)
    const exit = countLive(comparison).differ > 0 ? EXIT.differs : EXIT.fine
    const now = JSON.stringify(statusJson(comparison))
    // Watching says what changed, not the same again.
    if (now !== before && !isStopped()) write(options, comparison, io)
    before = now
    if (!options.watch || isStopped()) return exit
    await pause(ROUND_MS, signal)
    if (isStopped()) return exit
  }
}

/** The plan with the memory that servers were seen to hold given back to their roles. */
function planWith({ opened, plan }: PlannedLab, observed: Parameters<typeof compareToPlan>[1]): LabPlan {
  const lab = withServersSeen(opened.lab, observed)
  return lab === opened.lab ? plan : planLab({ ...opened, lab }, plan.scenario).plan
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function write({ json }: StatusOptions, comparison: LiveComparison, io: CliIo): void {
  if (json) io.stdout(jsonText(statusJson(comparison)))
  else writeLines(statusLines(comparison, io), io)
}

/** What `status --json` prints, one object a round. */
function statusJson(comparison: LiveComparison) {
  const { asPlanned, differ } = countLive(comparison)
  return {
    as_planned: asPlanned,
    differ,
    roles: comparison.roles.map(({ role, state, seen, reason }) => ({
      role,
      state,
      node: seen?.nodeId ?? null,
      url: seen?.url ?? null,
      model: seen?.model.id ?? null,
      context_tokens: seen?.model.contextTokens ?? null,
      reason,
    })),
    others: comparison.strangers.map(({ nodeId, url, role, model }) => ({
      node: nodeId,
      url,
      role,
      model: model.id,
      bytes: model.bytes?.toString() ?? null,
    })),
  }
}

const COLUMNS = [
  { title: 'ROLE', min: 8 },
  { title: 'NOW', min: 12 },
  { title: 'WHERE', min: 8 },
  { title: 'SERVED AS', min: 8 },
]

function statusLines(comparison: LiveComparison, io: CliIo): string[] {
  const { asPlanned, differ } = countLive(comparison)
  const style = styleFor('stdout', io)
  const rows = [...comparison.roles.map(roleRow), ...comparison.strangers.map(strangerRow)]
  return [
    ...renderTable(
      COLUMNS,
      rows.map((row) => row.map((text) => ({ text }))),
      outputWidth(io),
      style.faint,
    ),
    '',
    `${asPlanned} as planned, ${differ} ${differ === 1 ? 'differs' : 'differ'}.`,
  ]
}

function roleRow({ role, state, seen, reason }: LiveRole): string[] {
  const { label } = LIVE_STATE_TRAITS[state]
  return [
    printable(role),
    reason === null ? label : `${label}: ${printable(reason)}`,
    seen === null ? '-' : printable(seen.url),
    seen === null ? '-' : printable(seen.model.id),
  ]
}

function strangerRow({ role, url, model }: StrangeModel): string[] {
  return [
    role === null ? '-' : printable(role),
    LIVE_STATE_TRAITS.not_planned.label,
    printable(url),
    printable(model.id),
  ]
}

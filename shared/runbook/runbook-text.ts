import { formatBytes, formatExactBytes, sumBytes } from '../bytes.ts'
import { formatDuration } from '../eligibility/describe.ts'
import type { Lab } from '../lab/lab.ts'
import { plainReason } from '../locality/unplaceable-words.ts'
import { moveCost, moveCostLines } from '../plan/move-cost.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'
import { cannotRunReason } from '../report/outcome-words.ts'
import { codeBlock, escape, joinBlocks, list, table } from '../report/markdown.ts'
import { hubLine, modelFolder } from './model-folders.ts'
import { movesMermaid, movesOf } from './moves.ts'
import type { Order } from './order.ts'
import { orderBlocks } from './order-text.ts'
import type { MissingFile, NodeWork, RunBookFile } from './run-book-types.ts'
import type { RunningNode } from './running.ts'
import type { ModelFetch } from './types.ts'

export interface RunBookTextInputs {
  readonly plan: LabPlan
  readonly before: readonly RunningNode[] | null
  readonly lab: Pick<Lab, 'nodes'>
  readonly planHash: string
  readonly order: Order
  readonly fetches: readonly ModelFetch[]
  readonly nodes: readonly NodeWork[]
  readonly missing: readonly MissingFile[]
  readonly files: readonly RunBookFile[]
}

/** `RUNBOOK.md`: what will be true, what moves, in which order, what to run on which node, and how to go back. */
export function runBookText(inputs: RunBookTextInputs): string {
  const { plan, planHash, before, order } = inputs
  return joinBlocks([
    '# Run book',
    `Made by Lab Planner; plan ${planHash}. Nothing here runs by itself: read it, then do it from top to bottom. Every file beside it names the plan it is of; \`lab-planner export --runbook --check\` says which are out of date.`,
    '## What will be true at the end',
    endTable(plan),
    ...notRunning(plan),
    '## What runs now',
    before === null
      ? 'That is not known, so the order below starts from nodes on which nothing of this lab runs. Stop what runs before you start the servers. Give the plan of now as a baseline to have it counted (`--before plan.json`; in the window, pin it as the baseline, or watch what runs now).'
      : list(before.map(runsNow)),
    '## What moves',
    ...movesBlocks(inputs),
    '## The order',
    ...orderBlocks(order, plan.scenario.policy.freeHeadroomBytes),
    ...inputs.nodes.flatMap((node) => nodeBlocks(node, inputs)),
    ...hubBlocks(inputs),
    '## How to go back',
    ...backBlocks(inputs),
    ...missingBlocks(inputs.missing),
  ])
}

function endTable({ roles }: LabPlan): string {
  const rows = roles.flatMap((role) => {
    const { nodeId, bytes } = role.outcome
    if (nodeId === null) return []
    const how = bytes === 0n ? 'held there' : `after fetching ${formatBytes(bytes)}`
    const { port } = role.imported.spec.serve
    const cells = [
      role.role,
      nodeId,
      role.manifest?.body.name ?? '',
      port === null ? 'none' : String(port),
      how,
    ]
    return [cells.map(escape)]
  })
  return rows.length === 0
    ? 'No role runs.'
    : table(['Role', 'Node', 'Model', 'Port in the roster', 'Weights'], rows)
}

function notRunning({ roles }: LabPlan): string[] {
  const items = roles.flatMap((role) => {
    if (role.outcome.nodeId !== null) return []
    const why = plainReason(cannotRunReason(role) ?? 'switched off')
    return [`${escape(role.role)} does not run: ${escape(why)}`]
  })
  return items.length === 0 ? [] : [list(items)]
}

function runsNow({ nodeId, instances }: RunningNode): string {
  return `${escape(nodeId)}: ${escape(instances.map(({ role }) => role).join(', '))}`
}

function movesBlocks({ plan, lab, fetches }: RunBookTextInputs): string[] {
  if (fetches.length === 0) return ['Nothing moves: every model is where its roles run.']
  const rows = fetches.map(({ manifest, target, sources, bytes, seconds, shards }) => [
    escape(manifest.body.name),
    escape(sources[0] ?? 'no node'),
    escape(sources.slice(1).join(', ')),
    escape(target),
    String(shards.length),
    formatExactBytes(bytes),
    seconds === null ? 'link rate not known' : `about ${formatDuration(Math.max(1, Math.round(seconds)))}`,
  ])
  return [
    list(moveCostLines(moveCost(plan, lab.nodes)).map(escape)),
    codeBlock(movesMermaid(movesOf(fetches)), 'mermaid'),
    table(['Model', 'From', 'Else from', 'To', 'Files', 'Bytes', 'Time'], rows, [
      ...(['left', 'left', 'left', 'left'] as const),
      ...(['right', 'right', 'left'] as const),
    ]),
  ]
}

function nodeBlocks(node: NodeWork, { files }: RunBookTextInputs): string[] {
  const { nodeId, stem, site, fetches, servers, start } = node
  const own = files.filter((file) => file.nodeId === nodeId).map(({ fileName }) => fileName)
  const script = `${stem}.fetch.sh`
  const copying =
    own.length === 0 || site.ssh === null
      ? []
      : [`scp ${own.map((name) => `'${name}'`).join(' ')} ${site.ssh}:`]
  const ports = servers.ports.map(({ role, wanted, port }) =>
    wanted === null
      ? `${escape(role)} has no port in the roster: it gets ${port}.`
      : `${escape(role)} gets port ${port}: another role here has ${wanted}.`,
  )
  const held = servers.planned
    .filter(({ server }) => !fetches.some(({ manifest }) => manifest.packageId === server.manifest.packageId))
    .map(({ server }) => `\`${server.weights}\``)
  return [
    `## On ${escape(nodeId)}`,
    own.length === 0 ? 'No file was made for it.' : `Files: ${own.map((name) => `\`${name}\``).join(', ')}.`,
    ...(copying.length === 0 ? [] : ['From here, copy them there:', codeBlock(copying, 'sh')]),
    ...(own.includes(script)
      ? [
          `Fetch ${formatBytes(sumBytes(fetches.map(({ bytes }) => bytes)))}. The first line changes nothing and says what the second would do; the second resumes after any stop. Exit codes: 0 everything is there, 10 work is left, 20 refused, 30 a file failed, 64 usage.`,
          codeBlock([`sh '${script}'`, `sh '${script}' --go`], 'sh'),
        ]
      : []),
    ...(fetches.some(({ manifest }) => manifest.body.format === 'ollama')
      ? [
          'Do not restart Ollama while it fetches: at its start it removes blobs that no manifest names yet. Its own account must be able to read what arrives.',
        ]
      : []),
    ...(held.length === 0
      ? []
      : [
          `Held models are expected at ${[...new Set(held)].join(', ')}. \`lab-planner verify\` on the node checks them.`,
        ]),
    ...(start.commands.length === 0
      ? []
      : ['Start, when the order above says so:', codeBlock(start.commands, 'sh')]),
    list([...ports, ...start.remarks.map(escape)]),
  ]
}

/** Models that no node has, for roles that would run if one had them. */
function hubBlocks({ plan, nodes }: RunBookTextInputs): string[] {
  const lines = plan.roles.flatMap((role) => hubLines(role, nodes))
  if (lines.length === 0) return []
  return [
    '## Weights that no node has',
    'Download exactly these files on the node of your choice, then scan that node and plan again.',
    codeBlock([...new Set(lines)], 'sh'),
  ]
}

function hubLines({ role, manifest, imported, decision }: RolePlan, nodes: readonly NodeWork[]): string[] {
  if (manifest === null || decision.kind !== 'unplaceable' || decision.unplaceable.reason !== 'no_holder')
    return []
  const root = nodes.find(({ site }) => site.roots.length > 0)?.site.roots[0] ?? '/srv/models'
  const repo = imported.entry.repo === '' ? null : imported.entry.repo
  const line = hubLine(manifest, repo, manifest.body.shards, `${root}/${modelFolder(manifest)}`)
  return line === null ? [`# ${role}: neither its manifest nor the roster names a repo`] : [line]
}

function backBlocks({ before, nodes, fetches }: RunBookTextInputs): string[] {
  const stops = nodes.flatMap(({ nodeId, start }) =>
    start.back.length === 0 ? [] : [`# on ${nodeId}`, ...start.back],
  )
  return [
    list([
      'Nothing that was there is removed or replaced by any of these files, so the servers of before start as they did.',
      ...(before === null
        ? []
        : [
            'Do the order above from its end to its beginning: start what was stopped, stop what was started.',
          ]),
      ...(fetches.length === 0
        ? []
        : [
            'What was fetched takes its space until you remove it. Unfinished parts are called `.lab-planner-HASH.part`; removing them only costs the time to fetch them again.',
          ]),
    ]),
    ...(stops.length === 0 ? [] : [codeBlock(stops, 'sh')]),
  ]
}

function missingBlocks(missing: readonly MissingFile[]): string[] {
  if (missing.length === 0) return []
  return [
    '## What could not be made',
    ...missing.flatMap(({ fileName, reason, add }) => [
      `${escape(fileName)}: ${escape(reason)}.${add.length === 0 ? '' : ' Add to `fleet.yaml`, under `nodes:`'}`,
      ...(add.length === 0 ? [] : [codeBlock(add, 'yaml')]),
    ]),
  ]
}

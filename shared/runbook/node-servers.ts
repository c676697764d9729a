import type { Lab } from '../lab/lab.ts'
import { RUNTIME_TRAITS } from '../inference-spec.ts'
import { EMPTY_SITE, type NodeSite } from '../node/node-site.ts'
import type { Budget, Instance } from '../placement/ledger.ts'
import { instanceNames, instanceOf } from '../placement/place.ts'
import { roleSetting } from '../plan/role-memory.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { isServer, serverOf, type NoServer, type Server } from './server.ts'

/** What runs on one node, and what could not be written for it. */
export interface NodeServers {
  readonly nodeId: string
  readonly budget: Budget | null
  readonly planned: readonly { readonly server: Server; readonly instance: Instance }[]
  /** Roles that found no room beside the others and whose model is whole on this node. */
  readonly onDemand: readonly { readonly server: Server; readonly instance: Instance }[]
  readonly refused: readonly NoServer[]
  /** Roles that got another port than the roster says, or one where it says none. */
  readonly ports: readonly { readonly role: string; readonly wanted: number | null; readonly port: number }[]
}

/** The servers of every node that a role is planned on, in the plan's order of nodes. */
export function nodeServers(
  plan: LabPlan,
  shapes: Lab['shapes'],
  sites: ReadonlyMap<string, NodeSite>,
): readonly NodeServers[] {
  const names = instanceNames(plan.roles)
  const rolesAt = new Map<string, Candidate[]>()
  plan.roles.forEach((role, i) => {
    const planned = role.outcome.nodeId !== null
    const nodeId = role.outcome.nodeId ?? onDemandNode(role)
    if (nodeId === null) return
    const at = rolesAt.get(nodeId) ?? []
    at.push({ role, name: names[i] ?? role.role, planned })
    rolesAt.set(nodeId, at)
  })
  return plan.residency.flatMap(({ nodeId, ledger }) => {
    const candidates = rolesAt.get(nodeId)
    if (candidates === undefined || ledger.instances.length === 0) return []
    return [
      serversAt(
        { nodeId, budget: ledger.budget, site: sites.get(nodeId) ?? EMPTY_SITE },
        candidates,
        shapes,
        plan.scenario,
      ),
    ]
  })
}

interface Candidate {
  readonly role: RolePlan
  readonly name: string
  readonly planned: boolean
}

function serversAt(
  { nodeId, budget, site }: Pick<NodeServers, 'nodeId' | 'budget'> & { readonly site: NodeSite },
  candidates: readonly Candidate[],
  shapes: Lab['shapes'],
  scenario: Scenario,
): NodeServers {
  const planned: { server: Server; instance: Instance }[] = []
  const onDemand: { server: Server; instance: Instance }[] = []
  const refused: NoServer[] = []
  const ports: { role: string; wanted: number | null; port: number }[] = []
  const taken = new Set<number>()
  const host = isBehindRouter(site) || !listensBeyond(site) ? '127.0.0.1' : '0.0.0.0'
  // Whom the plan runs here has its port before who only comes in between.
  for (const { role, name, planned: isPlanned } of [
    ...candidates.filter((each) => each.planned),
    ...candidates.filter((each) => !each.planned),
  ]) {
    const { manifest, imported } = role
    if (manifest === null) continue
    const wanted = imported.spec.serve.port
    const port = freePort(wanted ?? RUNTIME_TRAITS[imported.spec.runtime].usualPort, taken)
    taken.add(port)
    if (port !== wanted) ports.push({ role: role.role, wanted, port })
    const setting = roleSetting(imported.spec, shapes.get(manifest.packageId)?.shape ?? null, scenario)
    const made = serverOf({ nodeId, site, role: role.role, name, imported, manifest, setting, host, port })
    if (!isServer(made)) refused.push(made)
    else (isPlanned ? planned : onDemand).push({ server: made, instance: instanceOf(role, name) })
  }
  return { nodeId, budget, planned, onDemand, refused, ports }
}

/** The first node that a role without a place was tried on and that has its whole model. */
function onDemandNode({ outcome, holders }: RolePlan): string | null {
  if (outcome.kind !== 'cannot_run' || outcome.reason.kind !== 'beside_others') return null
  const tried = outcome.reason.tried.find(
    ({ nodeId, obstacle }) => obstacle.kind === 'co_residency' && holders.includes(nodeId),
  )
  return tried?.nodeId ?? null
}

/** Servers behind llama-swap are reached through it only. */
function isBehindRouter({ start }: NodeSite): boolean {
  return start === 'llama-swap'
}

/** A node that is asked over the network listens there; any other one keeps to itself. */
function listensBeyond({ urls }: NodeSite): boolean {
  return urls.some((url) => !/^https?:\/\/(?:127\.|localhost|\[::1\])/.test(url))
}

function freePort(wanted: number, taken: ReadonlySet<number>): number {
  let port = wanted
  while (taken.has(port)) port = port >= 65_535 ? 1024 : port + 1
  return port
}

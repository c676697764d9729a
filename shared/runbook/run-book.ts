import { exportStems } from '../export/file-names.ts'
import { EMPTY_SITE } from '../node/node-site.ts'
import { fetchScript } from './fetch-script.ts'
import { frontFile, type Peer } from './llama-swap-file.ts'
import { modelFetches } from './model-fetches.ts'
import { nodeServers } from './node-servers.ts'
import { orderSteps, type Order } from './order.ts'
import { planHash } from './plan-hash.ts'
import type { MissingFile, NodeWork, RunBook, RunBookFile, RunBookInputs } from './run-book-types.ts'
import { runBookText } from './runbook-text.ts'
import { startFiles } from './start-files.ts'
import type { ModelFetch } from './types.ts'

/**
 * The run book of a plan (docs/runbook.md). Nothing in it does anything by itself: it is read by a person, and its
 * scripts are run by one.
 */
export function runBook(inputs: RunBookInputs): RunBook {
  const { plan, lab, before } = inputs
  const hash = planHash(plan)
  const fetches = modelFetches(plan, lab.nodes)
  const order = orderOf(inputs, fetches)
  const sites = new Map(lab.nodes.map(({ nodeId, declared }) => [nodeId, declared?.site ?? EMPTY_SITE]))
  const stems = exportStems(lab.nodes.map(({ nodeId }) => nodeId))
  const stemOf = new Map(lab.nodes.map(({ nodeId }, i) => [nodeId, stems[i] ?? nodeId]))
  const files: RunBookFile[] = []
  const missing: MissingFile[] = []
  const all = nodeServers(plan, lab.shapes, sites)
  const nodes = all.map((servers): NodeWork => {
    const { nodeId } = servers
    const stem = stemOf.get(nodeId) ?? nodeId
    const site = sites.get(nodeId) ?? EMPTY_SITE
    const coming = fetches.filter(({ target }) => target === nodeId)
    let script: string | null = null
    if (coming.length > 0) {
      const fileName = `${stem}.fetch.sh`
      const made = fetchScript({
        nodeId,
        fetches: coming,
        siteOf: (id) => sites.get(id),
        headroomBytes: plan.scenario.policy.freeHeadroomBytes,
        planHash: hash,
      })
      if (made.ok) {
        script = made.text
        files.push({ fileName, text: made.text, nodeId })
      } else missing.push({ fileName, reason: made.reason, add: made.add })
    }
    const start = startFiles({ stem, site, servers, script, planHash: hash })
    files.push(...start.files.map((file) => ({ ...file, nodeId })))
    missing.push(...start.missing)
    return { nodeId, stem, site, fetches: coming, servers, start }
  })
  const peers = nodes.flatMap(({ start }): readonly Peer[] => start.peers)
  if (peers.length > 0) {
    files.push({ fileName: 'front.llama-swap.yaml', text: frontFile(peers, hash), nodeId: null })
  }
  const text = runBookText({ plan, before, planHash: hash, order, fetches, nodes, missing, files, lab })
  return {
    planHash: hash,
    order,
    nodes,
    missing,
    files: [{ fileName: 'RUNBOOK.md', text, nodeId: null }, ...files],
  }
}

function orderOf({ plan, before }: RunBookInputs, fetches: readonly ModelFetch[]): Order {
  const running = new Map(before?.map(({ nodeId, instances }) => [nodeId, instances]))
  return orderSteps(
    plan.residency.map(({ nodeId, ledger, freeBytes }) => ({
      nodeId,
      budget: ledger.budget,
      freeBytes,
      running: running.get(nodeId) ?? [],
      planned: ledger.instances,
    })),
    fetches,
    plan.scenario.policy.freeHeadroomBytes,
  )
}

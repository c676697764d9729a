import { sumBytes } from '../bytes.ts'
import type { LabNode } from '../node/types.ts'
import { linkRates, transferSeconds } from '../plan/move-cost.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'
import { compareCodePoints } from '../token.ts'
import type { ModelFetch } from './types.ts'

/**
 * What must be fetched to which node before `plan` is true, one entry for each model and node, in roster order. A file that
 * two models share (two tags of one Ollama blob) is fetched once a node.
 */
export function modelFetches(plan: LabPlan, nodes: readonly LabNode[]): readonly ModelFetch[] {
  const rateOf = linkRates(nodes, plan.scenario.linkMbps)
  const placeOfNode = new Map(plan.residency.map(({ nodeId }, i) => [nodeId, i]))
  const fetches = new Map<string, ModelFetch>()
  const coming = new Map<string, Set<string>>()
  for (const role of plan.roles) {
    const target = role.outcome.nodeId
    const { manifest } = role
    if (target === null || manifest === null) continue
    const key = `${target} ${manifest.packageId}`
    const known = fetches.get(key)
    if (known !== undefined) {
      fetches.set(key, { ...known, roles: [...known.roles, role.role] })
      continue
    }
    const hashes = coming.get(target) ?? new Set<string>()
    coming.set(target, hashes)
    const shards = role
      .missingShardsAt(placeOfNode.get(target) ?? -1)
      .filter(({ blake3 }) => !hashes.has(blake3))
    if (shards.length === 0) continue
    for (const { blake3 } of shards) hashes.add(blake3)
    const bytes = sumBytes(shards.map(({ size }) => size))
    const sources = rankedSources(role, target, rateOf)
    const into = rateOf(target)
    const from = sources[0] === undefined ? null : rateOf(sources[0])
    fetches.set(key, {
      manifest,
      target,
      roles: [role.role],
      repo: role.imported.entry.repo === '' ? null : role.imported.entry.repo,
      shards,
      bytes,
      sources,
      seconds: into === null || from === null ? null : transferSeconds(bytes, Math.min(into, from)),
    })
  }
  return [...fetches.values()]
}

/** The complete holders besides `target`: the fastest link first, then by id. */
function rankedSources(
  { holders }: RolePlan,
  target: string,
  rateOf: (nodeId: string) => number | null,
): readonly string[] {
  return holders
    .filter((nodeId) => nodeId !== target)
    .sort((a, b) => (rateOf(b) ?? 0) - (rateOf(a) ?? 0) || compareCodePoints(a, b))
}

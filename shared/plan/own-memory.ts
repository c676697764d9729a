import { sumBytes } from '../bytes.ts'
import type { NodeProfile } from '../eligibility/eligibility.ts'
import { RUNTIME_TRAITS, RUNTIMES, type Runtime } from '../inference-spec.ts'
import type { Lab } from '../lab/lab.ts'
import { matchModel } from '../live/match-model.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { heldMemory, type HeldMemory } from '../node/held-memory.ts'
import type { MemoryPool, OwnMemory } from '../node/types.ts'
import { EMPTY_OVERLAY } from '../overlay/types.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'

/**
 * Gives back to each node what servers of the roster's own roles held there when its facts were gathered: a plan
 * starts and stops those itself. What other software holds stays held. Never more than was in use.
 */
export function withOwnMemory(
  profiles: readonly NodeProfile[],
  lab: Lab,
  manifestByName: ReadonlyMap<string, ModelManifest>,
): readonly NodeProfile[] {
  // Most labs have no such facts, and reading their roster again would be for nothing.
  if (!profiles.some(({ node }) => (heldMemory(node.facts) ?? []).length > 0)) return profiles
  const specs = lab.roster === null ? [] : importEntries(lab.roster, EMPTY_OVERLAY).specs
  return profiles.map((profile) => {
    const held = heldMemory(profile.node.facts)
    const pool = profile.pools.roles
    if (held === null || pool === null) return profile
    return { ...profile, pools: { ...profile.pools, roles: withOwn(pool, held, specs, manifestByName) } }
  })
}

function withOwn(
  pool: MemoryPool,
  held: readonly HeldMemory[],
  specs: readonly ImportedSpec[],
  manifestByName: ReadonlyMap<string, ModelManifest>,
): MemoryPool {
  let inUse = pool.totalBytes > pool.freeBytes ? pool.totalBytes - pool.freeBytes : 0n
  const own: OwnMemory[] = []
  for (const server of held) {
    const owner = specs.find((spec) => isServerOf(server, spec, manifestByName))
    const bytes = server.bytes < inUse ? server.bytes : inUse
    if (owner === undefined || bytes === 0n) continue
    inUse -= bytes
    const { role } = owner.spec
    const known = own.findIndex((each) => each.role === role)
    if (known < 0) own.push({ role, bytes })
    else own[known] = { role, bytes: (own[known]?.bytes ?? 0n) + bytes }
  }
  return { ...pool, freeBytes: pool.freeBytes + sumBytes(own.map(({ bytes }) => bytes)), own }
}

/** Servers that serve all their models on one port: there only the model says whose it is. */
const SHARED_PORT = /ollama|lm studio|lms|llama-swap/i

/** By its port and program; where those do not say, by its model. */
function isServerOf(
  { process, port, model }: HeldMemory,
  { spec, entry }: ImportedSpec,
  manifestByName: ReadonlyMap<string, ModelManifest>,
): boolean {
  const isOnItsPort = port !== null && port === spec.serve.port && mayBeOf(process, spec.runtime)
  if (isOnItsPort && (model === null || !SHARED_PORT.test(process))) return true
  if (model === null || !mayBeOf(process, spec.runtime)) return false
  const manifest = spec.model === null ? null : (manifestByName.get(spec.model) ?? null)
  const served = {
    id: model,
    aliases: [],
    file: model,
    contextTokens: null,
    bytes: null,
    state: 'loaded',
  } as const
  return matchModel(served, { role: spec.role, model: spec.model, repo: entry.repo, manifest }) === 'exact'
}

/** Whether a program can be what serves a runtime: one that is not known can be any. */
function mayBeOf(process: string, runtime: Runtime): boolean {
  const isOf = (each: Runtime): boolean => RUNTIME_TRAITS[each].processName.test(process)
  return isOf(runtime) || !RUNTIMES.some(isOf)
}

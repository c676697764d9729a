import { askServer } from '../../../shared/live/ask-server.ts'
import type { LiveAddress } from '../../../shared/live/addresses.ts'
import type { Observation, ObservedAddress, PathAnswer } from '../../../shared/live/types.ts'
import { mapBounded } from '../map-bounded.ts'
import { ASK_LIMITS, getJson, type AskLimits } from './get-json.ts'
import { resolveHost, systemLookup, type Lookup } from './resolve-host.ts'

/** Addresses that are asked at one time. */
const AT_A_TIME = 8

export interface ObserveOptions {
  readonly signal: AbortSignal
  /** Where keys are looked up by the name of their variable. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly lookup?: Lookup
  readonly limits?: AskLimits
}

/** Asks every address what it serves, at most eight at once; answers in the order of the addresses. */
export function observeAll(
  addresses: readonly LiveAddress[],
  options: ObserveOptions,
): Promise<readonly ObservedAddress[]> {
  return mapBounded(addresses, AT_A_TIME, async (address) => {
    const { nodeId, url, port } = address
    return { nodeId, url, port, observation: await observe(address, options) }
  })
}

async function observe({ url, keyEnv }: LiveAddress, options: ObserveOptions): Promise<Observation> {
  if (options.signal.aborted) return { kind: 'no_answer', reason: 'asking was stopped' }
  const base = new URL(url)
  const resolved = await resolveHost(base.hostname, options.lookup ?? systemLookup)
  if (!resolved.ok) return { kind: 'no_answer', reason: resolved.reason }
  const key = keyEnv === null ? null : (options.env[keyEnv] ?? null)
  const prefix = base.pathname.replace(/\/$/, '')
  const get = (path: string): Promise<PathAnswer> =>
    getJson(new URL(`${prefix}${path}`, base), {
      resolved,
      key,
      limits: options.limits ?? ASK_LIMITS,
      signal: options.signal,
    })
  const asking = askServer()
  let step = asking.next()
  while (step.done !== true) step = asking.next(await get(step.value))
  return step.value
}

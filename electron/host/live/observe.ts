import { createHash } from 'node:crypto'
import { askServer, TELLING_PATHS, type LivePath } from '../../../shared/live/ask-server.ts'
import type { LiveAddress } from '../../../shared/live/addresses.ts'
import type { Observation, ObservedAddress } from '../../../shared/live/types.ts'
import { mapBounded } from '../map-bounded.ts'
import { ASK_LIMITS, getAnswer, parsedAnswer, type AskLimits, type RawAnswer } from './get-answer.ts'
import { resolveHost, systemLookup, type Lookup } from './resolve-host.ts'

/** Addresses that are asked at one time. */
const AT_A_TIME = 8

export interface ObserveOptions {
  readonly signal: AbortSignal
  /** Where keys are looked up by the name of their variable. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly lookup?: Lookup
  readonly limits?: AskLimits
  /** What was learned in the rounds before; without it every address is asked everything. */
  readonly memory?: WatchMemory
}

/** What servers answered in the rounds before, by address. Its owner creates it for a watch, and drops it. */
export type WatchMemory = Map<string, Remembered>

interface Remembered {
  readonly observation: Observation
  /** The path whose answer alone shows whether anything changed, and that answer's hash. */
  readonly path: LivePath
  readonly hash: string
  /** Rounds in which that one path is enough, before everything is asked again. */
  left: number
}

/** One round in this many asks everything. */
const WHOLE_EVERY = 30

/** Asks every address what it serves, at most eight at once; answers in the order of the addresses. */
export function observeAll(
  addresses: readonly LiveAddress[],
  options: ObserveOptions,
): Promise<readonly ObservedAddress[]> {
  const lookup = onceEach(options.lookup ?? systemLookup)
  return mapBounded(addresses, AT_A_TIME, async (address) => {
    const { nodeId, url, port } = address
    return { nodeId, url, port, observation: await observe(address, options, lookup) }
  })
}

/** Looks every name up once a round, however many ports it has. */
function onceEach(lookup: Lookup): Lookup {
  const known = new Map<string, ReturnType<Lookup>>()
  return (name) => {
    const found = known.get(name) ?? lookup(name)
    known.set(name, found)
    return found
  }
}

async function observe(
  { url, keyEnv }: LiveAddress,
  options: ObserveOptions,
  lookup: Lookup,
): Promise<Observation> {
  if (options.signal.aborted) return { kind: 'no_answer', reason: 'asking was stopped' }
  const base = new URL(url)
  const resolved = await resolveHost(base.hostname, lookup, (options.limits ?? ASK_LIMITS).connectMs)
  if (!resolved.ok) return { kind: 'no_answer', reason: resolved.reason }
  const key = keyEnv === null ? null : (options.env[keyEnv] ?? null)
  const prefix = base.pathname.replace(/\/$/, '')
  const answers = new Map<LivePath, RawAnswer>()
  const get = async (path: LivePath): Promise<RawAnswer> => {
    const known = answers.get(path)
    if (known !== undefined) return known
    const answer = await getAnswer(new URL(`${prefix}${path}`, base), {
      resolved,
      key,
      limits: options.limits ?? ASK_LIMITS,
      signal: options.signal,
    })
    answers.set(path, answer)
    return answer
  }
  const before = options.memory?.get(url)
  if (before !== undefined && before.left > 0) {
    before.left--
    if (hashOf(await get(before.path)) === before.hash) return before.observation
  }
  const asking = askServer()
  let step = asking.next()
  while (step.done !== true) step = asking.next(parsedAnswer(await get(step.value)))
  remember(options.memory, url, step.value, answers)
  return step.value
}

function remember(
  memory: WatchMemory | undefined,
  url: string,
  observation: Observation,
  answers: ReadonlyMap<LivePath, RawAnswer>,
): void {
  const path = observation.kind === 'server' ? TELLING_PATHS[observation.server] : null
  const answer = path === null ? undefined : answers.get(path)
  const hash = answer === undefined ? null : hashOf(answer)
  if (path === null || hash === null) memory?.delete(url)
  else memory?.set(url, { observation, path, hash, left: WHOLE_EVERY - 1 })
}

/** Of a good answer; null of any other, which is like none before. */
function hashOf(answer: RawAnswer): string | null {
  if (answer.kind !== 'bytes' || answer.status !== 200) return null
  return createHash('sha256').update(answer.bytes).digest('base64')
}

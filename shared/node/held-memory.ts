import { floatToU64 } from '../bytes.ts'
import type { AttrValue, NodeFacts } from './types.ts'

/** The capability of our own that says what an inference server held when the facts were gathered. */
export const SERVER_HELD = 'server.held'

/** What one inference server on a node held, of the memory that roles use. */
export interface HeldMemory {
  /** The program, such as `llama-server`. */
  readonly process: string
  /** Null where its command does not say. */
  readonly port: number | null
  /** The file name of its model; null where its command does not say. */
  readonly model: string | null
  readonly bytes: bigint
}

/** What servers held by `facts`, each server once; null when the facts do not say what servers hold. */
export function heldMemory(facts: NodeFacts | null): readonly HeldMemory[] | null {
  if (facts === null) return null
  const held = new Map<string, HeldMemory>()
  for (const { id, attrs } of facts.capabilities) {
    if (id !== SERVER_HELD) continue
    const bytes = attrs.get('bytes')
    const process = textOf(attrs.get('process')) ?? ''
    const port = attrs.get('port')
    const server = {
      process,
      port: typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null,
      model: textOf(attrs.get('model')),
      bytes: typeof bytes === 'number' && bytes > 0 ? floatToU64(bytes) : 0n,
    }
    const pid = attrs.get('pid')
    const key = typeof pid === 'number' ? `${pid}` : JSON.stringify([process, server.port, server.model])
    const known = held.get(key)
    if (known === undefined || known.bytes < server.bytes) held.set(key, server)
  }
  const wasLookedFor = held.size > 0 || facts.notes.some(({ probe }) => probe === SERVER_HELD)
  return wasLookedFor ? [...held.values()] : null
}

function textOf(value: AttrValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

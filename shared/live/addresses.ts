import type { LabNode } from '../node/types.ts'
import type { RosterDocument } from '../roster/types.ts'

/** Most addresses that are asked of one node: its own, and ports of roles. */
const MAX_ADDRESSES_PER_NODE = 32

/** One address that may be asked, because the operator wrote it or a role of the roster has its port. */
export interface LiveAddress {
  readonly nodeId: string
  /** Scheme, host and port, and the path that the operator wrote; no slash at its end. */
  readonly url: string
  readonly port: number
  /** The name of the environment variable that holds the key for it; null when none is needed. */
  readonly keyEnv: string | null
}

/** A node with more ports than are asked: `left` of them are not. */
interface LeftPorts {
  readonly nodeId: string
  readonly left: number
}

export interface LiveAddresses {
  readonly addresses: readonly LiveAddress[]
  readonly leftPorts: readonly LeftPorts[]
}

/**
 * Everything that may be asked, and nothing else: of each node with a `url` in `fleet.yaml` those addresses, and on their
 * hosts the ports of the roster's roles, in roster order.
 */
export function liveAddresses(nodes: readonly LabNode[], roster: RosterDocument | null): LiveAddresses {
  const ports = [
    ...new Set(roster?.entries.flatMap(({ port }) => (port === null || port === 0 ? [] : [port])) ?? []),
  ]
  const addresses: LiveAddress[] = []
  const leftPorts: LeftPorts[] = []
  for (const { nodeId, declared } of nodes) {
    const { urls = [], keyEnv = null } = declared?.site ?? {}
    const byUrl = new Map<string, LiveAddress>()
    for (const url of urls) byUrl.set(originOf(url), { nodeId, url, port: portOf(url), keyEnv })
    for (const url of urls) {
      for (const port of ports) {
        const other = withPort(url, port)
        if (!byUrl.has(other)) byUrl.set(other, { nodeId, url: other, port, keyEnv })
      }
    }
    const all = [...byUrl.values()]
    addresses.push(...all.slice(0, MAX_ADDRESSES_PER_NODE))
    if (all.length > MAX_ADDRESSES_PER_NODE)
      leftPorts.push({ nodeId, left: all.length - MAX_ADDRESSES_PER_NODE })
  }
  return { addresses, leftPorts }
}

/** The parts of an address as `fleet.yaml` takes it: scheme, host (an IPv6 one in brackets), port. */
const PARTS = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?/

function partsOf(url: string): { readonly scheme: string; readonly host: string; readonly port: number } {
  const [, scheme = 'http', host = '', port] = PARTS.exec(url) ?? []
  return { scheme, host, port: port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port) }
}

function portOf(url: string): number {
  return partsOf(url).port
}

/** Two ways to write one address are one: the port is always written. */
function originOf(url: string): string {
  return withPort(url, portOf(url))
}

function withPort(url: string, port: number): string {
  const { scheme, host } = partsOf(url)
  return `${scheme}://${host.toLowerCase()}:${port}`
}

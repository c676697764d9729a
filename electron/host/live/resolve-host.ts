import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** Where a host name leads; asked once, so that the name cannot lead elsewhere when the request is made. */
export type ResolvedHost =
  | { readonly ok: true; readonly address: string; readonly family: 4 | 6 }
  /** Why nothing may or can be asked there, for a person. */
  | { readonly ok: false; readonly reason: string }

export type Lookup = (
  name: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** The system's own resolver. */
export const systemLookup: Lookup = (name) => lookup(name, { all: true })

/**
 * Addresses that a name must not lead to: link-local ones (cloud metadata is one of them), unspecified ones, broadcast
 * and multicast. One that the operator wrote as a number is taken at their word.
 */
const REFUSED = new BlockList()
REFUSED.addSubnet('169.254.0.0', 16, 'ipv4')
REFUSED.addSubnet('0.0.0.0', 8, 'ipv4')
REFUSED.addSubnet('224.0.0.0', 3, 'ipv4')
REFUSED.addAddress('100.100.100.200', 'ipv4')
REFUSED.addAddress('192.0.0.192', 'ipv4')
REFUSED.addSubnet('fe80::', 10, 'ipv6')
REFUSED.addSubnet('ff00::', 8, 'ipv6')
REFUSED.addAddress('::', 'ipv6')
REFUSED.addAddress('fd00:ec2::254', 'ipv6')
REFUSED.addAddress('fd20:ce::254', 'ipv6')
// Link-local IPv4 addresses by a network's translator.
REFUSED.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6')

/**
 * Resolves the host of an address within `ms` milliseconds; `host` is as in a URL, an IPv6 address in brackets. A resolver
 * that hangs holds up no other address.
 */
export async function resolveHost(host: string, lookupName: Lookup, ms: number): Promise<ResolvedHost> {
  const literal = host.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(literal)
  if (version !== 0) return { ok: true, address: literal, family: version === 4 ? 4 : 6 }
  let found: Awaited<ReturnType<Lookup>>
  try {
    found = await within(lookupName(literal), ms)
  } catch {
    return { ok: false, reason: `the name ${literal} cannot be resolved` }
  }
  const refused = found.find(({ address, family }) => isRefused(address, family))
  if (refused !== undefined) {
    return {
      ok: false,
      reason: `the name ${literal} leads to ${refused.address}, which is link-local or a metadata address; write the address itself if you mean it`,
    }
  }
  const [first] = found
  if (first === undefined) return { ok: false, reason: `the name ${literal} has no address` }
  return { ok: true, address: first.address, family: first.family === 6 ? 6 : 4 }
}

/** An IPv4 address in IPv6 form is judged as the IPv4 address that it is. */
function isRefused(address: string, family: number): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return REFUSED.check(mapped, 'ipv4')
  return REFUSED.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** What `promise` gives, if it does within `ms`; else it throws. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too late')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

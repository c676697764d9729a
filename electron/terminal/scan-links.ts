import { formatBytes } from '../../shared/bytes.ts'
import { LINK_BYTES, linkPairs, linkRates, type LinkResult } from '../../shared/gather/link-pairs.ts'
import type { Machine, MachineState } from '../../shared/gather/machines.ts'
import { plural } from '../../shared/listed.ts'
import { writeLinks } from '../host/gather/fleet-file.ts'
import { measureLink } from '../host/gather/measure-links.ts'
import type { ScanLab } from '../host/scan/scan-lab.ts'
import type { CliIo } from './io.ts'
import { complain } from './report.ts'
import { interruptible } from './scan-found.ts'
import { printable } from './width.ts'

/**
 * Measures the links between the machines that were gathered, says before how much is moved, and writes what is new into
 * `fleet.yaml`. A figure that stands there stays; the difference is said. Returns whether something went wrong.
 */
export async function measureAndWrite(
  machines: readonly Machine[],
  states: readonly MachineState[],
  { lab, paths }: ScanLab,
  io: CliIo,
): Promise<boolean> {
  const there = machines.filter((_, i) => states[i]?.kind === 'gathered')
  const pairs = linkPairs(there.map(({ nodeId }) => nodeId))
  if (pairs.length === 0) {
    complain('links are measured between machines: at least two must have been gathered', io)
    return true
  }
  const total = formatBytes(BigInt(LINK_BYTES * pairs.length))
  io.stderr(`lab-planner: measuring links: ${plural(pairs.length, 'transfer')}, ${total} in all\n`)
  const results: LinkResult[] = []
  await interruptible(io, async (signal) => {
    // One after the other: transfers side by side would take from each other.
    for (const pair of pairs) {
      if (!signal.aborted) {
        results.push(await measureLink(pair, there, { env: io.env, signal, bytes: LINK_BYTES }))
      }
    }
  })
  for (const { from, to, reason } of results) {
    if (reason !== null) io.stderr(`lab-planner: ${to} cannot read from ${from}: ${printable(reason)}\n`)
  }
  const fresh = new Map<string, number>()
  for (const [nodeId, mbps] of linkRates(results)) {
    const written = lab.nodes.find((node) => node.nodeId === nodeId)?.declared?.linkMbps
    if (written === undefined) fresh.set(nodeId, mbps)
    const kept = written === undefined ? '' : ` (${paths.fleet.shown} says ${written}, which stays)`
    io.stderr(`lab-planner: ${nodeId}: ${mbps} megabits a second${kept}\n`)
  }
  if (fresh.size === 0) return results.every(({ mbps }) => mbps === null)
  const fault = await writeLinks(paths, fresh)
  if (fault !== null) complain(fault, io)
  return fault !== null
}

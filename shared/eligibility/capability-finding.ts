import type { CapabilityFinding } from './types.ts'
import type { Capability } from '../node/types.ts'

/** How a capability is found on a node. */
export type Finding = 'usable' | CapabilityFinding

/**
 * How capability `id` is found among a node's: usable when one of that id is available, or busy without being
 * exclusive; else why the first one of that id is not, or `absent`.
 */
export function capabilityFinding(capabilities: readonly Capability[], id: string): Finding {
  let finding: Finding = 'absent'
  for (const capability of capabilities) {
    if (capability.id !== id) continue
    const found = findingOf(capability)
    if (found === 'usable') return found
    if (finding === 'absent') finding = found
  }
  return finding
}

function findingOf({ state, exclusive }: Capability): Finding {
  switch (state) {
    case 'available':
      return 'usable'
    case 'busy':
      return exclusive ? 'busy_exclusive' : 'usable'
    case 'reserved':
    case 'degraded':
      return state
  }
}

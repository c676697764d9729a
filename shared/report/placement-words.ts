import { formatBytes } from '../bytes.ts'
import { isDisplaced } from '../plan/outcome.ts'
import { refusalMessage } from '../placement/ledger.ts'
import { unplaceableMessage } from '../locality/notes.ts'
import type { PlacementObstacle, RolePlan } from '../plan/types.ts'

/** What the other roles or the scenario make of the role, in a few words for a list; null when it is as decided. */
export function besideLine(role: RolePlan): string | null {
  const { placement } = role
  if (!isDisplaced(role)) return null
  switch (placement.kind) {
    case 'placed':
      return `runs on ${placement.nodeId}, no room at ${placement.tried[0]?.nodeId ?? 'its node'}`
    case 'none':
      return `no room at ${placement.tried.map(({ nodeId }) => nodeId).join(', ')}`
    case 'off':
      return 'switched off'
  }
}

/** The reference's sentence for the first thing that keeps a role from a node. */
export function obstacleMessage(obstacle: PlacementObstacle): string {
  switch (obstacle.kind) {
    case 'co_residency':
      return refusalMessage(obstacle.refusals[0])
    case 'transfer':
      return `unplaceable: ${unplaceableMessage(obstacle.unplaceable)}`
  }
}

/** Why the role is placed nowhere, as the reference says it; null when it is placed or switched off. */
export function unplacedReason({ decision, placement }: RolePlan): string | null {
  if (placement.kind !== 'none') return null
  const [first] = placement.tried
  if (first !== undefined) return obstacleMessage(first.obstacle)
  switch (decision.kind) {
    case 'unplaceable':
      return `unplaceable: ${unplaceableMessage(decision.unplaceable)}`
    case 'no_manifest':
      return decision.model === null
        ? 'its name is not a plain token, so no manifest can match'
        : `no manifest is named ${decision.model}`
    case 'place_at_holder':
    case 'fetch_then_place':
      return null
  }
}

/** What co-residency or the scenario makes of the role, in a sentence; null when it is what the decision says. */
export function placementSentence(role: RolePlan): string | null {
  const { placement } = role
  switch (placement.kind) {
    case 'off':
      return 'Switched off in this scenario.'
    case 'placed': {
      const [first] = placement.tried
      if (placement.at === 'decided' || first === undefined) return null
      const move = placement.bytes === 0n ? '' : ` after fetching ${formatBytes(placement.bytes)}`
      return `Runs on ${placement.nodeId}${move} instead of ${first.nodeId}: ${reasonOf(first.obstacle)}.`
    }
    case 'none': {
      const [first, ...others] = placement.tried
      if (first === undefined) return null
      const rest = others.map(({ nodeId, obstacle }) => `; on ${nodeId}: ${reasonOf(obstacle)}`).join('')
      return `Has no room beside the other roles. On ${first.nodeId}: ${reasonOf(first.obstacle)}${rest}.`
    }
  }
}

/** An obstacle's sentence without the word that every one of them starts with. */
function reasonOf(obstacle: PlacementObstacle): string {
  return obstacleMessage(obstacle).replace(/^unplaceable: /, '')
}

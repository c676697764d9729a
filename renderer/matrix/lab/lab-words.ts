import { formatBytes } from '../../../shared/bytes.ts'
import type { LabCell } from '../../../shared/plan/matrix.ts'
import type { NodeVerdict, RolePlan } from '../../../shared/plan/types.ts'
import { placementSentence } from '../../../shared/report/placement-words.ts'
import { nodeSummary } from '../../../shared/report/words.ts'

/** What a node is to a role, in a clause that follows both their names. */
export function labCellWords(role: RolePlan, verdict: NodeVerdict, cell: LabCell): string {
  switch (cell) {
    case 'runs':
      return `runs here, from the bytes it holds${displaced(role)}`
    case 'target': {
      const moved = formatBytes(verdict.missingBytes ?? 0n)
      return `would be fetched here, ${moved} to move, then run${displaced(role)}`
    }
    case 'instead':
      return placementSentence(role) ?? 'runs here instead'
    case 'source':
      return `would be fetched from here; ${nodeSummary(verdict)}`
    case 'holds':
      return `holds the whole model; ${verdict.eligible ? 'eligible, not chosen' : nodeSummary(verdict)}`
    case 'detached':
      return `has the model on storage that is away; ${nodeSummary(verdict)}`
    case 'eligible':
    case 'no':
      return `${nodeSummary(verdict)}${partlyHeld(role, verdict)}`
  }
}

/** What the decision came to where other roles or the scenario are in its way. */
function displaced(role: RolePlan): string {
  const sentence = placementSentence(role)
  return sentence === null ? '' : `: so it was decided. ${sentence}`
}

function partlyHeld(role: RolePlan, { heldShards }: NodeVerdict): string {
  if (heldShards === 0 || role.manifest === null) return ''
  return `; holds ${heldShards} of ${role.manifest.body.shards.length} shards`
}

/** What a screen reader says of a cell: role, node, and what the one is to the other. */
export function spokenLabCell(role: RolePlan, verdict: NodeVerdict, cell: LabCell): string {
  return `${role.role}, ${verdict.nodeId}, ${labCellWords(role, verdict, cell)}`
}

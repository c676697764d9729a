import { formatBytes } from '../../../shared/bytes.ts'
import { ownNode } from '../../../shared/plan/outcome.ts'
import type { LabCell } from '../../../shared/plan/matrix.ts'
import type { NodeVerdict, RolePlan } from '../../../shared/plan/types.ts'
import { obstacleReason, outcomeSentence } from '../../../shared/report/outcome-words.ts'
import { nodeSummary } from '../../../shared/report/words.ts'

/** What a node is to a role, in a clause that follows both their names. */
export function labCellWords(role: RolePlan, verdict: NodeVerdict, cell: LabCell): string {
  switch (cell) {
    case 'runs':
      return 'runs here, from the bytes it holds'
    case 'target': {
      const moved = formatBytes(verdict.missingBytes ?? 0n)
      return `would be fetched here, ${moved} to move, then run`
    }
    case 'instead':
      return `runs here instead. ${outcomeSentence(role)}`
    case 'turned_away': {
      const own = ownNode(role.outcome)
      return `would run here by itself${own === null ? '' : `: ${obstacleReason(own.obstacle)}`}`
    }
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

function partlyHeld(role: RolePlan, { heldShards }: NodeVerdict): string {
  if (heldShards === 0 || role.manifest === null) return ''
  return `; holds ${heldShards} of ${role.manifest.body.shards.length} shards`
}

/** What a screen reader says of a cell: role, node, and what the one is to the other. */
export function spokenLabCell(role: RolePlan, verdict: NodeVerdict, cell: LabCell): string {
  return `${role.role}, ${verdict.nodeId}, ${labCellWords(role, verdict, cell)}`
}

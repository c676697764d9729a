import type { ReactNode } from 'react'
import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import { specMemoryBytes } from '../../../shared/inference-spec.ts'
import type { LiveRole } from '../../../shared/live/compare-live.ts'
import type { LabMatrix } from '../../../shared/plan/matrix.ts'
import type { RolePlan } from '../../../shared/plan/types.ts'
import { outcomeLine, outcomeSentence } from '../../../shared/report/outcome-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { LiveBadge, liveWords } from '../../ui/live-badge.tsx'
import { OutcomeMark } from '../../ui/outcome-mark.tsx'
import { Detail, type DetailPart } from '../detail.tsx'
import type { PointedPlace } from '../grid/matrix-grid.tsx'
import { labCellWords } from './lab-words.ts'
import common from '../matrix.module.css'
import styles from './lab.module.css'

/** A role's row head: its outcome's mark, its name and where it runs. */
export function LabRowHead({ role }: { readonly role: RolePlan }): ReactNode {
  return (
    <div className={styles.role}>
      <OutcomeMark outcome={role.outcome} />
      <div className={common.nodeText}>
        <div className={common.nodeName}>
          <span className={common.name} title={role.role}>
            {role.role}
          </span>
          <OutcomeBadge role={role} />
        </div>
        <div className={common.second}>
          <span className={common.standing} title={outcomeSentence(role)}>
            {outcomeLine(role)}
          </span>
        </div>
      </div>
    </div>
  )
}

/** Marks a role that does not run where it would by itself. */
function OutcomeBadge({ role: { outcome } }: { readonly role: RolePlan }): ReactNode {
  switch (outcome.kind) {
    case 'elsewhere':
      return <Badge tone="amber">elsewhere</Badge>
    case 'cannot_run':
      return <Badge tone="red">can’t run</Badge>
    case 'switched_off':
      return <Badge tone="plain">off</Badge>
    case 'in_place':
    case 'after_fetching':
      return null
  }
}

/** The memory a role asks for. */
export function NeedsCell({ role }: { readonly role: RolePlan }): ReactNode {
  const bytes = specMemoryBytes(role.imported.spec)
  return <span title={`weights and KV cache: ${formatExactBytes(bytes)}`}>{formatBytes(bytes)}</span>
}

/** What a role does now. */
export function LabNowCell({ live }: { readonly live: LiveRole | null }): ReactNode {
  return live === null ? null : (
    <span>
      <LiveBadge state={live.state} title={liveWords(live)} />
    </span>
  )
}

/** A node's column head: its name from below. */
export function LabColumnHead({ nodeId }: { readonly nodeId: string }): ReactNode {
  return (
    <div className={styles.node} title={nodeId}>
      <span className={styles.nodeId}>{nodeId}</span>
    </div>
  )
}

interface LabDetailProps {
  readonly matrix: LabMatrix
  readonly place: PointedPlace | null
  /** Number into the matrix's nodes; null when no node is pointed at. */
  readonly node: number | null
}

/** The line below the lab matrix: what is pointed at, in full. */
export function LabDetail({ matrix, place, node }: LabDetailProps): ReactNode {
  if (place === null)
    return (
      <Detail parts={[{ text: 'Point at a cell to read why; select a row to see its shards and notes.' }]} />
    )
  const role = place.row === null ? undefined : matrix.roles[place.row]
  const nodeId = node === null ? undefined : matrix.nodeIds[node]
  const parts: DetailPart[] = []
  if (role !== undefined) parts.push({ text: role.role, strong: true })
  if (nodeId !== undefined) parts.push({ text: nodeId, strong: true })
  const verdict = role === undefined || node === null ? null : role.verdictAt(node)
  if (role !== undefined && verdict !== null && place.row !== null && node !== null) {
    parts.push({ text: labCellWords(role, verdict, matrix.cell(place.row, node)) })
  } else if (role !== undefined) {
    parts.push({ text: outcomeSentence(role) })
  }
  return <Detail parts={parts} />
}

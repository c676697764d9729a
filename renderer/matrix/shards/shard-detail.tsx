import type { ReactNode } from 'react'
import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import type { ShardMatrix } from '../../../shared/plan/matrix.ts'
import { nodeSummary } from '../../../shared/report/words.ts'
import type { PointedPlace } from '../grid/matrix-grid.tsx'
import { Detail, type DetailPart } from '../detail.tsx'
import { cellWords, countHolders, holdsOf, shardOrdinal } from './shard-words.ts'

interface ShardDetailProps {
  readonly matrix: ShardMatrix
  /** Number into the matrix's nodes; null in the head row. */
  readonly node: number | null
  readonly place: PointedPlace | null
}

/** The line below the shard matrix: what is pointed at, in full. */
export function ShardDetail({ matrix, node, place }: ShardDetailProps): ReactNode {
  if (place === null)
    return <Detail parts={[{ text: 'Point at a cell, or move with the arrow keys, to read about it.' }]} />
  const verdict = node === null ? undefined : matrix.nodes[node]
  const shard = place.col >= 1 && place.col <= matrix.shards.length ? place.col - 1 : null
  const parts: DetailPart[] = []
  if (verdict !== undefined) parts.push({ text: verdict.nodeId, strong: true })
  if (shard !== null) {
    const { path, size, blake3 } = matrix.shards[shard] ?? { path: '', size: 0n, blake3: '' }
    if (node !== null) parts.push({ text: cellWords(matrix, node, shard) })
    else parts.push({ text: shardOrdinal(matrix, shard), strong: true }, { text: holders(matrix, shard) })
    parts.push(
      { text: path, mono: true },
      { text: `${formatBytes(size)} (${formatExactBytes(size)})` },
      { text: blake3, mono: true, prefix: 'BLAKE3 ' },
    )
  } else if (verdict !== undefined && node !== null) {
    const free = verdict.freeBytes
    parts.push(
      { text: nodeSummary(verdict) },
      { text: holdsOf(matrix, node).exact },
      { text: free === null ? 'free space unknown' : `${formatExactBytes(free)} free` },
    )
  }
  return <Detail parts={parts} />
}

function holders(matrix: ShardMatrix, shard: number): string {
  const { held, away } = countHolders(matrix, shard)
  return `held by ${held} of ${matrix.nodes.length} nodes${away === 0 ? '' : `, away on ${away}`}`
}

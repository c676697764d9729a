import type { ReactNode } from 'react'
import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import type { ShardMatrix } from '../../../shared/plan/matrix.ts'
import { forcedWord } from '../../../shared/report/words.ts'
import { classes } from '../../ui/classes.ts'
import { BytesText } from '../../ui/bytes-text.tsx'
import { NodeHead } from '../node-head.tsx'
import { holdsOf, nodeStanding, PART_WORDS, shardOrdinal } from './shard-words.ts'
import common from '../matrix.module.css'
import styles from './shards.module.css'

interface NodeProps {
  readonly matrix: ShardMatrix
  /** Number into the matrix's nodes. */
  readonly node: number
}

/** A node's row head: name, and eligible or the first constraint it fails, and its part in the decision. */
export function ShardRowHead({ matrix, node, hot }: NodeProps & { readonly hot: boolean }): ReactNode {
  const verdict = matrix.nodes[node]
  if (verdict === undefined) return null
  const { tone, text, more, full } = nodeStanding(verdict)
  const part = matrix.part(node)
  return (
    <NodeHead nodeId={verdict.nodeId} forced={verdict.forced} forcedWord={forcedWord(verdict)} hot={hot}>
      <span className={classes(common.standing, tone === 'yes' ? common.yes : common.no)} title={full}>
        {text}
      </span>
      {more === 0 ? null : (
        <span className={common.more} title={full}>
          +{more}
        </span>
      )}
      {part === null ? null : <span className={common.part}>· {PART_WORDS[part]}</span>}
    </NodeHead>
  )
}

/** How much of the model a node holds. */
export function HoldsCell({ matrix, node }: NodeProps): ReactNode {
  const { main, second, exact } = holdsOf(matrix, node)
  return (
    <span title={exact}>
      {main}
      <span className={common.tailSecond}>{second}</span>
    </span>
  )
}

export function FreeCell({ matrix, node }: NodeProps): ReactNode {
  return <BytesText bytes={matrix.nodes[node]?.freeBytes ?? null} />
}

/** A shard's column head: its number over a bar as long as its size beside the largest. */
export function ShardColumnHead({
  matrix,
  shard,
  isCompact,
}: {
  readonly matrix: ShardMatrix
  readonly shard: number
  readonly isCompact: boolean
}): ReactNode {
  const { path, size } = matrix.shards[shard] ?? { path: '', size: 0n }
  // Columns are too narrow for numbers of three digits then.
  const hasNumber = !isCompact || matrix.shards.length < 100 || (shard + 1) % 5 === 0
  const part = matrix.largest === 0n ? 0 : Number((size * 100n) / matrix.largest)
  return (
    <div className={styles.shardHead} title={`${path}\n${formatBytes(size)} (${formatExactBytes(size)})`}>
      <span className="sr-only">
        {shardOrdinal(matrix, shard)}, {path}, {formatBytes(size)}
      </span>
      <span aria-hidden="true" className={hasNumber ? undefined : styles.unnumbered}>
        {String(shard + 1).padStart(String(matrix.shards.length).length, '0')}
      </span>
      <span className={styles.bar} aria-hidden="true">
        <span className={styles.fill} style={{ width: `${part}%` }} />
      </span>
    </div>
  )
}

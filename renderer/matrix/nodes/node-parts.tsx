import { Clock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import { specMemoryBytes } from '../../../shared/inference-spec.ts'
import { classes } from '../../ui/classes.ts'
import { BytesText } from '../../ui/bytes-text.tsx'
import { Detail, type DetailPart } from '../detail.tsx'
import { NodeHead } from '../node-head.tsx'
import { loadBar } from './node-load.ts'
import type { NodeEntry, NodeTable } from './node-table.ts'
import { factsAge, loadWords, overWords, placedWords } from './node-words.ts'
import common from '../matrix.module.css'
import styles from './nodes.module.css'

const BAR_PARTS = { taken: styles.takenPart, placed: styles.placedPart, over: styles.overPart }

interface EntryProps {
  readonly entry: NodeEntry
}

interface NodeRowHeadProps extends EntryProps {
  readonly forced: 'in' | 'out' | null
  readonly hot: boolean
  readonly nowSecs: number
}

/** A node's name and how old its facts are. */
export function NodeRowHead({ entry, forced, hot, nowSecs }: NodeRowHeadProps): ReactNode {
  const { text, stale, full } = factsAge(entry, nowSecs)
  return (
    <NodeHead nodeId={entry.profile.node.nodeId} forced={forced} hot={hot}>
      {stale ? <Clock size={12} className={styles.stale} aria-hidden="true" /> : null}
      <span className={classes(common.standing, stale && styles.stale)} title={full}>
        {text === 'declared' ? text : `${text} facts`}
      </span>
    </NodeHead>
  )
}

/** A node's memory: a bar of what is taken, asked for and over, and the same in words. */
export function MemoryCell({ entry }: EntryProps): ReactNode {
  const over = overWords(entry)
  const bar = entry.load === null ? null : loadBar(entry.load)
  return (
    <div className={styles.memory}>
      <div className={styles.words}>
        <span className={styles.names} title={placedTitle(entry)}>
          {placedWords(entry)}
        </span>
        {over === null ? null : (
          <span className={styles.over} title={over.full}>
            <TriangleAlert size={12} aria-hidden="true" />
            {over.short}
          </span>
        )}
        <span className={styles.figures}>{loadWords(entry)}</span>
      </div>
      {bar === null ? (
        <div className={styles.noBar} aria-hidden="true" />
      ) : (
        <div className={styles.bar} aria-hidden="true">
          <span className={styles.poolPart} style={{ width: `${bar.end}%` }} />
          {bar.parts.map(({ kind, start, length }) => (
            <span key={kind} className={BAR_PARTS[kind]} style={{ left: `${start}%`, width: `${length}%` }} />
          ))}
        </div>
      )}
    </div>
  )
}

function placedTitle({ placed }: NodeEntry): string {
  return placed.roles
    .map(({ role, imported }) => `${role}: ${formatBytes(specMemoryBytes(imported.spec))}`)
    .join('\n')
}

export function StorageCell({ entry }: EntryProps): ReactNode {
  return <BytesText bytes={entry.profile.freeBytes} />
}

/** How many roles the node could run. */
export function EligibleForCell({ table, node }: { readonly table: NodeTable; readonly node: number }): ReactNode {
  const count = table.eligibleFor(node)
  const all = table.plan.roles.length
  return (
    <span title={`eligible for ${count} of ${all} roles`}>
      {count} of {all}
    </span>
  )
}

interface NodeDetailProps {
  readonly entry: NodeEntry | null
  readonly nowSecs: number
}

/** The line below the nodes: the one that is pointed at, in full. */
export function NodeDetail({ entry, nowSecs }: NodeDetailProps): ReactNode {
  if (entry === null) {
    return <Detail parts={[{ text: 'Roles are placed one by one, so together they may ask a node for more than it has.' }]} />
  }
  const { load, placed, profile } = entry
  const parts: DetailPart[] = [{ text: profile.node.nodeId, strong: true }, { text: factsAge(entry, nowSecs).full }]
  if (load !== null) parts.push({ text: `${formatExactBytes(load.free)} of memory free` })
  if (placed.roles.length > 0) parts.push({ text: `asked for by ${placed.roles.map(({ role }) => role).join(', ')}` })
  const over = overWords(entry)
  if (over !== null) parts.push({ text: over.full })
  return <Detail parts={parts} />
}

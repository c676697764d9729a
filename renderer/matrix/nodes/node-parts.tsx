import { Clock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatExactBytes } from '../../../shared/bytes.ts'
import type { ResidentParts } from '../../../shared/plan/resident-parts.ts'
import { classes } from '../../ui/classes.ts'
import { BytesText } from '../../ui/bytes-text.tsx'
import { Detail, type DetailPart } from '../detail.tsx'
import { NodeHead } from '../node-head.tsx'
import { loadBar } from './node-load.ts'
import type { NodeEntry, NodeTable } from './node-table.ts'
import {
  arrivingWords,
  factsAge,
  incomingWords,
  loadWords,
  nodeTroubles,
  residentText,
  residentWords,
  type NodeTrouble,
} from './node-words.ts'
import common from '../matrix.module.css'
import styles from './nodes.module.css'

const PART_STRETCHES = [
  ['weights', styles.weightsPart],
  ['kv', styles.kvPart],
  ['other', styles.otherPart],
] as const

const BAR_PARTS = { taken: styles.takenPart, used: styles.usedPart, refused: styles.refusedPart }

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
    <NodeHead nodeId={entry.profile.node.nodeId} forced={forced} hot={hot} wraps>
      {stale ? <Clock size={12} className={styles.stale} aria-hidden="true" /> : null}
      <span className={classes(common.standing, stale && styles.stale)} title={full}>
        {text === 'declared' ? text : `${text} facts`}
      </span>
    </NodeHead>
  )
}

/** A node's memory: a bar of what is taken, of each role, and of what found no room; and the same in words. */
export function MemoryCell({ entry }: EntryProps): ReactNode {
  const bar = entry.load === null ? null : loadBar(entry.load)
  return (
    <div className={styles.memory}>
      <div className={styles.figures}>{loadWords(entry)}</div>
      {bar === null ? (
        <div className={styles.noBar} aria-hidden="true" />
      ) : (
        <div className={styles.bar} aria-hidden="true">
          <span className={styles.poolPart} style={{ width: `${bar.end}%` }} />
          {bar.parts.map(({ kind, start, length }) => (
            <span key={kind} className={BAR_PARTS[kind]} style={{ left: `${start}%`, width: `${length}%` }}>
              {kind === 'used' ? <Residents entry={entry} /> : null}
            </span>
          ))}
        </div>
      )}
      <div className={styles.words}>
        {nodeTroubles(entry).map((trouble) => (
          <Trouble key={trouble.short} trouble={trouble} />
        ))}
        <span title={residentTitle(entry)}>{residentWords(entry)}</span>
      </div>
    </div>
  )
}

/** The roles on a node side by side, as wide as their memory, with their names as far as they go in. */
function Residents({ entry }: EntryProps): ReactNode {
  return entry.residents.map((resident) => (
    <span
      key={resident.name}
      className={styles.resident}
      style={{ flexGrow: Number(resident.bytes) }}
      title={residentText(resident)}
    >
      {resident.name}
      {resident.parts === null ? null : <Parts parts={resident.parts} />}
    </span>
  ))
}

/** What a role's memory is made of, as a strip below its name. */
function Parts({ parts }: { readonly parts: ResidentParts }): ReactNode {
  return (
    <span className={styles.strip}>
      {PART_STRETCHES.map(([part, className]) => (
        <span key={part} className={className} style={{ flexGrow: Number(parts[part]) }} />
      ))}
    </span>
  )
}

function Trouble({ trouble }: { readonly trouble: NodeTrouble }): ReactNode {
  return (
    <span className={trouble.kind === 'turned_away' ? styles.refused : styles.clash} title={trouble.full}>
      <TriangleAlert size={12} aria-hidden="true" />
      {trouble.short}
    </span>
  )
}

function residentTitle({ residents }: NodeEntry): string {
  return residents.map(residentText).join('\n')
}

/** A node's storage: a bar of what is fetched there and what stays free, and the same in words. */
export function StorageCell({ entry }: EntryProps): ReactNode {
  const { incomingBytes, freeBytes } = entry.residency
  const arriving = arrivingWords(entry)
  return (
    <div className={styles.storage}>
      <div className={styles.figures}>
        <BytesText bytes={freeBytes} />
      </div>
      {freeBytes === null ? (
        <div className={styles.noBar} aria-hidden="true" />
      ) : (
        <div className={styles.bar} aria-hidden="true">
          <span className={styles.poolPart} style={{ width: '100%' }} />
          {incomingBytes === 0n ? null : (
            <span
              className={styles.arrivingPart}
              style={{ width: `${shareOf(incomingBytes, freeBytes)}%` }}
            />
          )}
        </div>
      )}
      <div className={styles.words} title={arriving ?? undefined}>
        {arriving ?? 'nothing is fetched'}
      </div>
    </div>
  )
}

/** `part` of `whole` in percent, at most all of it. */
function shareOf(part: bigint, whole: bigint): number {
  return part >= whole ? 100 : Number((part * 100_000n) / whole) / 1000
}

/** How many roles the node could run. */
export function EligibleForCell({
  table,
  node,
}: {
  readonly table: NodeTable
  readonly node: number
}): ReactNode {
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
    return (
      <Detail
        parts={[
          {
            text: 'Roles take memory in roster order; one that finds no room runs elsewhere, or nowhere.',
          },
        ]}
      />
    )
  }
  const { load, profile, residents } = entry
  const parts: DetailPart[] = [
    { text: profile.node.nodeId, strong: true },
    { text: factsAge(entry, nowSecs).full },
  ]
  if (load !== null) {
    parts.push({
      text: `${formatExactBytes(load.used)} of ${formatExactBytes(load.budget)} for roles in use`,
    })
  }
  for (const { full } of nodeTroubles(entry)) parts.push({ text: full })
  if (residents.length > 0) parts.push({ text: residents.map(residentText).join('; ') })
  const incoming = incomingWords(entry)
  if (incoming !== null) parts.push({ text: incoming })
  return <Detail parts={parts} />
}

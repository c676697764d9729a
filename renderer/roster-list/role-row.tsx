import { Ban, Anchor, MapPin, MoveRight, TriangleAlert, Zap } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { LATENCY_TRAITS } from '../../shared/inference-spec.ts'
import type { LiveRole } from '../../shared/live/compare-live.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import type { LatencySource } from '../../shared/roster/types.ts'
import { isDisplaced } from '../../shared/plan/outcome.ts'
import { outcomeLine, outcomeSentence } from '../../shared/report/outcome-words.ts'
import { Badge } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { LiveBadge, liveWords } from '../ui/live-badge.tsx'
import { OutcomeMark } from '../ui/outcome-mark.tsx'
import styles from './roster-list.module.css'

interface RoleRowProps {
  readonly id: string
  readonly plan: RolePlan
  readonly top: number
  readonly position: number
  readonly total: number
  readonly selected: boolean
  readonly active: boolean
  /** What it does now; null while nothing is watched. */
  readonly live: LiveRole | null
  /** The only node it may run on, as the scenario says; null for any. */
  readonly onlyNode: string | null
  readonly troubled: boolean
  readonly onSelect: (role: string) => void
}

/** Where a latency class comes from, in words. */
const SOURCES: Readonly<Record<LatencySource, string>> = {
  overlay: 'from the overlay',
  roster_text: 'from the roster’s text',
  default: 'by default',
}
const SHORT_SOURCES: Readonly<Record<LatencySource, string | null>> = {
  overlay: 'overlay',
  roster_text: 'text',
  default: null,
}

/** Whether two plans of a role look the same in the list: an edit of the overlay makes all plans again and changes few. */
function looksSame(a: RolePlan, b: RolePlan): boolean {
  if (a === b) return true
  const [before, after] = [a.imported, b.imported]
  return (
    a.outcome.kind === b.outcome.kind &&
    a.decision === b.decision &&
    before.entry === after.entry &&
    before.latencySource === after.latencySource &&
    before.stickyFromOverlay === after.stickyFromOverlay &&
    before.spec.latencyClass === after.spec.latencyClass &&
    before.spec.sticky === after.spec.sticky &&
    before.spec.excludes.join() === after.spec.excludes.join() &&
    outcomeLine(a) === outcomeLine(b) &&
    (!isDisplaced(a.outcome) || outcomeSentence(a) === outcomeSentence(b))
  )
}

function sameRow(
  { plan: before, live: was, ...one }: RoleRowProps,
  { plan: after, live: is, ...other }: RoleRowProps,
): boolean {
  const names = Object.keys(one) as (keyof typeof one)[]
  return (
    names.every((name) => Object.is(one[name], other[name])) &&
    (was && liveWords(was)) === (is && liveWords(is)) &&
    looksSame(before, after)
  )
}

/** One role: its outcome by mark and words, and its badges. */
export const RoleRow = memo(function RoleRow(props: RoleRowProps): ReactNode {
  const { id, plan, top, position, total, selected, active, live, onlyNode, troubled, onSelect } = props
  const { spec } = plan.imported
  const line = outcomeLine(plan)
  const displaced = isDisplaced(plan.outcome)
  const marks = [
    troubled ? <TroubleBadge key="trouble" /> : null,
    spec.sticky && !plan.imported.stickyFromOverlay ? null : (
      <StickyBadge key="sticky" sticky={spec.sticky} />
    ),
    onlyNode === null ? null : <OnlyNodeBadge key="only" node={onlyNode} />,
    spec.excludes.length === 0 ? null : <ExcludesBadge key="excludes" excludes={spec.excludes} />,
  ].filter((mark) => mark !== null)
  const latency = <LatencyBadge plan={plan} />
  // The name needs its line more than the verdict does, once there are marks beside it.
  const latencyIsAbove = marks.length < 2
  return (
    <div
      id={id}
      className={classes(styles.row, active && styles.active)}
      style={{ transform: `translateY(${top}px)` }}
      role="option"
      aria-selected={selected}
      aria-posinset={position}
      aria-setsize={total}
      onClick={() => onSelect(plan.role)}
    >
      <OutcomeMark outcome={plan.outcome} />
      <div className={styles.line}>
        <div className={styles.name} title={`${plan.role} · ${plan.imported.entry.role}`}>
          {plan.role}
        </div>
        {latencyIsAbove ? latency : null}
        {marks}
      </div>
      <div className={styles.line}>
        <div className={styles.verdict} title={displaced ? outcomeSentence(plan) : line}>
          {displaced ? <span className={styles.beside}>{line}</span> : line}
        </div>
        {live === null ? null : (
          <span className={styles.now}>
            <LiveBadge state={live.state} title={liveWords(live)} />
          </span>
        )}
        {latencyIsAbove ? null : latency}
      </div>
    </div>
  )
}, sameRow)

function TroubleBadge(): ReactNode {
  return (
    <Badge tone="amber" title="has problems; see the explanation">
      <TriangleAlert size={11} aria-label="has problems" />
    </Badge>
  )
}

function StickyBadge({ sticky }: { readonly sticky: boolean }): ReactNode {
  return sticky ? (
    <Badge title="sticky, as the overlay says: stays where its cache is warm">
      <Anchor size={11} aria-label="sticky" />
    </Badge>
  ) : (
    <Badge title="not sticky: may move">
      <MoveRight size={11} aria-hidden="true" />
      <span className={styles.moves}>moves</span>
    </Badge>
  )
}

function OnlyNodeBadge({ node }: { readonly node: string }): ReactNode {
  return (
    <Badge title={`runs on ${node} only, as the scenario says`}>
      <MapPin size={11} aria-label={`only on ${node}`} />
    </Badge>
  )
}

function ExcludesBadge({ excludes }: { readonly excludes: readonly string[] }): ReactNode {
  return (
    <Badge title={`cannot be beside ${excludes.join(', ')}`}>
      <Ban size={11} aria-label="excludes" />
      {excludes.length}
    </Badge>
  )
}

/** The class of a role, unless it is the default one by default. */
function LatencyBadge({ plan }: { readonly plan: RolePlan }): ReactNode {
  const { latencyClass } = plan.imported.spec
  const { latencySource } = plan.imported
  if (latencySource === 'default') return null
  const { hasBound } = LATENCY_TRAITS[latencyClass]
  return (
    <Badge tone={hasBound ? 'blue' : 'plain'} title={`${latencyClass} ${SOURCES[latencySource]}`}>
      {hasBound ? <Zap size={10} aria-hidden="true" /> : null}
      {latencyClass}
      <span className={styles.source}>{SHORT_SOURCES[latencySource]}</span>
    </Badge>
  )
}

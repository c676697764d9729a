import type { ReactNode } from 'react'
import type { LiveSpan } from '../../shared/live/history.ts'
import { LIVE_STATE_TRAITS } from '../../shared/live/states.ts'
import styles from './live.module.css'

export const DAY_SECS = 86_400

/** A role's states over a day as a bar: by colour, by height, and in words for a screen reader. */
export function HistoryStrip({
  spans,
  fromSecs,
}: {
  readonly spans: readonly LiveSpan[]
  readonly fromSecs: number
}): ReactNode {
  if (spans.length === 0) return <span className={styles.note}>no history</span>
  const words = spans.map((span) => `${LIVE_STATE_TRAITS[span.state].label} from ${clock(span.fromSecs)}`)
  return (
    <svg className={styles.strip} viewBox="0 0 120 12" role="img" aria-label={words.join(', ')}>
      <title>{words.join('\n')}</title>
      {spans.map((span, i) => {
        const { differs } = LIVE_STATE_TRAITS[span.state]
        const isSeen = span.state === 'as_planned' || differs
        const height = differs ? 12 : isSeen ? 8 : 3
        return (
          <rect
            key={i}
            className={differs ? styles.differs : isSeen ? styles.planned : styles.unseen}
            x={((span.fromSecs - fromSecs) / DAY_SECS) * 120}
            y={12 - height}
            width={Math.max(1, ((span.toSecs - span.fromSecs) / DAY_SECS) * 120)}
            height={height}
          />
        )
      })}
    </svg>
  )
}

function clock(secs: number): string {
  return new Date(secs * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false })
}

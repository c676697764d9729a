import type { ReactNode } from 'react'
import type { LiveRole } from '../../shared/live/compare-live.ts'
import { LIVE_STATE_TRAITS, type LiveState } from '../../shared/live/states.ts'
import { Badge } from './badge.tsx'

/** What a role does now, in its glossary word. */
export function LiveBadge({
  state,
  title,
}: {
  readonly state: LiveState
  readonly title?: string
}): ReactNode {
  const { label, differs } = LIVE_STATE_TRAITS[state]
  const tone = differs ? 'amber' : state === 'as_planned' ? 'blue' : 'plain'
  return (
    <Badge tone={tone} title={title ?? label}>
      {label}
    </Badge>
  )
}

/** What a role does now, and where that was seen or why it was not, in a line. */
export function liveWords({ state, seen, reason }: LiveRole): string {
  const { label } = LIVE_STATE_TRAITS[state]
  const place = seen === null ? '' : `, ${seen.model.id} at ${seen.url}`
  return `now: ${label}${place}${reason === null ? '' : `, ${reason}`}`
}

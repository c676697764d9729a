import { z } from 'zod'
import { LIVE_STATES, type LiveState } from './states.ts'

/** One change of a role's state, as the history keeps it. Nothing of any request or answer is in it. */
export interface LiveChange {
  /** Unix seconds. */
  readonly atSecs: number
  readonly role: string
  /** Null from when nothing was asked any more: what the role did then is not known. */
  readonly state: LiveState | null
}

export const liveStatesSchema = z
  .array(z.strictObject({ role: z.string().min(1).max(64), state: z.enum(LIVE_STATES) }))
  .max(256)

const changeSchema = z.object({
  at: z.int().nonnegative(),
  role: z.string().min(1).max(64),
  state: z.enum(LIVE_STATES).nullable(),
})

/** A change as one line of a history file. */
export function changeLine({ atSecs, role, state }: LiveChange): string {
  return `${JSON.stringify({ at: atSecs, role, state })}\n`
}

/** The changes of a history file, in its order; lines that are none (a line that was cut off) are passed over. */
export function readChanges(text: string): LiveChange[] {
  return text.split('\n').flatMap((line): LiveChange[] => {
    try {
      const read = changeSchema.safeParse(JSON.parse(line))
      return read.success ? [{ atSecs: read.data.at, role: read.data.role, state: read.data.state }] : []
    } catch {
      return []
    }
  })
}

/** A stretch of time in which a role's state was the same. */
export interface LiveSpan {
  readonly fromSecs: number
  readonly toSecs: number
  readonly state: LiveState
}

/** What a role did between two times, as far as it was watched; `changes` are in order. */
export function spansOf(
  changes: readonly LiveChange[],
  role: string,
  fromSecs: number,
  toSecs: number,
): readonly LiveSpan[] {
  const own = changes.filter((change) => change.role === role && change.atSecs <= toSecs)
  return own.flatMap(({ atSecs, state }, i): LiveSpan[] => {
    const end = own[i + 1]?.atSecs ?? toSecs
    return end <= fromSecs || state === null
      ? []
      : [{ fromSecs: Math.max(atSecs, fromSecs), toSecs: end, state }]
  })
}

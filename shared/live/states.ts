/** What a role does right now against its plan, one word each in the window, the terminal and the glossary. */
export const LIVE_STATES = [
  'as_planned',
  'elsewhere',
  'not_running',
  'not_planned',
  'other_model',
  'other_file',
  'other_context',
  'asleep',
  'no_answer',
  'needs_key',
] as const
export type LiveState = (typeof LIVE_STATES)[number]

interface LiveStateTraits {
  readonly label: string
  /** Whether it is something else than the plan says; what cannot be seen is not a difference. */
  readonly differs: boolean
}

export const LIVE_STATE_TRAITS: Readonly<Record<LiveState, LiveStateTraits>> = {
  as_planned: { label: 'as planned', differs: false },
  elsewhere: { label: 'elsewhere', differs: true },
  not_running: { label: 'not running', differs: true },
  not_planned: { label: 'not planned', differs: true },
  other_model: { label: 'other model on its port', differs: true },
  other_file: { label: 'other file or quant', differs: true },
  other_context: { label: 'other context', differs: true },
  asleep: { label: 'asleep or unloaded', differs: false },
  no_answer: { label: 'no answer', differs: false },
  needs_key: { label: 'needs a key', differs: false },
}

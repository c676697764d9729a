/**
 * How much of the text a fault makes unreadable: only the `token` it is in, the collection `nearby`, whose
 * shape is then guessed, or all the `rest`.
 */
export type Spoiled = 'token' | 'nearby' | 'rest'

/** Why a token is refused, and where. */
export interface ScanFault {
  readonly at: number
  readonly message: string
  readonly spoils: Spoiled
}

export function fault(at: number, message: string, spoils: Spoiled = 'rest'): ScanFault {
  return { at, message, spoils }
}

export const TAB_MESSAGE = 'a tab cannot indent in YAML: use spaces'

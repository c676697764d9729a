/**
 * Why a token is refused. One that is `mendable` has a clear end all the same, so that reading can go on
 * behind it.
 */
export interface ScanFault {
  readonly at: number
  readonly message: string
  readonly mendable: boolean
}

export function fault(at: number, message: string, mendable = false): ScanFault {
  return { at, message, mendable }
}

export const TAB_MESSAGE = 'a tab cannot indent in YAML: use spaces'

import type { HostError, HostErrorCode, HostResult } from '../../shared/host-api.ts'

/** A failed {@link HostResult}. */
export function failed(
  code: HostErrorCode,
  message: string,
): { readonly ok: false; readonly error: HostError } {
  return { ok: false, error: { code, message } }
}

/** What several calls answer. */
export const NO_LAB = failed('no_lab', 'No lab is open. Open one first.')
export const STRANGE_TOKEN = failed('unknown_token', 'That place is not known any more. Choose it again.')

/** The answer of a call that has nothing to wait for. */
export function answer<T>(value: T): Promise<HostResult<T>> {
  return Promise.resolve({ ok: true, value })
}

/** The same for one that is refused. */
export function refuse(failure: ReturnType<typeof failed>): Promise<ReturnType<typeof failed>> {
  return Promise.resolve(failure)
}

/** What reading the header of a weight file gives, from the bytes at its start. */
export type HeaderRead<Header> =
  | { readonly kind: 'read'; readonly header: Header }
  /** The header goes on beyond the given bytes: at least `bytes` of the file are needed. */
  | { readonly kind: 'more'; readonly bytes: number }
  /** The file is of another kind. */
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed'; readonly reason: string }

/** The longest header that is read, in bytes: the largest vocabularies take a tenth of it. */
export const MAX_HEADER_BYTES = 100_000_000

export function malformed(reason: string): { readonly kind: 'malformed'; readonly reason: string } {
  return { kind: 'malformed', reason }
}

import { utf8Text } from './utf8-text.ts'

/** What lies in the place of weights though it is none. */
export type StandIn = 'empty' | 'lfs_pointer' | 'web_page' | 'error_text'

/** How many bytes of a file's start are enough to know a stand-in. */
const STAND_IN_BYTES = 512

/**
 * Whether a file with these bytes at its start is no weight file but what a failed download left in its place:
 * nothing, a pointer of Git LFS, a web page, or the error of a server. Null when it may be weights.
 */
export function standInOf(start: Uint8Array): StandIn | null {
  if (start.length === 0) return 'empty'
  const text = utf8Text(start.subarray(0, STAND_IN_BYTES)).trimStart().toLowerCase()
  if (text.startsWith('version https://git-lfs')) return 'lfs_pointer'
  if (/^<(?:!doctype|html|head|body|\?xml|!--)/.test(text)) return 'web_page'
  return /^(?:\{\s*"error"|entry not found|not found|access to model|invalid username)/.test(text)
    ? 'error_text'
    : null
}

/** What a stand-in is, behind a file's name: `NAME is ...`. */
export const STAND_IN_WORDS: Readonly<Record<StandIn, string>> = {
  empty: 'is empty',
  lfs_pointer: 'is a pointer of Git LFS and not the weights: run git lfs pull',
  web_page: 'is a web page and not weights: download it again',
  error_text: 'is the error text of a server and not weights: download it again',
}

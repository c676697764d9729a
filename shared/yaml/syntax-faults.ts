import type { YAMLError } from 'yaml'

/** What the library finds that the scanner has judged already, by the reference's rules. */
const JUDGED_BY_SCANNER: ReadonlySet<YAMLError['code']> = new Set([
  'BAD_ALIAS',
  'BAD_DIRECTIVE',
  'BAD_DQ_ESCAPE',
  'BAD_SCALAR_START',
  // Said of a mapping with a key in brackets behind a blank line, in which nothing is wrong.
  'IMPOSSIBLE',
  'KEY_OVER_1024_CHARS',
  'MULTILINE_IMPLICIT_KEY',
  'TAB_AS_INDENT',
  'TAG_RESOLVE_FAILED',
])

const JUDGED_BY_MESSAGE = /^Comments must be separated|^Tags and anchors must be separated/

/** Whether what the `yaml` library found is wrong to the reference as well. */
export function isFault(error: YAMLError): boolean {
  if (error.name === 'YAMLWarning' || JUDGED_BY_SCANNER.has(error.code)) return false
  return !JUDGED_BY_MESSAGE.test(error.message)
}

import type { YAMLError } from 'yaml'
import type { Span } from '../text-lines.ts'
import { skipBlank } from './characters.ts'
import type { Spoiled } from './scan-fault.ts'

/** Something wrong with a YAML text as such, whatever it should say. */
export interface SyntaxFault {
  readonly message: string
  readonly span: Span
  readonly spoils: Spoiled
}

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

/** What to do about the faults that the library can find, by the start of what it says or by its code. */
const ADVICE: readonly (readonly [said: RegExp, advice: string])[] = [
  [/^Implicit map keys need to be followed/, 'a `:` is missing behind this key'],
  [/^Sequence item without/, 'a `-` is missing before this item, or the line should be indented further'],
  [/^Missing , /, 'a comma is missing between the entries in brackets'],
  [/^Unexpected ,/, 'a comma too many: remove it'],
  [/^Block collection cannot start on same line/, 'begin the document on the line below ---'],
  [/^Missing newline after block sequence props/, 'begin the list on the line below its tag or anchor'],
  [
    /^Nested mappings are not allowed/,
    'a second `:` on one line: put quotes around the text, or begin a new line',
  ],
]

const ADVICE_BY_CODE: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  ALIAS_PROPS: 'an alias can have neither a tag nor an anchor: remove it',
  BAD_INDENT: 'this line is indented unlike the others it belongs to: begin all of them in the same column',
  BAD_PROP_ORDER: 'a tag or an anchor stands behind the dash, the question mark or the colon: move it there',
  BLOCK_AS_IMPLICIT_KEY: 'a list or mapping cannot be the key of a mapping here: check the indentation',
  BLOCK_IN_FLOW: 'only brackets can stand in brackets: write the inner list or mapping with brackets too',
  MULTIPLE_ANCHORS: 'a value can have only one anchor: remove the other',
  MULTIPLE_TAGS: 'a value can have only one tag: remove the other',
  RESOURCE_EXHAUSTION: 'lists and mappings are nested too deep to be read: take some levels out',
  UNEXPECTED_TOKEN: 'this does not belong here: check the quotes, brackets and indentation before it',
}

/**
 * The faults among what the `yaml` library found in the part of the text that was read, up to `readUntil`.
 */
export function structuralFaults(
  errors: readonly YAMLError[],
  text: string,
  readUntil: number,
): SyntaxFault[] {
  return errors
    .filter((error) => isFault(error) && error.pos[0] < readUntil)
    .map((error) => {
      // The library often points at the white space before what is wrong.
      const start = skipBlank(text, error.pos[0])
      return {
        message: adviceOn(error),
        span: { start, end: Math.max(start, error.pos[1]) },
        spoils: 'nearby',
      }
    })
}

const LINE_BREAK = /[\n\r\x85\u2028\u2029]/

/**
 * `faults` in the order of the text. Of those that spoil what is nearby one a line is kept: what follows it
 * there is mostly its echo.
 */
export function inOrder(faults: readonly SyntaxFault[], text: string): SyntaxFault[] {
  let last: number | null = null
  return faults
    .toSorted((a, b) => a.span.start - b.span.start)
    .filter(({ span: { start }, spoils }) => {
      if (spoils === 'token') return true
      const isEcho = spoils === 'nearby' && last !== null && !LINE_BREAK.test(text.slice(last, start))
      last = start
      return !isEcho
    })
}

/** Whether what the library found is wrong to the reference as well. */
function isFault(error: YAMLError): boolean {
  return !JUDGED_BY_SCANNER.has(error.code) && !JUDGED_BY_MESSAGE.test(error.message)
}

function adviceOn({ code, message }: YAMLError): string {
  const found = ADVICE.find(([said]) => said.test(message))
  return found?.[1] ?? ADVICE_BY_CODE[code] ?? `this cannot be read as YAML: ${message}`
}

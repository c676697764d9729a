import type { Span } from '../text-lines.ts'
import { forbiddenCharacters } from './characters.ts'
import { MAX_FAULTS, type ParseFault } from './node-reader.ts'
import { ODD_SPACE, oddSpaceName } from './odd-space.ts'
import type { Spoiled } from './scan-fault.ts'

/** Something wrong with a YAML text as such, whatever it should say. */
export interface SyntaxFault {
  readonly message: string
  readonly span: Span
  readonly spoils: Spoiled
  /** How many events of the reference's parser came before it. */
  readonly event: number
}

/**
 * The faults of `text` in its order: characters that may stand nowhere in it, which the reference meets before
 * all else, and what the parser found. Of those that spoil what is nearby one a line is kept: what follows it
 * there is mostly its echo.
 */
export function syntaxFaults(text: string, found: readonly ParseFault[]): SyntaxFault[] {
  const characters = forbiddenCharacters(text, MAX_FAULTS).map((fault) => ({ ...fault, event: 0 }))
  let last: number | null = null
  return [...characters, ...found]
    .toSorted((a, b) => a.at - b.at)
    .filter(({ at, spoils }) => {
      if (spoils === 'token') return true
      const isEcho = spoils === 'nearby' && last !== null && !LINE_BREAK.test(text.slice(last, at))
      last = at
      return !isEcho
    })
    .map(({ at, message, spoils, event }) => ({
      message: message + noBreakSpaceBefore(text, at),
      span: { start: at, end: Math.min(at + 1, text.length) },
      spoils,
      event,
    }))
}

const LINE_BREAK = /[\n\r\x85\u2028\u2029]/

/** What to add to a fault at `at` when such a space before it on its line is the likely cause. */
function noBreakSpaceBefore(text: string, at: number): string {
  let start = at
  while (start > 0 && !LINE_BREAK.test(text.charAt(start - 1)) && at - start < MAX_LINE_LOOKED_AT) start--
  let end = at
  while (end < text.length && !LINE_BREAK.test(text.charAt(end)) && end - at < MAX_LINE_LOOKED_AT) end++
  const found = ODD_SPACE.exec(text.slice(start, end))
  if (!found) return ''
  return `; the line has a ${oddSpaceName(found[0])}, which does not count as a space: replace it`
}

const MAX_LINE_LOOKED_AT = 500

import type { YamlNode } from '../yaml/nodes.ts'

/** How a text is written in YAML: with nothing around it where that is safe, or in quotes. */
export type Quoting = 'plain' | 'single' | 'double'

const SIMPLE = /^[A-Za-z0-9](?:[A-Za-z0-9._+:-]*[A-Za-z0-9._+-])?$/
/**
 * What single quotes keep as it is; a line break would be folded, and all else looks alike to the eye.
 */
const ONE_LINE = /^[\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/
/** What JSON leaves alone and YAML does not read as it stands, or must not hold at all. */
const UNPRINTABLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

/**
 * `text` as a scalar that reads back as this very text, in the quoting wanted where that is safe. A plain
 * scalar is kept to the characters of role names and to words that are a text in YAML 1.1 and 1.2 alike:
 * `null`, `on`, `1` and `1:30` get quotes.
 */
export function writeScalar(text: string, quoting: Quoting): string {
  if (quoting === 'plain' && isSafePlain(text)) return text
  if (quoting === 'single' && ONE_LINE.test(text)) return `'${text.replaceAll("'", "''")}'`
  return JSON.stringify(text).replace(UNPRINTABLE, escapeUnit)
}

function isSafePlain(text: string): boolean {
  return SIMPLE.test(text) && !WORD.test(text) && (/^[A-Za-z]/.test(text) || NO_NUMBER.test(text))
}

/** What YAML 1.1 or 1.2 reads as null or a truth value, in whatever case: better quoted once too often. */
const WORD = /^(?:null|true|false|yes|no|on|off|y|n)$/i
/** Has a letter that is in no number (decimal, hexadecimal, octal, binary, with an exponent) and in no time. */
const NO_NUMBER = /[g-np-su-wy]/i

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** How `node` is quoted, for what is written beside it; null when it is no scalar. */
export function quotingOf(node: YamlNode | null | undefined): Quoting | null {
  if (node?.kind !== 'scalar') return null
  return node.style === 'double' || node.style === 'single' ? node.style : 'plain'
}

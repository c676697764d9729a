import { isBlankOrEnd } from './characters.ts'
import { fault, type ScanFault } from './scan-fault.ts'
import type { Directive } from './tokens.ts'

/** How far anchors, aliases, tags and directives of YAML 1.1 reach, and which the reference refuses. */

const NAME = /[&*][0-9A-Za-z_-]+/y
const BEHIND_NAME = /[?:,\]}%@`]/

/** The end of a token, and what it says; or where the word ends that is refused, and why. */
export type Scanned<T> =
  | { readonly end: number; readonly content: T; readonly fault: null }
  | { readonly end: number; readonly content: null; readonly fault: ScanFault }

/** An anchor or alias from its `&` or `*`; its content is the name. */
export function scanName(text: string, start: number): Scanned<string> {
  NAME.lastIndex = start
  const end = start + (NAME.exec(text)?.[0].length ?? 1)
  const isEnded = isBlankOrEnd(text.charCodeAt(end)) || BEHIND_NAME.test(text.charAt(end))
  if (end > start + 1 && isEnded) return { end, content: text.slice(start + 1, end), fault: null }
  const kind = text.charAt(start) === '&' ? 'an anchor' : 'an alias'
  const message = `the name of ${kind} is letters, digits, - and _: fix it, or put quotes around a text`
  return { end: wordEnd(text, end), content: null, fault: fault(start, message, 'token') }
}

function wordEnd(text: string, from: number): number {
  let end = from
  while (!isBlankOrEnd(text.charCodeAt(end))) end++
  return end
}

const VERBATIM_TAG = /!<([\w;/?:@&=+$.!~*'()%,[\]-]+)>/y
const TAG = /(!(?:[\w-]*!)?)([\w;/?:@&=+$.!~*'()%-]*)/y

/**
 * A tag from its `!`. A named handle (`!!`, `!e!`) needs a suffix; without one the whole tag is its own suffix
 * behind the handle `!`, and a lone `!` has no handle at all.
 */
export function scanTag(
  text: string,
  start: number,
  inFlow: boolean,
): Scanned<{ readonly handle: string; readonly suffix: string }> {
  const isVerbatim = text.charAt(start + 1) === '<'
  const pattern = isVerbatim ? VERBATIM_TAG : TAG
  pattern.lastIndex = start
  const match = pattern.exec(text)
  const end = start + (match?.[0].length ?? 1)
  const isEnded = isBlankOrEnd(text.charCodeAt(end)) || (inFlow && text.charAt(end) === ',')
  const written = match && (isVerbatim ? match[1] : match[2])
  const handle = match === null || isVerbatim ? '' : (match[1] ?? '')
  const suffix = written === null || written === undefined ? null : decodeUri(written)
  const isWhole = suffix !== null && (suffix !== '' || handle === '!')
  if (isWhole && isEnded) {
    const isLone = handle === '!' && suffix === ''
    return { end, content: isLone ? { handle: '', suffix: '!' } : { handle, suffix }, fault: null }
  }
  const message = 'this is no tag: put quotes around a text that begins with an exclamation mark'
  return { end: wordEnd(text, end), content: null, fault: fault(start, message, 'token') }
}

const DIRECTIVE = /%[^\n\r\x85\u2028\u2029]*/y
const VERSION = /^%YAML[ \t]+([0-9]{1,9})\.([0-9]{1,9})(?=[ \t#]|$)/
const TAG_HANDLE = /^%TAG[ \t]+(!(?:[\w-]*!)?)[ \t]+([\w;/?:@&=+$.!~*'()%,[\]-]+)(?=[ \t]|$)/
const COMMENT_OR_NOTHING = /^[ \t]*(?:#|$)/

export const VERSION_MESSAGE = 'only YAML 1.1 and 1.2 can be read: write %YAML 1.2, or remove the line'

/** A directive from its `%` at the start of a line, up to the comment behind it. */
export function scanDirective(text: string, start: number): Scanned<Directive> {
  DIRECTIVE.lastIndex = start
  const line = DIRECTIVE.exec(text)?.[0] ?? '%'
  const version = VERSION.exec(line)
  const handle = TAG_HANDLE.exec(line)
  const declared = version ?? handle
  const end = start + (declared ?? [line])[0].length
  if (declared && COMMENT_OR_NOTHING.test(line.slice(declared[0].length))) {
    if (version) {
      const isKnown = Number(version[1]) === 1 && (Number(version[2]) === 1 || Number(version[2]) === 2)
      return { end, content: { kind: 'version', isKnown }, fault: null }
    }
    const prefix = handle && decodeUri(handle[2] ?? '')
    if (handle && prefix !== null) {
      return { end, content: { kind: 'tag-handle', handle: handle[1] ?? '', prefix }, fault: null }
    }
  }
  const message = line.startsWith('%YAML')
    ? VERSION_MESSAGE
    : 'a line cannot begin with % except for the directives %YAML and %TAG: remove it, or put quotes around it'
  return { end, content: null, fault: fault(start, message) }
}

const ESCAPED_OCTETS = /(?:%[0-9A-Fa-f]{2})+/g

/** What stands for octets that are no UTF-8: the reference takes them, and knows no tag that has them. */
const NO_TEXT = '\uFFFD'

/**
 * `uri` with its escapes resolved; null when one is not two hexadecimal digits or the octets do not have the
 * shape of UTF-8. The reference ends its texts at a NUL.
 */
function decodeUri(uri: string): string | null {
  if (!uri.includes('%')) return uri
  let isShaped = !/%(?![0-9A-Fa-f]{2})/.test(uri)
  const decoded = uri.replace(ESCAPED_OCTETS, (escapes) => {
    if (
      !hasShapeOfUtf8(
        escapes
          .slice(1)
          .split('%')
          .map((hex) => parseInt(hex, 16)),
      )
    )
      isShaped = false
    try {
      return decodeURIComponent(escapes)
    } catch {
      return NO_TEXT
    }
  })
  if (!isShaped) return null
  const nul = decoded.indexOf('\0')
  return nul === -1 ? decoded : decoded.slice(0, nul)
}

/** Whether leading and trailing octets follow each other as in UTF-8, whatever the characters. */
function hasShapeOfUtf8(octets: readonly number[]): boolean {
  let trailing = 0
  for (const octet of octets) {
    if (trailing > 0) {
      if ((octet & 0xc0) !== 0x80) return false
      trailing--
    } else if ((octet & 0x80) === 0) trailing = 0
    else if ((octet & 0xe0) === 0xc0) trailing = 1
    else if ((octet & 0xf0) === 0xe0) trailing = 2
    else if ((octet & 0xf8) === 0xf0) trailing = 3
    else return false
  }
  return trailing === 0
}

import { isBlankOrEnd } from './characters.ts'
import { fault, type ScanFault } from './scan-fault.ts'

/** How far anchors, aliases, tags and directives of YAML 1.1 reach, and which the reference refuses. */

/** The end of a token, and what is wrong with it. */
export interface Scanned {
  readonly end: number
  readonly fault: ScanFault | null
}

const NAME = /[&*][0-9A-Za-z_-]+/y
const BEHIND_NAME = /[?:,\]}%@`]/

/** An anchor or alias from its `&` or `*`. */
export function scanName(text: string, start: number): { end: number; fault: ScanFault | null } {
  NAME.lastIndex = start
  const end = start + (NAME.exec(text)?.[0].length ?? 1)
  const isEnded = isBlankOrEnd(text.charCodeAt(end)) || BEHIND_NAME.test(text.charAt(end))
  if (end > start + 1 && isEnded) return { end, fault: null }
  let wordEnd = end
  while (!isBlankOrEnd(text.charCodeAt(wordEnd))) wordEnd++
  const kind = text.charAt(start) === '&' ? 'an anchor' : 'an alias'
  const message = `the name of ${kind} is letters, digits, - and _: mend it, or put quotes around a text`
  return { end: wordEnd, fault: fault(start, message, 'token') }
}

const VERBATIM_TAG = /!<[\w;/?:@&=+$.!~*'()%,[\]-]+>/y
const TAG = /![\w;/?:@&=+$.!~*'()%-]*/y
const EMPTY_HANDLE = /^![\w-]*!$/

const TAG_PREFIX = /^!([\w-]*)!/

/** A tag from its `!`; `handles` are those that directives have declared. */
export function scanTag(
  text: string,
  start: number,
  inFlow: boolean,
  handles: ReadonlySet<string>,
): { end: number; fault: ScanFault | null } {
  const pattern = text.charAt(start + 1) === '<' ? VERBATIM_TAG : TAG
  pattern.lastIndex = start
  const tag = pattern.exec(text)?.[0] ?? ''
  const end = start + tag.length
  const isEnded = isBlankOrEnd(text.charCodeAt(end)) || (inFlow && text.charAt(end) === ',')
  if (tag === '' || !isEnded || EMPTY_HANDLE.test(tag) || !isDecodable(tag)) {
    let wordEnd = Math.max(end, start + 1)
    while (!isBlankOrEnd(text.charCodeAt(wordEnd))) wordEnd++
    const message = 'this is no tag: put quotes around a text that begins with an exclamation mark'
    return { end: wordEnd, fault: fault(start, message, 'token') }
  }
  const handle = TAG_PREFIX.exec(tag)
  if (!handle || handle[1] === '' || handles.has(handle[0])) return { end, fault: null }
  const message = `the tag handle ${handle[0]} is not declared: remove it, or declare it with %TAG`
  return { end, fault: fault(start, message, 'token') }
}

function isDecodable(tag: string): boolean {
  try {
    decodeURIComponent(tag)
    return true
  } catch {
    return false
  }
}

const DIRECTIVE = /%[^\n\r\x85\u2028\u2029]*/y
const VERSION = /^%YAML[ \t]+0*1\.0*[12]$/
const TAG_HANDLE = /^%TAG[ \t]+(!(?:[\w-]*!)?)[ \t]+[\w;/?:@&=+$.!~*'()%,[\]-]+$/

/**
 * A directive from its `%` at the start of a line: its end without comment, what it declares, and its fault.
 */
export function scanDirective(
  text: string,
  start: number,
): { end: number; declares: string; fault: ScanFault | null } {
  DIRECTIVE.lastIndex = start
  const line = DIRECTIVE.exec(text)?.[0] ?? '%'
  const directive = line.replace(/[ \t]+#.*$|[ \t]+$/, '')
  const end = start + directive.length
  const handle = TAG_HANDLE.exec(directive)?.[1]
  if (handle !== undefined) return { end, declares: handle, fault: null }
  if (VERSION.test(directive)) return { end, declares: '%YAML', fault: null }
  const message = directive.startsWith('%YAML')
    ? 'only YAML 1.1 and 1.2 can be read: write %YAML 1.2, or remove the line'
    : 'a line cannot begin with % except for the directives %YAML and %TAG: remove it, or put quotes around it'
  return { end, declares: '', fault: fault(start, message) }
}

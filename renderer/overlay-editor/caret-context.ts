import { OVERLAY_KEYS, type OverlayKey } from '../../shared/overlay/types.ts'

/** What is being written at a place of an overlay's text. */
export type CaretContext =
  /** A top-level key. */
  | { readonly at: 'key' }
  /** A role's name below `key`. */
  | { readonly at: 'role'; readonly key: OverlayKey }
  /** The latency class or the stickiness of `role`. */
  | { readonly at: 'value'; readonly key: 'latency_class' | 'sticky'; readonly role: string }
  /** A whole list of excludes of `role`, not yet begun. */
  | { readonly at: 'exclude_list'; readonly role: string }
  /** One name in the list of excludes of `role`. */
  | { readonly at: 'exclude'; readonly role: string }
  /** Nothing that could be suggested, such as a comment. */
  | { readonly at: 'nothing' }

const NOTHING: CaretContext = { at: 'nothing' }

/**
 * What stands at 1-based `line`, behind the first `column - 1` UTF-16 units of it. It looks at indentation
 * and punctuation alone, since a text that is being typed seldom parses.
 */
export function contextAt(lines: readonly string[], line: number, column: number): CaretContext {
  const before = (lines[line - 1] ?? '').slice(0, column - 1)
  if (isInComment(before)) return NOTHING
  const key = topKeyOf(before)
  if (key !== null) return inFlowMapping(key.key, key.rest)
  if (indentOf(before) === 0) return /^[\w"']*$/.test(before) ? { at: 'key' } : NOTHING
  const enclosing = enclosingKey(lines, line)
  if (enclosing === null) return NOTHING
  return inBlock(enclosing, lines, line, before)
}

function isInComment(before: string): boolean {
  const bare = before.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (quoted) => '_'.repeat(quoted.length))
  return /(?:^|\s)#/.test(bare)
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length
}

function unquote(name: string): string {
  return name.trim().replace(/^(["'])(.*)\1$/, '$2')
}

function topKeyOf(text: string): { readonly key: OverlayKey; readonly rest: string } | null {
  const found = /^(["']?)(\w+)\1\s*:(?:\s+(.*))?$/.exec(text)
  const key = OVERLAY_KEYS.find((candidate) => candidate === found?.[2])
  return key === undefined ? null : { key, rest: found?.[3] ?? '' }
}

function enclosingKey(lines: readonly string[], line: number): OverlayKey | null {
  for (let i = line - 2; i >= 0; i--) {
    const text = lines[i] ?? ''
    if (text.trim() === '' || indentOf(text) > 0 || text.startsWith('#')) continue
    return topKeyOf(text.replace(/\s+#.*$/, ''))?.key ?? null
  }
  return null
}

/** `{coder-small: interactive, her` behind a top-level key. */
function inFlowMapping(key: OverlayKey, rest: string): CaretContext {
  const open = rest.lastIndexOf('{')
  if (open === -1) return NOTHING
  const inside = rest.slice(open + 1)
  const bare = inside.replace(/\[[^\]]*\]/g, (list) => '_'.repeat(list.length))
  const unclosed = bare.lastIndexOf('[')
  const from = bare.slice(0, unclosed === -1 ? bare.length : unclosed).lastIndexOf(',') + 1
  return inEntry(key, inside.slice(from))
}

/** `role: value` as far as it is written. */
function inEntry(key: OverlayKey, entry: string): CaretContext {
  const found = /^\s*("[^"]*"|'[^']*'|[^\s:][^:]*?(?::\S[^:]*?)*)\s*:\s(.*)$/.exec(entry)
  if (found === null) return { at: 'role', key }
  const role = unquote(found[1] ?? '')
  const value = (found[2] ?? '').trimStart()
  if (key !== 'excludes') return /\s/.test(value) ? NOTHING : { at: 'value', key, role }
  if (!value.includes('[')) return value === '' ? { at: 'exclude_list', role } : NOTHING
  return value.includes(']') ? NOTHING : { at: 'exclude', role }
}

function inBlock(key: OverlayKey, lines: readonly string[], line: number, before: string): CaretContext {
  const trimmed = before.trimStart()
  if (key === 'excludes') {
    if (/^-(?:\s|$)/.test(trimmed)) {
      const role = roleAbove(lines, line, indentOf(before))
      return role === null ? NOTHING : { at: 'exclude', role: role.name }
    }
    const above = roleAbove(lines, line, indentOf(before) - 1)
    // A flow list that goes on over several lines.
    if (above !== null && above.rest.includes('[') && !above.rest.includes(']')) {
      return { at: 'exclude', role: above.name }
    }
  }
  return inEntry(key, before)
}

/** The nearest `role:` above, at most `indent` deep, and what follows it up to `line`. */
function roleAbove(
  lines: readonly string[],
  line: number,
  indent: number,
): { readonly name: string; readonly rest: string } | null {
  for (let i = line - 2; i >= 0; i--) {
    const text = lines[i] ?? ''
    const depth = indentOf(text)
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue
    if (depth === 0) return null
    const found = /^\s*("[^"]*"|'[^']*'|[^\s#-][^\s]*?)\s*:(?:\s(.*))?$/.exec(text)
    if (found === null || depth > indent) continue
    const rest = [found[2] ?? '', ...lines.slice(i + 1, line - 1)].join('\n')
    return { name: unquote(found[1] ?? ''), rest }
  }
  return null
}

/**
 * The name around 1-based `column` of `text`, its letters in UTF-16 columns; an empty one when there is none.
 */
export function nameAround(
  text: string,
  column: number,
): { readonly name: string; readonly start: number; readonly end: number } {
  const left = /[A-Za-z0-9._+:-]*$/.exec(text.slice(0, column - 1))?.[0] ?? ''
  // A dash that begins a list item, or a colon that ends a key, is no part of the name.
  const begun = left.replace(/^[^A-Za-z0-9]+/, '')
  const right = /^(?:[A-Za-z0-9._+-]|:(?=[A-Za-z0-9]))*/.exec(text.slice(column - 1))?.[0] ?? ''
  const start = column - begun.length
  return { name: begun + right, start, end: column + right.length }
}

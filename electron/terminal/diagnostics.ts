import type { Problem, Severity } from '../../shared/problem.ts'
import type { TextLines } from '../../shared/text-lines.ts'
import type { Style } from './style.ts'
import { cutWords, displayWidth, printable, truncate } from './width.ts'

/** The text a problem's `file` names, or undefined when the host could not read it. */
export type SourceOf = (file: string) => TextLines | undefined

/** `queue.yaml:12:9`, as much of it as is known. */
export function problemPlace({ file, range }: Problem): string {
  const name = file === null ? 'lab-planner' : printable(file)
  return range === null ? name : `${name}:${range.start.line}:${range.start.column}`
}

export function paintSeverity(severity: Severity, style: Style): string {
  switch (severity) {
    case 'error':
      return style.no(severity)
    case 'warning':
      return style.warning(severity)
    case 'info':
      return style.info(severity)
  }
}

/**
 * `problem` as compilers print them: place, severity and message, then the line it is in with carets below.
 */
export function diagnosticLines(problem: Problem, sourceOf: SourceOf, width: number, style: Style): string[] {
  const place = style.strong(`${problemPlace(problem)}:`)
  const head = `${place} ${paintSeverity(problem.severity, style)}: ${cutWords(printable(problem.message))}`
  return [head, ...quoteLines(problem, sourceOf, width, style)]
}

function quoteLines({ file, range }: Problem, sourceOf: SourceOf, width: number, style: Style): string[] {
  const source = file === null ? undefined : sourceOf(file)
  if (source === undefined || range === null) return []
  const { start, end } = range
  const line = source.lineSpan(start.line)
  const from = Math.min(start.offset, line.end)
  const to = end.line === start.line ? Math.min(end.offset, line.end) : line.end
  const first = line.start === 0 && source.text.startsWith('\uFEFF') ? 1 : line.start
  const number = String(start.line)
  const { before, marked, after } = cutToWidth(
    wholeCharacters(source.text.slice(Math.max(first, from - MAX_QUOTED), from)),
    wholeCharacters(source.text.slice(from, Math.min(to, from + MAX_QUOTED))),
    wholeCharacters(source.text.slice(to, Math.min(line.end, to + MAX_QUOTED))),
    width - number.length - ' | '.length - 1,
  )
  const gutter = ' '.repeat(number.length)
  // What is marked is shown whole; blanks at its end need no carets.
  const carets = '^'.repeat(Math.max(1, cells(marked.trimEnd())))
  return [
    style.faint(` ${number} | `) + `${before}${marked}${after}`.trimEnd(),
    style.faint(` ${gutter} | `) + blanksBelow(before) + style.no(carets),
  ]
}

/** A tab is as wide as the terminal makes it, so the caret line keeps the tabs of the line above it. */
function blanksBelow(text: string): string {
  return text
    .split('\t')
    .map((part) => ' '.repeat(displayWidth(part)))
    .join('\t')
}

function cells(text: string): number {
  return displayWidth(text.replaceAll('\t', ' '))
}

/** Writes out what must not reach a terminal, but for tabs. */
function printableLine(text: string): string {
  return text.split('\t').map(printable).join('\t')
}

/** Cells of context that a long line keeps on either side of the mark. */
const CONTEXT = 20
/** A stretch of a text without the halves of pairs that it was cut through. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

/** Units of a line that are looked at around a mark: beyond any terminal's width, below any cost. */
const MAX_QUOTED = 2000

/**
 * The three parts of a line, printable, shortened around the marked one until they fit; a cut shows an
 * ellipsis.
 */
function cutToWidth(
  before: string,
  marked: string,
  after: string,
  width: number,
): { before: string; marked: string; after: string } {
  const parts = { before: printableLine(before), marked: printableLine(marked), after: printableLine(after) }
  if (cells(parts.before + parts.marked + parts.after) <= width) return parts
  // The mark is what the line is quoted for; what stands around it shares the cells it leaves.
  const room = Math.max(2 * CONTEXT, width)
  const shownMarked = takeStart(parts.marked, room - CONTEXT)
  const roomAfter = Math.min(CONTEXT, cells(parts.after))
  const shownBefore = takeEnd(parts.before, Math.max(CONTEXT, room - cells(shownMarked) - roomAfter))
  const shownAfter = takeStart(parts.after, room - cells(shownBefore) - cells(shownMarked))
  return { before: shownBefore, marked: shownMarked, after: shownAfter }
}

function takeStart(text: string, width: number): string {
  return text.includes('\t') ? takeCharacters(text, width) : truncate(text, width)
}

/** {@link truncate} for a text with tabs, each of which counts as one cell. */
function takeCharacters(text: string, width: number): string {
  if (cells(text) <= width) return text
  let kept = ''
  let used = 0
  for (const char of text) {
    used += cells(char)
    if (used > width - 1) break
    kept += char
  }
  return width < 1 ? '' : `${kept}…`
}

function takeEnd(text: string, width: number): string {
  if (cells(text) <= width) return text
  let kept = ''
  let used = 0
  for (const char of Array.from(text).reverse()) {
    used += cells(char)
    if (used > width - 1) break
    kept = char + kept
  }
  return `…${kept}`
}

import { readOk, type Problem, type Read } from '../problem.ts'
import { TextLines, type Span } from '../text-lines.ts'
import { sectionOf } from './edit-add.ts'
import { planStep, type EditPlan } from './edit-plan.ts'
import { beginsLine, commentsIn, lineStart, nextLine, openSource, type EditSource } from './edit-source.ts'
import { applySplices, changedSpan, widenSpan } from './edit-splices.ts'
import { applyStep, sameOverlay, stepsOf, type OverlayEdit, type OverlayStep } from './edit-step.ts'
import { readOverlay } from './parse-overlay.ts'
import type { Overlay, OverlayDocument } from './types.ts'

export type { OverlayEdit } from './edit-step.ts'

/** The text after an edit, or why it could not be made; then the text is to stay as it is. */
export type EditOutcome =
  | {
      readonly ok: true
      readonly text: string
      /** What the text says, as reading it again would show. */
      readonly document: OverlayDocument
      /** For the next edit of this text, which then need not parse it again. */
      readonly draft: OverlayDraft
      /**
       * The changed stretch of the new text (empty where something was only taken out); null when nothing
       * changed.
       */
      readonly changed: Span | null
    }
  | {
      readonly ok: false
      /** For a person: what is in the way and what to do about it. */
      readonly reason: string
      readonly problems: readonly Problem[]
    }

/**
 * Makes one edit of an overlay's text and keeps everything else byte for byte: comments, order, quoting,
 * indentation, line breaks, a byte order mark, a missing final line break.
 *
 * - The text must be a valid overlay before, and is one afterwards that says exactly what the edit means and
 *   no more: the result is read again, and an edit that would say anything else or lose a comment is refused.
 * - An edit that says what the overlay says already changes nothing. An exclude counts as there when it is
 *   listed as `NAME` or as `role:NAME`; removing one removes every such spelling of it.
 * - A new entry goes to the end of its section, a new section to the end of the document, written as its
 *   neighbours are. Roles that YAML would read as something else (`null`, `1`, `a: b`) get quotes.
 * - A removed entry takes the comments behind it, on its own lines, along; comments on lines of their own
 *   stay. With a role's last exclude goes the role, and with a section's last role the section (or it stays
 *   as `{}`: see `removeEntry`). Of a role that is given twice, the last one counts and both are removed.
 * - A section with a tag, an anchor, an alias or a `?` key is left to a person: the edit is refused with its place.
 *
 * @param file The name of the text in problems.
 * @param draft What the edit before returned; used when it is of the same text and file.
 */
export function editOverlay(
  text: string,
  edit: OverlayEdit,
  file = 'overlay.yaml',
  draft: OverlayDraft | null = null,
): EditOutcome {
  const before = draftOf(text, file, draft)
  if (!before.ok) return refuseUnread(before.problems)
  let current = before.value
  let changed: Span | null = null
  for (const step of stepsOf(current.document, edit)) {
    const { source } = current
    const after = applyStep(current.document.overlay, step)
    const planned = planStep(source, step)
    if (!planned.ok) return refuse(text, file, edit.role, planned.reason, changed ? null : planned.span)
    const done = firstFaithful(source, planned.plans, after, file)
    if (!done) return refuse(text, file, edit.role, unsafeReason(step), null)
    changed = changed ? widenSpan(changed, done.plan.splices) : changedSpan(done.plan.splices)
    current = done.draft
  }
  return { ok: true, text: current.source.text, document: current.document, draft: current, changed }
}

/** A text parsed, and what it says. */
export interface OverlayDraft {
  readonly source: EditSource
  readonly document: OverlayDocument
}

function draftOf(text: string, file: string, known: OverlayDraft | null): Read<OverlayDraft> {
  if (known !== null && known.source.text === text && known.document.file === file) return readOk(known)
  const source = openSource(text)
  const read = readOverlay(source.yaml, file)
  return read.ok ? readOk({ source, document: read.value }) : read
}

/** The first of `plans` whose text says what `after` does, with every comment that was to stay. */
function firstFaithful(
  source: EditSource,
  plans: readonly EditPlan[],
  after: Overlay,
  file: string,
): { readonly plan: EditPlan; readonly draft: OverlayDraft } | null {
  for (const plan of plans) {
    const draft = faithfulDraft(source, plan, after, file)
    if (draft) return { plan, draft }
  }
  return null
}

function faithfulDraft(
  source: EditSource,
  plan: EditPlan,
  after: Overlay,
  file: string,
): OverlayDraft | null {
  const opened = openSource(applySplices(source.text, plan.splices))
  const read = readOverlay(opened.yaml, file)
  if (!read.ok || !sameOverlay(read.value.overlay, after)) return null
  const gone = plan.removed ? commentsGoingWith(source, plan.removed) : []
  const expected = commentTexts(
    source,
    source.comments.filter((comment) => !gone.includes(comment)),
  )
  const found = commentTexts(opened, opened.comments)
  // A comment that could have gone may also have stayed, on a line that others share.
  const keepsAll =
    isSubsequence(expected, found) && isSubsequence(found, commentTexts(source, source.comments))
  return keepsAll ? { source: opened, document: read.value } : null
}

/** The comments on the lines of a removed item that have something of it before them. */
function commentsGoingWith(source: EditSource, removed: Span): Span[] {
  const lines = { start: lineStart(source, removed.start), end: nextLine(source, removed.end) }
  return commentsIn(source, lines).filter(({ start }) => !beginsLine(source, start))
}

function commentTexts({ text }: EditSource, comments: readonly Span[]): string[] {
  return comments.map(({ start, end }) => text.slice(start, end))
}

/** Whether `all` holds the texts of `some` in their order. */
function isSubsequence(some: readonly string[], all: readonly string[]): boolean {
  let next = 0
  for (const entry of all) if (entry === some[next]) next++
  return next === some.length
}

function refuseUnread(problems: readonly Problem[]): EditOutcome {
  const first = problems.find((problem) => problem.severity === 'error')
  const place = first?.range ? ` (line ${first.range.start.line})` : ''
  const why = first ? `: ${first.message}${place}` : ''
  return { ok: false, reason: `the overlay cannot be edited until its errors are fixed${why}`, problems }
}

function unsafeReason(step: OverlayStep): string {
  const what = `\`${step.role}\` under \`${sectionOf(step)}\``
  return `${what} is written in a way that cannot be edited safely here: edit the text by hand`
}

function refuse(text: string, file: string, role: string, reason: string, span: Span | null): EditOutcome {
  const range = span ? new TextLines(text).range(span) : null
  return {
    ok: false,
    reason,
    problems: [{ severity: 'error', code: 'overlay-edit-refused', message: reason, file, range, role }],
  }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editOverlay, type OverlayEdit } from '../../../../shared/overlay/edit-overlay.ts'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'
import type { Overlay, OverlayDocument } from '../../../../shared/overlay/types.ts'
import { editCase, jsonOverlay, overlayEdit } from './edit-texts.ts'

const RUNS = { numRuns: 500 }

function read(text: string): OverlayDocument {
  const outcome = parseOverlay(text)
  if (!outcome.ok)
    throw new Error(`not an overlay: ${outcome.problems.map(({ message }) => message).join('; ')}`)
  return outcome.value
}

function edited(
  text: string,
  edit: OverlayEdit,
): { text: string; document: OverlayDocument; changed: { start: number; end: number } | null } {
  const outcome = editOverlay(text, edit)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome
}

const bare = (exclude: string): string => exclude.replace(/^role:/, '')

/** What the edit is to make of an overlay, stated again, more simply than the editor does. */
function intended(overlay: Overlay, edit: OverlayEdit): Overlay {
  const excludes = new Map(overlay.excludes)
  const latencyClass = new Map(overlay.latencyClass)
  const sticky = new Map(overlay.sticky)
  const { role } = edit
  const listed = excludes.get(role) ?? []
  if (edit.kind === 'set_latency_class') latencyClass.set(role, edit.latencyClass)
  else if (edit.kind === 'unset_latency_class') latencyClass.delete(role)
  else if (edit.kind === 'set_sticky') sticky.set(role, edit.sticky)
  else if (edit.kind === 'unset_sticky') sticky.delete(role)
  else if (edit.kind === 'add_exclude') {
    if (!listed.some((name) => bare(name) === bare(edit.exclude)))
      excludes.set(role, [...listed, edit.exclude])
  } else {
    const rest = listed.filter((name) => bare(name) !== bare(edit.exclude))
    if (rest.length > 0) excludes.set(role, rest)
    else if (listed.length > 0) excludes.delete(role)
  }
  return { excludes, latencyClass, sticky }
}

function isRemoval({ kind }: OverlayEdit): boolean {
  return kind.startsWith('unset') || kind === 'remove_exclude'
}

/** The edit that undoes `edit` where what it sets was not there before. */
function opposite(edit: OverlayEdit): OverlayEdit {
  const { role } = edit
  if (edit.kind === 'set_latency_class') return { kind: 'unset_latency_class', role }
  if (edit.kind === 'set_sticky') return { kind: 'unset_sticky', role }
  if (edit.kind === 'add_exclude') return { kind: 'remove_exclude', role, exclude: edit.exclude }
  throw new Error(`${edit.kind} adds nothing`)
}

function isNew({ excludes, latencyClass, sticky }: Overlay, edit: OverlayEdit): boolean {
  if (edit.kind === 'set_latency_class') return !latencyClass.has(edit.role)
  if (edit.kind === 'set_sticky') return !sticky.has(edit.role)
  if (edit.kind !== 'add_exclude') return false
  return !(excludes.get(edit.role) ?? []).some((name) => bare(name) === bare(edit.exclude))
}

const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

/**
 * The numbers of the lines of `before` that are not in `after`, in order and byte for byte, by the longest
 * match.
 */
function lostLines(before: readonly string[], after: readonly string[]): number[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lost: number[] = []
  let j = 0
  for (let i = 0; i < before.length; i++) {
    while (j < after.length && before[i] !== after[j] && at(i, j + 1) === at(i, j)) j++
    if (j < after.length && before[i] === after[j]) j++
    else lost.push(i)
  }
  return lost
}

/**
 * The lines that a removal may touch: those of the entry, and its neighbours', whose commas may go or come.
 */
function touchableLines(
  { lines, mentions }: OverlayDocument,
  edit: OverlayEdit,
): { from: number; to: number } {
  const key =
    edit.kind === 'unset_sticky' ? 'sticky' : edit.kind === 'remove_exclude' ? 'excludes' : 'latency_class'
  const lineOf = (offset: number): number => lines.placeAt(offset).line - 1
  const own = mentions.flatMap((mention, index) => {
    if (mention.key !== key || mention.role !== edit.role) return []
    if (edit.kind !== 'remove_exclude') return [index]
    return mention.exclude === null || bare(mention.exclude) === bare(edit.exclude) ? [index] : []
  })
  const listed = mentions.filter(
    (mention) => mention.role === edit.role && mention.exclude !== null && key === 'excludes',
  )
  const goesWhole = edit.kind !== 'remove_exclude' || listed.length === own.length - 1
  const first = own[goesWhole ? 0 : 1] ?? 0
  const last = own.at(-1) ?? 0
  const sectionLine = linesOf(lines.text).findIndex((line) => new RegExp(`^\uFEFF?\\s*${key}:`).test(line))
  const isOnly = mentions.filter((mention) => mention.key === key && mention.exclude === null).length === 1
  const before = lineOf(mentions[first - 1]?.span.start ?? 0)
  const after = mentions[last + 1]
  return {
    from: goesWhole && isOnly ? Math.min(sectionLine, before) : before,
    to: after ? lineOf(after.span.start) : Infinity,
  }
}

describe('editOverlay, over texts in every style', () => {
  test('makes every edit, and of the overlay exactly what the edit means', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        expect(read(edited(text, edit).text).overlay).toEqual(intended(read(text).overlay, edit))
      }),
      RUNS,
    )
  })

  test('keeps every comment, but for those beside what a removal takes out', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        const after = linesOf(edited(text, edit).text)
        const touchable = isRemoval(edit) ? touchableLines(read(text), edit) : { from: 0, to: -1 }
        linesOf(text).forEach((line, number) => {
          const comment = /# c\d+(?=\r?\n|$)/.exec(line)?.[0]
          if (comment === undefined) return
          const survives = after.some((other) => other.trimEnd().endsWith(comment))
          const mayGo =
            !line.trimStart().startsWith('#') && number >= touchable.from && number <= touchable.to
          expect(survives || mayGo, `${comment} of line ${number + 1}`).toBe(true)
        })
      }),
      RUNS,
    )
  })

  test('touches one line at most to add or set something', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        fc.pre(!isRemoval(edit))
        expect(lostLines(linesOf(text), linesOf(edited(text, edit).text)).length).toBeLessThanOrEqual(1)
      }),
      RUNS,
    )
  })

  test('touches no line but those of the entry and its neighbours to remove something', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        fc.pre(isRemoval(edit))
        const { from, to } = touchableLines(read(text), edit)
        for (const line of lostLines(linesOf(text), linesOf(edited(text, edit).text))) {
          expect(line).toBeGreaterThanOrEqual(from)
          expect(line).toBeLessThanOrEqual(to)
        }
      }),
      RUNS,
    )
  })

  test('gives the text back when what was added is removed again', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        fc.pre(isNew(read(text).overlay, edit))
        expect(edited(edited(text, edit).text, opposite(edit)).text).toBe(text)
      }),
      RUNS,
    )
  })

  test('reports what the new text says, as reading it does', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        const { text: after, document } = edited(text, edit)
        expect(document).toEqual(read(after))
      }),
      RUNS,
    )
  })

  test('changes nothing the second time', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        const once = edited(text, edit).text
        expect(editOverlay(once, edit)).toMatchObject({ ok: true, text: once, changed: null })
      }),
      RUNS,
    )
  })

  test('reports the changed stretch: all before it and all behind it is as it was', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        const after = edited(text, edit)
        const { start, end } = after.changed ?? { start: text.length, end: text.length }
        expect(after.changed === null).toBe(after.text === text)
        expect(text.startsWith(after.text.slice(0, start))).toBe(true)
        expect(text.endsWith(after.text.slice(end))).toBe(true)
        expect(text.length - (after.text.length - end)).toBeGreaterThanOrEqual(start)
      }),
      RUNS,
    )
  })

  test('keeps the byte order mark, the kind of line break and whether the last line has one', () => {
    fc.assert(
      fc.property(editCase, ([text, edit]) => {
        fc.pre(/\n/.test(text))
        const after = edited(text, edit).text
        expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
        else expect(after).not.toContain('\r')
        // A blank line that becomes the last one ends the text with the break of the line before it.
        const blankBefore = /\n\r?\n/.test(text) && !text.endsWith('\n')
        if (after.replace('\uFEFF', '') !== '' && !blankBefore) {
          expect(after.endsWith('\n')).toBe(text.endsWith('\n'))
        }
      }),
      RUNS,
    )
  })

  test('keeps an overlay that is JSON what it is, and gives it back when an addition is removed again', () => {
    fc.assert(
      fc.property(jsonOverlay, overlayEdit, (text, edit) => {
        fc.pre(text !== '{}')
        const after = edited(text, edit).text
        expect(() => void JSON.parse(after)).not.toThrow()
        expect(read(after).overlay).toEqual(intended(read(text).overlay, edit))
        if (isNew(read(text).overlay, edit)) expect(edited(after, opposite(edit)).text).toBe(text)
      }),
      RUNS,
    )
  })

  test('never throws, whatever the text', () => {
    const snippets = fc.constantFrom(
      'excludes',
      'sticky',
      'latency_class',
      ':',
      ' ',
      '  ',
      '\n',
      '\r',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ',',
      'a',
      'b',
      'true',
      'batch',
      '#',
      ' # c',
      '&x ',
      '*x',
      '!t ',
      '? ',
      '|',
      '"',
      "'",
      '---',
      '...',
      '\uFEFF',
      '\t',
      '~',
      '\u0085',
    )
    const anyText = fc.oneof(
      fc.array(snippets, { maxLength: 24 }).map((parts) => parts.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(anyText, overlayEdit, (text, edit) => {
        const outcome = editOverlay(text, edit)
        if (outcome.ok) expect(read(outcome.text).overlay).toEqual(intended(read(text).overlay, edit))
        else expect(outcome.reason).not.toBe('')
      }),
      RUNS,
    )
  })
})

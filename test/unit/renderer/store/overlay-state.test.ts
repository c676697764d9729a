import { describe, expect, test } from 'vitest'
import {
  applyEdit,
  isUnsaved,
  keepMine,
  openOverlay,
  overlayChangedOnDisk,
  overlaySaved,
  overlayText,
  redoOverlay,
  takeDiskVersion,
  typeOverlay,
  undoOverlay,
  type OverlayState,
} from '../../../../renderer/store/overlay-state.ts'

const FILE = 'overlay.yaml'
const GOOD = '# mine\nlatency_class:\n  a: interactive # fast\n'
const disk = (text: string): { text: string; hash: string } => ({ text, hash: `hash of ${text}` })

function edited(overlay: OverlayState, ...edits: Parameters<typeof applyEdit>[1]): OverlayState {
  const result = applyEdit(overlay, edits, 5_000)
  if (!result.ok) throw new Error(result.reason)
  return result.overlay
}

describe('the overlay being edited', () => {
  test('is saved when opened, and defaults when there is no file', () => {
    expect(isUnsaved(openOverlay(FILE, disk(GOOD)))).toBe(false)
    const none = openOverlay(FILE, null)
    expect(isUnsaved(none)).toBe(false)
    expect(none.document.overlay.latencyClass.size).toBe(0)
  })

  test('shares one undo stack between typing and dragging, and keeps comments', () => {
    let overlay = typeOverlay(openOverlay(FILE, disk(GOOD)), `${GOOD}sticky:\n  a: false\n`, 1_000)
    overlay = edited(overlay, { kind: 'set_latency_class', role: 'b', latencyClass: 'interactive' })
    expect(overlay.document.overlay.latencyClass.get('b')).toBe('interactive')
    expect(overlayText(overlay)).toContain('a: interactive # fast')
    overlay = undoOverlay(overlay)
    expect(overlay.document.overlay.latencyClass.has('b')).toBe(false)
    expect(overlay.document.overlay.sticky.get('a')).toBe(false)
    expect(overlayText(undoOverlay(overlay))).toBe(GOOD)
    expect(redoOverlay(overlay).document.overlay.latencyClass.get('b')).toBe('interactive')
  })

  test('keeps the last good overlay, stale, while the text does not parse', () => {
    const broken = typeOverlay(openOverlay(FILE, disk(GOOD)), 'latency_class:\n  a: fast\n', 1_000)
    expect(broken.stale).toBe(true)
    expect(broken.document.overlay.latencyClass.get('a')).toBe('interactive')
    expect(broken.problems[0]?.range?.start.line).toBe(2)
    const mended = typeOverlay(broken, 'latency_class:\n  a: batch\n', 1_100)
    expect(mended.stale).toBe(false)
    expect(mended.document.overlay.latencyClass.get('a')).toBe('batch')
  })

  test('keeps its reading while a comment is typed below it, and reads again what counts', () => {
    const opened = openOverlay(FILE, disk(GOOD))
    const commented = typeOverlay(opened, `${GOOD}# typed`, 1_000)
    expect(overlayText(commented)).toBe(`${GOOD}# typed`)
    expect(commented.document).toBe(opened.document)
    const changed = typeOverlay(commented, GOOD.replace('interactive', 'batch'), 1_100)
    expect(changed.document.overlay.latencyClass.get('a')).toBe('batch')
    const moved = typeOverlay(opened, `\n${GOOD}`, 1_200)
    const [first] = moved.document.mentions
    expect(first && moved.document.lines.range(first.span).start.line).toBe(4)
  })

  test('refuses to edit a text that does not parse, and says why', () => {
    const broken = typeOverlay(openOverlay(FILE, disk(GOOD)), 'nonsense: 1\n', 1_000)
    const result = applyEdit(broken, [{ kind: 'set_sticky', role: 'a', sticky: true }], 2_000)
    expect(result.ok).toBe(false)
    expect(result.ok ? '' : result.reason).not.toBe('')
  })

  test('takes a change on disk over silently when nothing is unsaved, one undo away', () => {
    const next = overlayChangedOnDisk(openOverlay(FILE, disk(GOOD)), FILE, disk('sticky: {}\n'), 1_000)
    expect(overlayText(next)).toBe('sticky: {}\n')
    expect(isUnsaved(next)).toBe(false)
    expect(overlayText(undoOverlay(next))).toBe(GOOD)
  })

  test('keeps unsaved edits when the file changes outside, and knows the other version', () => {
    const mine = typeOverlay(openOverlay(FILE, disk(GOOD)), `${GOOD}# more\n`, 1_000)
    const next = overlayChangedOnDisk(mine, FILE, disk('sticky: {}\n'), 2_000)
    expect(overlayText(next)).toBe(`${GOOD}# more\n`)
    expect(next.outside?.disk?.text).toBe('sticky: {}\n')
  })

  test('sees no conflict when both sides came to the same text', () => {
    const mine = typeOverlay(openOverlay(FILE, disk(GOOD)), 'sticky: {}\n', 1_000)
    const next = overlayChangedOnDisk(mine, FILE, disk('sticky: {}\n'), 2_000)
    expect(next.outside).toBeNull()
    expect(isUnsaved(next)).toBe(false)
  })

  test('keeps the text as unsaved when the file is gone, and gives it up only when asked to', () => {
    const next = overlayChangedOnDisk(openOverlay(FILE, disk(GOOD)), FILE, null, 1_000)
    expect(overlayText(next)).toBe(GOOD)
    expect(isUnsaved(next)).toBe(true)
    expect(next.outside).toEqual({ disk: null })
    expect(overlayText(takeDiskVersion(next, null, 2_000))).toBe('')
    expect(overlayText(undoOverlay(takeDiskVersion(next, null, 2_000)))).toBe(GOOD)
    expect(overlayChangedOnDisk(next, FILE, disk(GOOD), 3_000)).toMatchObject({ outside: null })
  })

  test('keeps mine over the version on disk, or takes that version and leaves mine one undo away', () => {
    const mine = typeOverlay(openOverlay(FILE, disk(GOOD)), `${GOOD}# more\n`, 1_000)
    const theirs = disk('sticky: {}\n')
    const conflict = overlayChangedOnDisk(mine, FILE, theirs, 2_000)
    const kept = keepMine(conflict, theirs)
    expect(kept.outside).toBeNull()
    expect(kept.base).toEqual(theirs)
    expect(overlayText(kept)).toBe(`${GOOD}# more\n`)
    const taken = takeDiskVersion(conflict, theirs, 3_000)
    expect(overlayText(taken)).toBe('sticky: {}\n')
    expect(overlayText(undoOverlay(taken))).toBe(`${GOOD}# more\n`)
  })

  test('stays unsaved when typing went on while the file was written', () => {
    const mine = typeOverlay(openOverlay(FILE, disk(GOOD)), `${GOOD}# more\n`, 1_000)
    const saved = overlaySaved(mine, GOOD, 'new hash')
    expect(isUnsaved(saved)).toBe(true)
    expect(isUnsaved(overlaySaved(mine, `${GOOD}# more\n`, 'new hash'))).toBe(false)
  })
})

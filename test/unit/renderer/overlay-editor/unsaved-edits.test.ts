import { describe, expect, test } from 'vitest'
import { countUnsavedEdits, savedText } from '../../../../renderer/overlay-editor/unsaved-edits.ts'
import {
  openOverlay,
  overlaySaved,
  redoOverlay,
  typeOverlay,
  undoOverlay,
} from '../../../../renderer/store/overlay-state.ts'

/** The overlay after lines were typed, each a step of its own. */
function typed(...lines: string[]): ReturnType<typeof openOverlay> {
  const start = openOverlay('overlay.yaml', { text: '', hash: '0' })
  let text = ''
  return lines.reduce((overlay, line, i) => typeOverlay(overlay, (text += `${line}\n`), i * 10_000), start)
}

describe('countUnsavedEdits', () => {
  test('counts the steps since the file was saved', () => {
    expect(countUnsavedEdits(typed())).toBe(0)
    expect(countUnsavedEdits(typed('# a', '# b'))).toBe(2)
  })

  test('counts forwards too when the saved text was undone', () => {
    const saved = overlaySaved(typed('# a', '# b'), '# a\n# b\n', '1')
    expect(countUnsavedEdits(undoOverlay(saved))).toBe(1)
    expect(countUnsavedEdits(redoOverlay(undoOverlay(saved)))).toBe(0)
  })

  test('knows no number when the saved text is not among the steps', () => {
    expect(countUnsavedEdits(overlaySaved(typed('# a'), '# somebody else', '1'))).toBeNull()
  })
})

describe('savedText', () => {
  test('says how the text stands to its file', () => {
    expect(savedText(typed())).toBe('saved')
    expect(savedText(typed('# a'))).toBe('1 unsaved edit')
    expect(savedText(typed('# a', '# b'))).toBe('2 unsaved edits')
    expect(savedText(openOverlay('overlay.yaml', null))).toBe('not there yet')
  })
})

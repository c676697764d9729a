import { expect, test } from 'vitest'
import { markerText } from '../../../../renderer/overlay-editor/marker-text.ts'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'

test('a problem that quotes an override of direction is shown, not acted on', () => {
  const [problem] = parseOverlay('sticky:\n  "b\\u202e": 5\n').problems
  expect(problem?.message).toContain('b\u202e')
  const shown = problem && markerText(problem)
  expect(shown?.message).toContain('b\\u{202e}')
  expect(shown?.message).not.toContain('\u202e')
})

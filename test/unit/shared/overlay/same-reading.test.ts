import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'
import { readsTheSame } from '../../../../shared/overlay/same-reading.ts'
import type { OverlayDocument } from '../../../../shared/overlay/types.ts'
import { editCase } from './edit-texts.ts'

const RUNS = { numRuns: 500 }

function read(text: string): OverlayDocument | null {
  const outcome = parseOverlay(text)
  return outcome.ok ? outcome.value : null
}

/** All that a plan can take from an overlay: what it says, in its order, and where each name stands. */
function said({ file, lines, overlay, mentions }: OverlayDocument): unknown {
  const { excludes, latencyClass, sticky } = overlay
  return {
    file,
    listed: [[...excludes], [...latencyClass], [...sticky]],
    mentions: mentions.map(({ span, ...mention }) => ({ ...mention, range: lines.range(span) })),
  }
}

describe('two overlay texts that read the same', () => {
  test('say the same at the same lines and columns, wherever something was typed or removed', () => {
    let same = 0
    let other = 0
    const typed = fc.constantFrom('', ' ', '\n', '\r', '# x', '\n# x\n', 'a', ',', ': ', '\n  z: true\n', 'ü')
    fc.assert(
      fc.property(
        editCase,
        fc.double({ min: 0, max: 1, noNaN: true }),
        typed,
        fc.nat(2),
        (given, at, what, gone) => {
          const [text] = given
          const offset = Math.floor(at * text.length)
          const before = read(text)
          const after = read(text.slice(0, offset) + what + text.slice(offset + gone))
          if (before === null || after === null) return
          if (!readsTheSame(before, after)) {
            other++
            return
          }
          same++
          expect(said(after)).toEqual(said(before))
        },
      ),
      RUNS,
    )
    expect(same).toBeGreaterThan(0)
    expect(other).toBeGreaterThan(0)
  })

  test('are those that differ in a comment below the last name', () => {
    const text = 'excludes:\n  a: [b]\nsticky:\n  a: true'
    const before = read(text)
    const after = read(`${text} # kept warm\n# and more\n`)
    expect(before && after && readsTheSame(before, after)).toBe(true)
  })

  test.each([
    ['a value below the last name', 'sticky:\n  a: true\n', 'sticky:\n  a: false\n'],
    ['the order of names', 'sticky: {a: true, b: true}\n', 'sticky: {b: true, a: true}\n'],
    ['a comment above the names', 'sticky:\n  a: true\n', '# x\nsticky:\n  a: true\n'],
    ['a line break in place of a space', '# x\n \nsticky: {a: true}\n', '# x\n\n\nsticky: {a: true}\n'],
  ])('are not those that differ in %s', (_what, one, another) => {
    const before = read(one)
    const after = read(another)
    expect(before && after && readsTheSame(before, after)).toBe(false)
  })
})

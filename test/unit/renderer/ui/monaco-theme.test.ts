import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { monacoTheme, TEXT_TOKENS } from '../../../../renderer/ui/monaco-theme.ts'

const css = readFileSync(new URL('../../../../renderer/ui/tokens.css', import.meta.url), 'utf8')

/** The colours of one theme, by the selector of its block in the tokens' file. */
function tokensOf(selector: string): (name: string) => string | null {
  const block = css.split(`${selector} {`)[1]?.split('}')[0] ?? ''
  const colors = new Map(
    [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  )
  return (name) => colors.get(name) ?? null
}

const THEMES = [
  { name: 'light', dark: false, read: tokensOf(':root') },
  { name: 'dark', dark: true, read: tokensOf(":root[data-theme='dark']") },
]

/** The channels of `#rrggbb`, or of `#rrggbbaa` laid over `below`. */
function channels(hex: string, below: readonly number[] = [0, 0, 0]): number[] {
  const alpha = hex.length === 9 ? parseInt(hex.slice(7), 16) / 255 : 1
  return [1, 3, 5].map((at, i) => parseInt(hex.slice(at, at + 2), 16) * alpha + (below[i] ?? 0) * (1 - alpha))
}

function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG's contrast ratio. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

describe.each(THEMES)('the $name theme of the editor', ({ dark, read }) => {
  const theme = monacoTheme(dark, read)
  const background = channels(theme.colors['editor.background'] ?? '')
  const veiled = (...surfaces: string[]): number[] =>
    surfaces.reduce((below, surface) => channels(theme.colors[surface] ?? '', below), background)

  test('draws every kind of text in a colour of the page', () => {
    expect(theme.rules).toHaveLength(TEXT_TOKENS.length)
    expect(theme.rules.map(({ foreground }) => `#${foreground ?? ''}`)).toEqual(
      TEXT_TOKENS.map(({ token }) => read(token)),
    )
  })

  test.each([
    ['the plain ground', []],
    ['the line of the caret', ['editor.lineHighlightBackground']],
    ['a selection', ['editor.selectionBackground']],
    ['an added line', ['diffEditor.insertedLineBackground', 'diffEditor.insertedTextBackground']],
    ['a removed line', ['diffEditor.removedLineBackground', 'diffEditor.removedTextBackground']],
  ] as const)('keeps every kind of text readable on %s', (_, surfaces) => {
    const ground = veiled(...surfaces)
    for (const { token, foreground } of theme.rules) {
      expect(contrast(channels(`#${foreground ?? ''}`), ground), token).toBeGreaterThanOrEqual(4.5)
    }
  })
})

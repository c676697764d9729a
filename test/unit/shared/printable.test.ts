import { expect, test } from 'vitest'
import { jsonText } from '../../../shared/json/json-text.ts'
import { printable, printableText } from '../../../shared/printable.ts'
import { codeBlock, escape } from '../../../shared/report/markdown.ts'
import { printable as inTerminal } from '../../../electron/terminal/width.ts'

/** ESC, BEL, an OSC 52 that would write the clipboard, C1, directions, a mark without shape, a tag, a lone surrogate. */
const HOSTILE = [
  '\u001b[31m',
  '\u0007',
  '\u001b]52;c;aGk=\u0007',
  '\u009b2J',
  '\u061c',
  '\u200e',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u{e0041}',
  '\u{e007f}',
  '\ud800',
]
const ACTED_ON = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u202e\u2066\u2069\ufeff\u{e0041}\u{e007f}]/u

test.each(HOSTILE)('%j is written out in the terminal, in Markdown and in JSON alike', (text) => {
  expect(ACTED_ON.test(`a${text}b`)).toBe(true)
  for (const shown of [
    printable(text),
    inTerminal(text),
    escape(text),
    codeBlock([text]).replaceAll('\n', ''),
  ]) {
    expect(shown).not.toMatch(ACTED_ON)
  }
  const json = jsonText({ [text]: [text] })
  expect(json).not.toMatch(ACTED_ON)
  expect(JSON.parse(json)).toEqual({ [text]: [text] })
})

test('a text of several lines keeps its line ends and tabs, and no CR that would write over a line', () => {
  expect(printableText('a\n\tb\r\nc')).toBe('a\n\tb\r\nc')
  expect(printableText('safe\rEVIL\r\r\n')).toBe('safe\\u{d}EVIL\\u{d}\r\n')
})

test('names in any script and emoji stay as they are', () => {
  const names = 'Zürich モデル नमस्ते سلام می\u200cخواهم 👩\u200d💻 ❤️'
  expect([printable(names), JSON.parse(jsonText(names))]).toEqual([names, names])
  expect(jsonText(names)).toBe(JSON.stringify(names))
})

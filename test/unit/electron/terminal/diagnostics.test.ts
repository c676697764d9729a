import { describe, expect, test } from 'vitest'
import { diagnosticLines } from '../../../../electron/terminal/diagnostics.ts'
import { styleFor } from '../../../../electron/terminal/style.ts'
import { TextLines } from '../../../../shared/text-lines.ts'
import type { Problem } from '../../../../shared/problem.ts'

const STYLE = styleFor('stderr', {
  stdout: () => undefined,
  stderr: () => undefined,
  readStdin: () => Promise.resolve(new Uint8Array()),
  cwd: '/',
  env: {},
  stdoutIsTty: false,
  stderrIsTty: false,
  columns: null,
  homeDir: '/',
  nowSecs: 0,
})

/** The diagnostic of the stretch that «» marks in `marked`. */
function diagnose(marked: string, width = 80): string[] {
  const start = marked.indexOf('«')
  const text = marked.replace('«', '').replace('»', '')
  const lines = new TextLines(text)
  const range = lines.range({ start, end: marked.indexOf('»') - 1 })
  const problem: Problem = { severity: 'error', code: 'x', message: 'no good', file: 'queue.yaml', range }
  return diagnosticLines(problem, () => lines, width, STYLE)
}

describe('diagnostics', () => {
  test('name place and severity, quote the line and mark the stretch', () => {
    expect(diagnose('roster:\n- port: «"8081"»\n')).toEqual([
      'queue.yaml:2:9: error: no good',
      ' 2 | - port: "8081"',
      '   |         ^^^^^^',
    ])
  })

  test('keep tabs before the caret as tabs, so that it stands below whatever their width', () => {
    expect(diagnose('\ta:\t«b»').slice(1)).toEqual([' 1 | \ta:\tb', '   | \t  \t^'])
  })

  test('put carets below wide characters by their cells', () => {
    expect(diagnose('名前: «モデル» x').slice(1)).toEqual([' 1 | 名前: モデル x', '   |       ^^^^^^'])
  })

  test('a marked tab stays in the quoted line', () => {
    expect(diagnose('a:\n«\t»port: 1').slice(1)).toEqual([' 2 | \tport: 1', '   | ^'])
  })

  test('a byte order mark takes no column', () => {
    expect(diagnose('\uFEFF«a»: 1').slice(1)).toEqual([' 1 | a: 1', '   | ^'])
  })

  test('an empty stretch and the end of a line get one caret', () => {
    expect(diagnose('a:«»\nb').slice(1)).toEqual([' 1 | a:', '   |   ^'])
  })

  test('a stretch over lines is marked to the end of its first one', () => {
    expect(diagnose('«a: 1\nb: 2»').slice(1)).toEqual([' 1 | a: 1', '   | ^^^^'])
  })

  test('a long line is shown around the mark, within the width', () => {
    const [, quoted = '', carets = ''] = diagnose(`${'b'.repeat(5000)}«mark»${'a'.repeat(5000)}`)
    expect(quoted).toMatch(/^ 1 \| …b+marka+…$/)
    expect(quoted.length).toBeLessThanOrEqual(80)
    expect(carets.indexOf('^')).toBe(quoted.indexOf('mark'))
    expect(carets).toMatch(/^ {3}\| +\^{4}$/)
  })

  test('a mark longer than the width is cut', () => {
    const [, quoted = '', carets = ''] = diagnose(`key: «${'m'.repeat(500)}»`)
    expect(quoted).toMatch(/^ 1 \| key: m+…$/)
    expect(carets.length).toBe(quoted.length)
    expect(quoted.length).toBeLessThanOrEqual(80)
  })

  test('control characters of the file are written out, the caret standing behind them', () => {
    expect(diagnose('\u001b[2J«x»').slice(1)).toEqual([' 1 | \\u{1b}[2Jx', '   |          ^'])
  })

  test('a problem without a place is one line', () => {
    const problem: Problem = { severity: 'warning', code: 'x', message: 'look', file: null, range: null }
    expect(diagnosticLines(problem, () => undefined, 80, STYLE)).toEqual(['lab-planner: warning: look'])
  })
})

import { describe, expect, test } from 'vitest'
import { compareExport } from '../../../../shared/export/compare-export.ts'
import { exportFiles } from '../../../../shared/export/export-files.ts'
import { specText } from '../../../../shared/export/spec-text.ts'
import { someSpec } from './arbitrary-spec.ts'

const files = exportFiles([{ spec: someSpec('a') }, { spec: someSpec('b') }, { spec: someSpec('c') }], {
  format: 'json',
})

describe('compareExport', () => {
  test('distinguishes new, changed and same files by their text', () => {
    const existing = new Map([
      ['b.json', 'something else'],
      ['c.json', specText(someSpec('c'), 'json')],
    ])
    const { files: compared, stale } = compareExport(files, existing)
    expect(compared.map(({ file, state, existingText }) => [file.fileName, state, existingText])).toEqual([
      ['a.json', 'new', null],
      ['b.json', 'changed', 'something else'],
      ['c.json', 'same', specText(someSpec('c'), 'json')],
    ])
    expect(stale).toEqual([])
  })

  test('calls a file that is not text changed', () => {
    expect(compareExport(files, new Map([['a.json', null]])).files[0]).toMatchObject({ state: 'changed' })
  })

  test('calls left-over specs stale, and nothing else in the folder', () => {
    const existing = new Map([
      ['gone.json', specText(someSpec('gone'), 'json')],
      ['a.yaml', specText(someSpec('a'), 'yaml')],
      ['package.json', '{"name": "other"}'],
      ['notes.yaml', 'role: hello'],
      ['gone.txt', specText(someSpec('gone'), 'json')],
      ['picture.json', null],
    ])
    expect(compareExport(files, existing).stale.map(({ fileName, role }) => [fileName, role])).toEqual([
      ['gone.json', 'gone'],
      ['a.yaml', 'a'],
    ])
  })
})

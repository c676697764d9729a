import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportStems } from '../../../../shared/export/file-names.ts'
import { token } from './arbitrary-spec.ts'

/** What Windows forbids: its own characters, device names with any extension, a dot or space at the end. */
function isSafeOnWindows(name: string): boolean {
  const device = name.split('.')[0] ?? ''
  return (
    /^[\x21-\x7e]+$/.test(name) &&
    !/[<>:"/\\|?*]/.test(name) &&
    !/[. ]$/.test(name) &&
    !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(device)
  )
}

/** The role a stem was made from; `%` and `~` are in no role. */
function roleOf(stem: string): string {
  return decodeURIComponent(stem.replace(/~\d+$/, ''))
}

const roles = fc.array(token(64), { maxLength: 30 })

describe('exportStems', () => {
  test('gives different names to different entries, also where the disk does not tell case', () => {
    fc.assert(
      fc.property(roles, (list) => {
        const stems = exportStems(list)
        expect(stems).toHaveLength(list.length)
        expect(new Set(stems.map((stem) => stem.toLowerCase())).size).toBe(list.length)
      }),
    )
  })

  test('gives names that are safe on Windows and macOS and short enough for any disk', () => {
    fc.assert(
      fc.property(roles, (list) => {
        for (const stem of exportStems(list)) {
          const name = `${stem}.json`
          expect(isSafeOnWindows(name), name).toBe(true)
          expect(name.length).toBeLessThanOrEqual(255)
        }
      }),
    )
  })

  test('keeps the role readable back from its name', () => {
    fc.assert(
      fc.property(roles, (list) => {
        expect(exportStems(list).map(roleOf)).toEqual(list)
      }),
    )
  })

  test('keeps plain roles as they are', () => {
    expect(exportStems(['coder-daily', 'Planner_2.1+x'])).toEqual(['coder-daily', 'Planner_2.1+x'])
  })

  test('encodes what a file name cannot say', () => {
    expect(exportStems(['a:b', 'con', 'NUL.x', 'com1', 'com10', 'console'])).toEqual([
      'a%3Ab',
      '%63on',
      '%4EUL.x',
      '%63om1',
      'com10',
      'console',
    ])
  })

  test('distinguishes roles that differ in case only, whatever their order', () => {
    expect(exportStems(['Coder', 'coder'])).toEqual(['%43oder', 'coder'])
    expect(exportStems(['coder', 'Coder', 'CODER'])).toEqual(['coder', '%43oder', '%43%4F%44%45%52'])
  })

  test('numbers a role that is listed again', () => {
    expect(exportStems(['coder', 'x', 'coder', 'coder'])).toEqual(['coder', 'x', 'coder~2', 'coder~3'])
  })
})

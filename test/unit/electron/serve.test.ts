import { describe, expect, test } from 'vitest'
import { exposedTo } from '../../../electron/serve.ts'

const output = (mode: number, isFile = true) => ({ isFile: () => isFile, mode })

describe.skipIf(process.platform === 'win32')('exposedTo', () => {
  test('warns of a file that the group or others may read', () => {
    for (const mode of [0o644, 0o640, 0o604]) {
      expect(exposedTo(output(0o100000 | mode))).toContain('a file that other accounts can read')
    }
  })

  test('is silent about a file of one’s own, a terminal and a pipe', () => {
    expect(exposedTo(output(0o100600))).toBeNull()
    expect(exposedTo(output(0o020666, false))).toBeNull()
    expect(exposedTo(null)).toBeNull()
  })
})

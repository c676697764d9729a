import type { BigIntStats, StatOptions } from 'node:fs'
import { appendFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../electron/host/disk.ts'
import { createTextMemory } from '../../../../electron/host/text-memory.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** A memory over a disk that counts the files that are opened, and makes every file seem `ageMs` older than it is. */
async function remembering(ageMs = 60_000) {
  const folder = await tempFolder()
  const opened: string[] = []
  const stat = async (path: string, options?: StatOptions) => {
    const stats = await realDisk.stat(path, options)
    if (typeof stats.mtimeMs === 'number') return stats
    const age = BigInt(ageMs)
    return Object.assign(stats, {
      mtimeMs: stats.mtimeMs - age,
      ctimeMs: (stats as BigIntStats).ctimeMs - age,
    })
  }
  const disk: Disk = {
    ...realDisk,
    stat: stat as Disk['stat'],
    open: (path, flags) => {
      opened.push(String(path))
      return realDisk.open(path, flags)
    },
  }
  const memory = createTextMemory(disk)
  const at = (name: string) => join(folder, name)
  /** The texts of `names` in one pass, and how many of them were opened. */
  const pass = async (mode: 'changed' | 'all', ...names: string[]) => {
    const { read, done } = memory.pass(mode)
    opened.length = 0
    const texts = []
    for (const name of names) {
      const result = await read(at(name), 1000)
      texts.push(result.ok ? result.text : result.code)
    }
    done()
    return { texts, opened: opened.length }
  }
  return { pass, at }
}

describe('createTextMemory', () => {
  test('opens a file that did not change once', async () => {
    const { pass, at } = await remembering()
    await writeFile(at('a'), 'one')
    await writeFile(at('b'), 'two')
    expect(await pass('changed', 'a', 'b')).toEqual({ texts: ['one', 'two'], opened: 2 })
    expect(await pass('changed', 'a', 'b')).toEqual({ texts: ['one', 'two'], opened: 0 })
  })

  test('opens what was written in place, by rename, or came again with its times set back', async () => {
    const { pass, at } = await remembering()
    for (const name of ['a', 'b', 'c', 'd']) await writeFile(at(name), 'old')
    await pass('changed', 'a', 'b', 'c', 'd')
    await appendFile(at('a'), 'er')
    await writeFile(at('b.tmp'), 'new')
    await rename(at('b.tmp'), at('b'))
    await writeFile(at('c'), 'new')
    await utimes(at('c'), 1, 1)
    expect(await pass('changed', 'a', 'b', 'c', 'd')).toEqual({
      texts: ['older', 'new', 'new', 'old'],
      opened: 3,
    })
  })

  test('does not trust a file that was written just before it was read', async () => {
    const { pass, at } = await remembering(1000)
    await writeFile(at('a'), 'one')
    await pass('changed', 'a')
    expect(await pass('changed', 'a')).toEqual({ texts: ['one'], opened: 1 })
  })

  test('trusts nothing when everything is to be read again, and remembers what that gave', async () => {
    const { pass, at } = await remembering()
    await writeFile(at('a'), 'one')
    await pass('changed', 'a')
    expect(await pass('all', 'a')).toEqual({ texts: ['one'], opened: 1 })
    expect(await pass('changed', 'a')).toEqual({ texts: ['one'], opened: 0 })
  })

  test('forgets what a pass did not come to, and never remembers a fault', async () => {
    const { pass, at } = await remembering()
    await writeFile(at('a'), 'one')
    await pass('changed', 'a')
    await pass('changed')
    expect((await pass('changed', 'a')).opened).toBe(1)
    expect((await pass('changed', 'gone')).texts).toEqual(['file-missing'])
    await writeFile(at('gone'), 'here')
    expect((await pass('changed', 'gone')).texts).toEqual(['here'])
  })
})

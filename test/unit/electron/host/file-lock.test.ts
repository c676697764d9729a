import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../../../electron/host/disk.ts'
import { lockPathOf, withFileLock, type LockTimes } from '../../../../electron/host/file-lock.ts'
import { processPlace } from '../../../../electron/host/process-place.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const QUICK: LockTimes = { silent: 200, beat: 40, longest: 5_000 }

async function lockedFile(content: string): Promise<{ folder: string; path: string }> {
  const folder = await tempFolder()
  const path = join(folder, 'overlay.yaml')
  await writeFile(lockPathOf(path), content)
  return { folder, path }
}

describe('withFileLock', () => {
  test('lets one work at a time, and leaves nothing', async () => {
    const folder = await tempFolder()
    let inside = 0
    const most: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, () =>
        withFileLock(join(folder, 'x'), realDisk, async () => {
          most.push(++inside)
          await readdir(folder)
          inside--
        }),
      ),
    )
    expect(most).toEqual(Array.from({ length: 20 }, () => 1))
    expect(await readdir(folder)).toEqual([])
  })

  test('takes over at once what a process of this machine left that has ended', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
    await once(child, 'exit')
    const { path } = await lockedFile(`${processPlace()} ${child.pid} 0011223344556677\n`)
    const longer: LockTimes = { ...QUICK, silent: 60_000 }
    expect(await withFileLock(path, realDisk, () => Promise.resolve('done'), longer)).toBe('done')
  })

  test.each(['elsewhere000 1 0011223344556677\n', `${processPlace()} ${process.pid} 0011223344556677\n`, ''])(
    'takes over a lock of %j when it shows no sign of life',
    async (content) => {
      const { folder, path } = await lockedFile(content)
      expect(await withFileLock(path, realDisk, () => Promise.resolve('done'), QUICK)).toBe('done')
      expect(await readdir(folder)).toEqual([])
    },
  )

  test('waits for a holder that is slow but alive', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'x')
    const order: string[] = []
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const first = withFileLock(
      path,
      realDisk,
      async ({ isHeld }) => {
        await held
        order.push(`first, held ${await isHeld()}`)
      },
      QUICK,
    )
    // The second begins to wait, and the first is held for many times the silence that would lose it.
    const second = withFileLock(path, realDisk, () => Promise.resolve(order.push('second')), QUICK)
    setTimeout(release, QUICK.silent * 4)
    await Promise.all([first, second])
    expect(order).toEqual(['first, held true', 'second'])
  })

  test('says that it lost the lock, and leaves the next one its own', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'x')
    await withFileLock(path, realDisk, async ({ isHeld }) => {
      await writeFile(lockPathOf(path), 'another')
      expect(await isHeld()).toBe(false)
    })
    expect(await readFile(lockPathOf(path), 'utf8')).toBe('another')
  })

  test('gives up after the longest wait', async () => {
    const { path } = await lockedFile('elsewhere000 1 0011223344556677\n')
    const impatient: LockTimes = { ...QUICK, silent: 60_000, longest: 50 }
    expect(await withFileLock(path, realDisk, () => Promise.resolve('done'), impatient)).toMatchObject({
      ok: false,
      code: 'locked',
    })
  })
})

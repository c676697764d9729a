import { appendFile, rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../../electron/host/disk.ts'
import type { FileStamp } from '../../../../../electron/host/scan/found-model.ts'
import { hashFile, type HashOptions } from '../../../../../electron/host/scan/hash-file.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import { blake3Of } from '../../../../support/model-trees.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const CHUNK = 4 * 1024 * 1024

function options(changes: Partial<HashOptions> = {}): HashOptions {
  return {
    disk: realDisk,
    signal: new AbortController().signal,
    onBytes: () => undefined,
    expected: null,
    ...changes,
  }
}

async function stampOf(path: string): Promise<FileStamp> {
  const { size, mtimeNs } = await realDisk.stat(path, { bigint: true })
  return { size, mtimeNs }
}

/** The real disk, but `meanwhile` happens once, after the first piece of a file was read. */
function diskWith(meanwhile: () => Promise<unknown>): Disk {
  let isDone = false
  return {
    ...realDisk,
    open: async (path, flags, mode) => {
      const handle = await realDisk.open(path, flags, mode)
      const read = handle.read.bind(handle)
      const reading = async (buffer: Buffer, offset: number, length: number, position: number) => {
        const result = await read(buffer, offset, length, position)
        if (!isDone) {
          isDone = true
          await meanwhile()
        }
        return result
      }
      return Object.assign(handle, { read: reading })
    },
  }
}

describe('the hash of a file', () => {
  test.each([0, 1, 1024, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7])(
    'of %i bytes is its BLAKE3',
    async (size) => {
      const path = join(await tempFolder(), 'f')
      const content = Buffer.alloc(size, 'lab planner')
      await writeFile(path, content)
      let told = 0
      const outcome = await hashFile(path, options({ onBytes: (bytes) => (told += bytes) }))
      expect(outcome).toEqual({ kind: 'hashed', blake3: blake3Of(content), stamp: await stampOf(path) })
      expect(told).toBe(size)
    },
  )

  test('is that of another implementation, whatever the bytes', async () => {
    const path = join(await tempFolder(), 'f')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (content) => {
        await writeFile(path, content)
        expect(await hashFile(path, options())).toMatchObject({ blake3: blake3Of(content) })
      }),
      { numRuns: 30 },
    )
  })

  test('is not given of a file that grows while it is read', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, Buffer.alloc(CHUNK + 5))
    const disk = diskWith(() => appendFile(path, 'more'))
    expect(await hashFile(path, options({ disk }))).toMatchObject({
      kind: 'changed',
      reason: expect.stringContaining('while it was read') as string,
    })
  })

  test('is not given of a file that is written over while it is read, though its size stays', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, Buffer.alloc(CHUNK + 5))
    await utimes(path, 1000, 1000)
    const disk = diskWith(() => writeFile(path, Buffer.alloc(CHUNK + 5, 1)))
    expect(await hashFile(path, options({ disk }))).toMatchObject({ kind: 'changed' })
  })

  test('is of the file that was opened, when another is put in its place', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'f')
    await writeFile(path, 'first')
    await writeFile(join(folder, 'g'), 'other')
    const disk = diskWith(() => rename(join(folder, 'g'), path))
    expect(await hashFile(path, options({ disk }))).toMatchObject({ blake3: blake3Of('first') })
  })

  test('is not given of a file that is not the one that was found', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, 'abc')
    const expected = { ...(await stampOf(path)), mtimeNs: 5n }
    expect(await hashFile(path, options({ expected }))).toMatchObject({
      kind: 'changed',
      reason: expect.stringContaining('since it was found') as string,
    })
  })

  test('is not given of a link that took the file’s place, nor of a folder', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'f'), 'abc')
    await symlink('f', join(folder, 'link'))
    expect((await hashFile(join(folder, 'link'), options())).kind).toBe('unreadable')
    expect((await hashFile(folder, options())).kind).toBe('changed')
  })

  test('is missing of a file that is not there', async () => {
    expect(await hashFile(join(await tempFolder(), 'none'), options())).toEqual({ kind: 'missing' })
  })

  test('comes with the reason when it cannot be read, at the start or in the middle', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, Buffer.alloc(CHUNK * 3))
    expect(await hashFile(path, options({ disk: diskFailingAt('open', 'EACCES') }))).toMatchObject({
      kind: 'unreadable',
      reason: expect.stringContaining('permission denied') as string,
    })
    const broken = diskWith(() => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })))
    expect(await hashFile(path, options({ disk: broken }))).toEqual({
      kind: 'unreadable',
      reason: 'the disk reports an error',
    })
  })

  test('is not waited for once it is cancelled, before or in the middle', async () => {
    const path = join(await tempFolder(), 'f')
    await writeFile(path, Buffer.alloc(CHUNK * 4))
    expect(await hashFile(path, options({ signal: AbortSignal.abort() }))).toEqual({ kind: 'cancelled' })
    const controller = new AbortController()
    let told = 0
    const onBytes = (bytes: number) => {
      told += bytes
      controller.abort()
    }
    expect(await hashFile(path, options({ signal: controller.signal, onBytes }))).toEqual({
      kind: 'cancelled',
    })
    expect(told).toBe(CHUNK)
  })
})

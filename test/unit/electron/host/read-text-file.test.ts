import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { realDisk, type Disk } from '../../../../electron/host/disk.ts'
import { readTextFile } from '../../../../electron/host/read-text-file.ts'
import { diskFailingAt } from '../../../support/failing-disk.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

async function tempFile(content: string | Uint8Array): Promise<string> {
  const path = join(await tempFolder(), 'file')
  await writeFile(path, content)
  return path
}

describe('readTextFile', () => {
  test('keeps a byte order mark and CRLF, and hashes the bytes', async () => {
    const text = '\uFEFFa: 1\r\nb: "ü"\r\n'
    const hash = createHash('sha256').update(text).digest('hex')
    expect(await readTextFile(await tempFile(text), 100)).toEqual({ ok: true, text, hash })
  })

  test('reads a file of exactly the limit and refuses one of a byte more', async () => {
    const limit = 1024 * 1024
    expect((await readTextFile(await tempFile(Buffer.alloc(limit, 'x')), limit)).ok).toBe(true)
    expect(await readTextFile(await tempFile(Buffer.alloc(limit + 1, 'x')), limit)).toEqual({
      ok: false,
      code: 'file-too-large',
      reason: 'it is over 1 MiB, the most that is read',
    })
  })

  test('refuses a file that grows over the limit while it is read', async () => {
    const path = await tempFile('small')
    const growing: Disk = {
      ...realDisk,
      open: async (name, flags) => {
        const handle = await realDisk.open(name, flags)
        const stats = await handle.stat()
        await writeFile(path, Buffer.alloc(100_000, 'x'))
        return Object.assign(handle, { stat: () => Promise.resolve(stats) })
      },
    }
    expect(await readTextFile(path, 10_000, growing)).toMatchObject({ ok: false, code: 'file-too-large' })
    expect(await readTextFile(path, 100_000)).toMatchObject({ ok: true })
  })

  test('says in which line a text stops being UTF-8', async () => {
    const path = await tempFile(Buffer.from([...Buffer.from('a: 1\nb: \uFFFD'), 0xe4, 0x0a]))
    expect(await readTextFile(path, 100)).toEqual({
      ok: false,
      code: 'file-not-utf8',
      reason: 'it is not UTF-8 (see line 2): save it as UTF-8',
    })
  })

  test('knows UTF-16 by its byte order mark', async () => {
    const path = await tempFile(Buffer.from('\uFEFFroster: []', 'utf16le'))
    const reason = 'it is UTF-16, not UTF-8: save it as UTF-8'
    expect(await readTextFile(path, 100)).toMatchObject({ code: 'file-not-utf8', reason })
  })

  test('distinguishes a missing file, a link to nowhere and links in a circle', async () => {
    const folder = await tempFolder()
    const read = (name: string) => readTextFile(join(folder, name), 100)
    await writeFile(join(folder, 'file'), '')
    await symlink('gone.yaml', join(folder, 'dangling'))
    await symlink('circle', join(folder, 'circle'))
    expect(await read('none')).toMatchObject({ code: 'file-missing' })
    expect(await read('file/below')).toMatchObject({ code: 'file-missing' })
    expect(await read('dangling')).toMatchObject({
      code: 'file-dangling-link',
      reason: 'it is a link to gone.yaml, which is not there',
    })
    expect(await read('circle')).toMatchObject({
      code: 'file-unreadable',
      reason: 'its links lead in a circle',
    })
  })

  test('refuses a folder, a named pipe, a socket and a device without waiting for them', async () => {
    const folder = await tempFolder()
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const socket = join(folder, 'socket')
    const server = createServer()
    await new Promise<void>((listening) => server.listen(socket, listening))
    onTestFinished(() => void server.close())
    const reasons = await Promise.all(
      [folder, pipe, socket, '/dev/zero'].map(async (path) => {
        const read = await readTextFile(path, 100)
        return read.ok ? 'was read' : `${read.code}: ${read.reason}`
      }),
    )
    expect(reasons).toEqual([
      'file-not-a-file: it is a folder, not a file',
      'file-not-a-file: it is a named pipe, not a file',
      'file-not-a-file: it is a socket, not a file',
      'file-not-a-file: it is a device, not a file',
    ])
  })

  test('does not wait for a file that became a named pipe after it was looked at', async () => {
    const path = await tempFile('')
    const swapped: Disk = {
      ...realDisk,
      open: async (name, flags) => {
        await realDisk.unlink(path)
        execFileSync('mkfifo', [path])
        return realDisk.open(name, flags)
      },
    }
    expect(await readTextFile(path, 100, swapped)).toMatchObject({ code: 'file-not-a-file' })
  })

  test('opens for reading only, and says when that is denied', async () => {
    const path = await tempFile('x')
    expect(await readTextFile(path, 100, diskFailingAt('open', 'EACCES'))).toEqual({
      ok: false,
      code: 'file-unreadable',
      reason: 'permission denied: allow your account to use it',
    })
    const seen: unknown[] = []
    const watching: Disk = {
      ...realDisk,
      open: (name, flags, mode) => {
        seen.push(flags)
        return realDisk.open(name, flags, mode)
      },
    }
    await readTextFile(path, 100, watching)
    expect(seen).toEqual([constants.O_RDONLY | constants.O_NONBLOCK])
  })

  test('closes the file also when it refuses it', async () => {
    let open = 0
    const counting: Disk = {
      ...realDisk,
      open: async (name, flags) => {
        const handle = await realDisk.open(name, flags)
        const close = handle.close.bind(handle)
        open++
        return Object.assign(handle, {
          close: () => {
            open--
            return close()
          },
        })
      },
    }
    await readTextFile(await tempFile('too long'), 3, counting)
    await readTextFile(await tempFile(Buffer.from([0xff])), 3, counting)
    await readTextFile(await tempFile('ok'), 3, counting)
    expect(open).toBe(0)
  })
})

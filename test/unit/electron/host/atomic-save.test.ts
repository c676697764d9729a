import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { saveTextAtomically, stageText } from '../../../../electron/host/atomic-save.ts'
import { realDisk, type Disk } from '../../../../electron/host/disk.ts'
import { resolveTarget } from '../../../../electron/host/save-target.ts'
import { diskFailingAt, diskFailingWhileWriting, systemError } from '../../../support/failing-disk.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const OLD = 'sticky: {}\n'
const NEW = '# mine\r\nsticky: {a: true}'

async function folderWithFile(): Promise<{ folder: string; path: string }> {
  const folder = await tempFolder()
  const path = join(folder, 'overlay.yaml')
  await writeFile(path, OLD)
  return { folder, path }
}

describe('saveTextAtomically', () => {
  test('replaces the file with exactly the text, and reports its hash', async () => {
    const { folder, path } = await folderWithFile()
    const hash = createHash('sha256').update(NEW).digest('hex')
    expect(await saveTextAtomically(path, NEW)).toEqual({ ok: true, hash })
    expect(await readFile(path, 'utf8')).toBe(NEW)
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('writes any text byte for byte', async () => {
    const path = join(await tempFolder(), 'overlay.yaml')
    const unit = fc.constantFrom('a', '\r', '\n', '\uFEFF', 'ü', '\u{1F600}', '\0')
    await fc.assert(
      fc.asyncProperty(fc.string({ unit }), async (text) => {
        expect((await saveTextAtomically(path, text)).ok).toBe(true)
        expect(await readFile(path)).toEqual(Buffer.from(text))
      }),
      { numRuns: 50 },
    )
  })

  test('keeps the mode of the file, and makes a new one 0644 less the umask', async () => {
    const { folder, path } = await folderWithFile()
    for (const mode of [0o600, 0o664, 0o755]) {
      await chmod(path, mode)
      await saveTextAtomically(path, NEW)
      expect((await stat(path)).mode & 0o7777).toBe(mode)
    }
    const fresh = join(folder, 'fresh.yaml')
    await saveTextAtomically(fresh, NEW)
    // Node makes files 0666 less the umask.
    await writeFile(join(folder, 'by-node'), '')
    expect((await stat(fresh)).mode & 0o7777).toBe((await stat(join(folder, 'by-node'))).mode & 0o644)
  })

  test('never shows the content to more people than the file did', async () => {
    const { path } = await folderWithFile()
    await chmod(path, 0o600)
    const modes: number[] = []
    const watching: Disk = {
      ...realDisk,
      open: async (name, flags, mode) => {
        const handle = await realDisk.open(name, flags, mode)
        const stats = await handle.stat()
        if (stats.isFile()) modes.push(stats.mode & 0o7777)
        return handle
      },
    }
    await saveTextAtomically(path, NEW, watching)
    expect(modes).toEqual([0o600])
  })

  test('writes through links to the real file, and leaves the links', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'dotfiles'))
    await writeFile(join(folder, 'dotfiles/real.yaml'), OLD)
    await symlink('dotfiles/real.yaml', join(folder, 'one'))
    await symlink('one', join(folder, 'two'))
    const touched: string[] = []
    const watching: Disk = {
      ...realDisk,
      rename: (from, to) => {
        touched.push(String(to))
        return realDisk.rename(from, to)
      },
    }
    await saveTextAtomically(join(folder, 'two'), NEW, watching)
    expect(touched).toEqual([join(folder, 'dotfiles/real.yaml')])
    expect(await readlink(join(folder, 'two'))).toBe('one')
    expect(await readFile(join(folder, 'dotfiles/real.yaml'), 'utf8')).toBe(NEW)
    expect(await readdir(folder)).toEqual(['dotfiles', 'one', 'two'])
  })

  test('makes the folder of a new file, but none behind a link', async () => {
    const folder = await tempFolder()
    expect((await saveTextAtomically(join(folder, 'docs/models/overlay.yaml'), NEW)).ok).toBe(true)
    expect(await readFile(join(folder, 'docs/models/overlay.yaml'), 'utf8')).toBe(NEW)

    await symlink('docs/other.yaml', join(folder, 'linked.yaml'))
    expect((await saveTextAtomically(join(folder, 'linked.yaml'), NEW)).ok).toBe(true)
    expect((await lstat(join(folder, 'linked.yaml'))).isSymbolicLink()).toBe(true)
    expect(await readFile(join(folder, 'docs/other.yaml'), 'utf8')).toBe(NEW)

    await symlink('drive/overlay.yaml', join(folder, 'away.yaml'))
    expect(await saveTextAtomically(join(folder, 'away.yaml'), NEW)).toEqual({
      ok: false,
      code: 'ENOENT',
      message: 'Cannot save: there is no such file or folder.',
    })
    expect(await readdir(folder)).toEqual(['away.yaml', 'docs', 'linked.yaml'])
  })

  test('makes the file at the end of a chain of links, and leaves every link', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'b'))
    await symlink('b/mid', join(folder, 'first'))
    await symlink('../end.yaml', join(folder, 'b/mid'))
    expect((await saveTextAtomically(join(folder, 'first'), NEW)).ok).toBe(true)
    expect(await readlink(join(folder, 'first'))).toBe('b/mid')
    expect(await readlink(join(folder, 'b/mid'))).toBe('../end.yaml')
    expect(await readFile(join(folder, 'end.yaml'), 'utf8')).toBe(NEW)
  })

  test('keeps access lists and attributes, and gives the group no more than it had', async ({ skip }) => {
    const { path } = await folderWithFile()
    await chmod(path, 0o660)
    const run = promisify(execFile)
    const prepared = run('setfacl', ['-m', 'u:1:rw,g::---', path]).then(() =>
      run('setfattr', ['-n', 'user.note', '-v', 'kept', path]),
    )
    if (
      await prepared.then(
        () => false,
        () => true,
      )
    )
      skip('this system has no access lists')
    const before = (await run('getfacl', ['--absolute-names', path])).stdout
    await saveTextAtomically(path, NEW)
    expect(await readFile(path, 'utf8')).toBe(NEW)
    expect((await run('getfacl', ['--absolute-names', path])).stdout).toBe(before)
    expect((await run('getfattr', ['--only-values', '-n', 'user.note', path])).stdout).toContain('kept')
  })

  test('writes in place where access cannot be copied, and leaves nothing beside the file', async () => {
    const { folder, path } = await folderWithFile()
    const before = await stat(path)
    // No program of any name is found there.
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect((await saveTextAtomically(path, NEW)).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(NEW)
    expect((await stat(path)).ino).toBe(before.ino)
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('keeps the whole text beside a file whose writing in place was cut off', async () => {
    const { folder, path } = await folderWithFile()
    vi.stubEnv('PATH', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const failing = diskFailingWhileWriting('EIO', (name) => name === path)
    expect(await saveTextAtomically(path, NEW, failing)).toMatchObject({ ok: false, code: 'EIO' })
    expect(await readFile(join(folder, 'overlay.yaml.unfinished-save'), 'utf8')).toBe(NEW)
  })

  test('never replaces a file that came while a new one was written', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'new.yaml')
    const target = await resolveTarget(path)
    if (!target.ok) throw new Error(target.message)
    const staged = await stageText(target, NEW)
    if (!staged.ok) throw new Error(staged.message)
    await writeFile(path, OLD)
    expect(await staged.commit()).toMatchObject({ ok: false, code: 'EEXIST' })
    expect(await readFile(path, 'utf8')).toBe(OLD)
    expect(await readdir(folder)).toEqual(['new.yaml'])
  })

  test('flushes the file before the rename and the folder after it', async () => {
    const { folder, path } = await folderWithFile()
    const steps: string[] = []
    const watching: Disk = {
      ...realDisk,
      open: async (name, flags, mode) => {
        const handle = await realDisk.open(name, flags, mode)
        const sync = handle.sync.bind(handle)
        return Object.assign(handle, {
          sync: () => {
            steps.push(name === folder ? 'flush folder' : 'flush file')
            return sync()
          },
        })
      },
      rename: (from, to) => {
        steps.push('rename')
        return realDisk.rename(from, to)
      },
    }
    await saveTextAtomically(path, NEW, watching)
    expect(steps).toEqual(['flush file', 'rename', 'flush folder'])
  })

  test('does not call a save failed that only could not flush the folder', async () => {
    const { folder, path } = await folderWithFile()
    const disk = diskFailingAt('open', 'EPERM', (name) => name === folder)
    expect((await saveTextAtomically(path, NEW, disk)).ok).toBe(true)
    expect(await readFile(path, 'utf8')).toBe(NEW)
  })

  test.each([
    ['the disk is full while it writes', diskFailingWhileWriting('ENOSPC'), 'ENOSPC', 'the disk is full'],
    ['it may not make files there', diskFailingAt('open', 'EACCES'), 'EACCES', 'permission denied'],
    ['the file is write-protected', diskFailingAt('access', 'EACCES'), 'EACCES', 'permission denied'],
    ['the disk is read-only', diskFailingAt('open', 'EROFS'), 'EROFS', 'the disk can only be read'],
    ['the rename fails', diskFailingAt('rename', 'EIO'), 'EIO', 'the disk reports an error'],
    ['its path cannot be resolved', diskFailingAt('realpath', 'ELOOP'), 'ELOOP', 'links lead in a circle'],
  ])('leaves the old file whole and nothing else when %s', async (_, disk, code, words) => {
    const { folder, path } = await folderWithFile()
    const result = await saveTextAtomically(path, NEW, disk)
    expect(result).toMatchObject({ ok: false, code })
    expect(result.ok ? '' : result.message).toContain(words)
    expect(await readFile(path, 'utf8')).toBe(OLD)
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('leaves the old file whole when it dies before the rename, and cleans up the next time', async () => {
    const { folder, path } = await folderWithFile()
    // Whoever is killed there neither renames nor removes anything.
    const dying: Disk = {
      ...realDisk,
      rename: () => Promise.reject(systemError('EKILLED')),
      unlink: () => Promise.reject(systemError('EKILLED')),
    }
    await saveTextAtomically(path, NEW, dying)
    expect(await readFile(path, 'utf8')).toBe(OLD)
    expect(await readdir(folder)).toHaveLength(2)

    await saveTextAtomically(path, NEW)
    expect(await readFile(path, 'utf8')).toBe(NEW)
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('refuses a folder in the file’s place', async () => {
    expect(await saveTextAtomically(await tempFolder(), NEW)).toEqual({
      ok: false,
      code: 'not-a-file',
      message: 'Cannot save: there is a folder in its place.',
    })
  })

  test('refuses a text that UTF-8 cannot hold instead of changing it', async () => {
    const { path } = await folderWithFile()
    expect(await saveTextAtomically(path, 'a: \uD800b')).toMatchObject({ ok: false, code: 'not-unicode' })
    expect(await readFile(path, 'utf8')).toBe(OLD)
  })
})

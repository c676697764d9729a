import { link, mkdir, readdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../electron/host/disk.ts'
import { readTextFile } from '../../../../electron/host/read-text-file.ts'
import { saveOverlay } from '../../../../electron/host/save-overlay.ts'
import { diskFailingAt, diskFailingWhileWriting } from '../../../support/failing-disk.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const OLD = '\uFEFFsticky:\r\n  a: true # warm\r\n'
const NEW = '\uFEFFsticky:\r\n  a: false # warm'
const THEIRS = 'sticky: {}\n'

async function overlayOnDisk(): Promise<{ folder: string; path: string; hash: string }> {
  const folder = await tempFolder()
  const path = join(folder, 'overlay.yaml')
  await writeFile(path, OLD)
  return { folder, path, hash: await hashOf(path) }
}

async function hashOf(path: string): Promise<string> {
  const read = await readTextFile(path, 1024 * 1024)
  return read.ok ? read.hash : read.code
}

describe('saveOverlay', () => {
  test('saves over the version that was edited, byte for byte, and again from there', async () => {
    const { path, hash } = await overlayOnDisk()
    const first = await saveOverlay(path, NEW, hash)
    expect(first).toEqual({ kind: 'saved', hash: await hashOf(path) })
    expect(await readFile(path)).toEqual(Buffer.from(NEW))
    if (first.kind !== 'saved') return
    expect(await saveOverlay(path, OLD, first.hash)).toMatchObject({ kind: 'saved' })
  })

  test('makes nothing in the place of a lab folder that is away', async () => {
    const { folder, path } = await overlayOnDisk()
    const lab = { path: join(folder, 'drive/llm'), shown: '~/llm' }
    const inside = join(lab.path, 'docs/models/overlay.yaml')
    for (const hash of [null, await hashOf(path)]) {
      expect(await saveOverlay(inside, NEW, hash, { lab })).toEqual({
        kind: 'failed',
        code: 'lab-away',
        message: 'Cannot save: the folder ~/llm is not there. Save again when it is back.',
      })
    }
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
    // An overlay elsewhere is not on that drive.
    expect(await saveOverlay(path, NEW, await hashOf(path), { lab })).toMatchObject({ kind: 'saved' })
    await mkdir(lab.path, { recursive: true })
    expect(await saveOverlay(inside, NEW, null, { lab })).toMatchObject({ kind: 'saved' })
  })

  test('refuses when the file was changed meanwhile, and reports what it holds', async () => {
    const { path, hash } = await overlayOnDisk()
    await writeFile(path, THEIRS)
    expect(await saveOverlay(path, NEW, hash)).toEqual({
      kind: 'conflict',
      disk: { text: THEIRS, hash: await hashOf(path) },
    })
    expect(await readFile(path, 'utf8')).toBe(THEIRS)
  })

  test('refuses when the file is gone, or is there although there was none', async () => {
    const { folder, path, hash } = await overlayOnDisk()
    expect(await saveOverlay(path, NEW, null)).toEqual({ kind: 'conflict', disk: { text: OLD, hash } })
    await unlink(path)
    expect(await saveOverlay(path, NEW, hash)).toEqual({ kind: 'conflict', disk: null })
    expect(await readdir(folder)).toEqual([])
  })

  test('refuses when the file changes while the new text is written', async () => {
    const { folder, path, hash } = await overlayOnDisk()
    const intruding: Disk = {
      ...realDisk,
      open: async (name, flags, mode) => {
        if (flags === 'wx') await writeFile(path, THEIRS)
        return realDisk.open(name, flags, mode)
      },
    }
    expect(await saveOverlay(path, NEW, hash, { disk: intruding })).toMatchObject({
      kind: 'conflict',
      disk: { text: THEIRS },
    })
    expect(await readFile(path, 'utf8')).toBe(THEIRS)
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('lets one of two saves from the same version win and reports a conflict to the other', async () => {
    const { path, hash } = await overlayOnDisk()
    const [first, second] = await Promise.all([saveOverlay(path, NEW, hash), saveOverlay(path, THEIRS, hash)])
    const [winner, text] = first.kind === 'saved' ? [first, NEW] : [second, THEIRS]
    expect(winner.kind).toBe('saved')
    expect(winner === first ? second : first).toMatchObject({ kind: 'conflict', disk: { text } })
    expect(await readFile(path, 'utf8')).toBe(text)
  })

  test('agrees when the file holds the very same text already', async () => {
    const { path, hash } = await overlayOnDisk()
    await writeFile(path, NEW)
    expect(await saveOverlay(path, NEW, hash)).toEqual({ kind: 'saved', hash: await hashOf(path) })
  })

  test('makes a new overlay and its folder only when it is saved', async () => {
    const folder = await tempFolder()
    const path = join(folder, 'docs/models/overlay.yaml')
    expect(await saveOverlay(path, NEW, 'hash of what was there')).toEqual({ kind: 'conflict', disk: null })
    expect(await readdir(folder)).toEqual([])
    expect(await saveOverlay(path, NEW, null)).toMatchObject({ kind: 'saved' })
    expect(await readFile(path, 'utf8')).toBe(NEW)
  })

  test('makes the file that a link to nowhere leads to', async () => {
    const folder = await tempFolder()
    await symlink('real.yaml', join(folder, 'overlay.yaml'))
    expect(await saveOverlay(join(folder, 'overlay.yaml'), NEW, null)).toMatchObject({ kind: 'saved' })
    expect(await readFile(join(folder, 'real.yaml'), 'utf8')).toBe(NEW)
  })

  test('never writes the roster, by whatever name it comes', async () => {
    const { folder, path: roster, hash } = await overlayOnDisk()
    await symlink(roster, join(folder, 'linked.yaml'))
    await link(roster, join(folder, 'same.yaml'))
    for (const path of [roster, join(folder, 'linked.yaml'), join(folder, 'same.yaml')]) {
      expect(await saveOverlay(path, NEW, hash, { roster })).toMatchObject({ code: 'is-the-roster' })
    }
    expect(await readFile(roster, 'utf8')).toBe(OLD)
  })

  test('reports why nothing was saved when the disk says no', async () => {
    const { path, hash } = await overlayOnDisk()
    expect(await saveOverlay(path, NEW, hash, { disk: diskFailingWhileWriting('ENOSPC') })).toEqual({
      kind: 'failed',
      code: 'ENOSPC',
      message: 'Cannot save: the disk is full: make room and try again.',
    })
    expect(await saveOverlay(path, NEW, hash, { disk: diskFailingAt('access', 'EACCES') })).toMatchObject({
      kind: 'failed',
      code: 'EACCES',
    })
    expect(await readFile(path, 'utf8')).toBe(OLD)
    expect(await saveOverlay(path, NEW, hash)).toMatchObject({ kind: 'saved' })
  })

  test('does not replace what it cannot compare with', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'overlay.yaml'))
    expect(await saveOverlay(join(folder, 'overlay.yaml'), NEW, null)).toEqual({
      kind: 'failed',
      code: 'file-not-a-file',
      message: 'Cannot compare with the file on disk: it is a folder, not a file.',
    })
  })

  test('refuses a text that is too large to be read again', async () => {
    const { path, hash } = await overlayOnDisk()
    const limit = 1024 * 1024
    const tooLong = 'ü'.repeat(limit / 2 + 1)
    expect(await saveOverlay(path, tooLong, hash)).toMatchObject({ code: 'file-too-large' })
    expect(await saveOverlay(path, 'ü'.repeat(limit / 2), hash)).toMatchObject({ kind: 'saved' })
  })

  test('of many that save on one base, one is reported "saved" and none of the others is lost', async () => {
    const { folder, path } = await overlayOnDisk()
    for (let round = 0; round < 8; round++) {
      const base = await hashOf(path)
      const texts = Array.from({ length: 4 }, (_, i) => `# ${round} by ${i}\n`)
      const saves = await Promise.all(texts.map((text) => saveOverlay(path, text, base)))
      const winners = saves.flatMap((save, i) => (save.kind === 'saved' ? [texts[i]] : []))
      expect(winners).toEqual([await readFile(path, 'utf8')])
      expect(saves.filter(({ kind }) => kind === 'conflict')).toHaveLength(3)
    }
    expect(await readdir(folder)).toEqual(['overlay.yaml'])
  })

  test('of many that make the file, one is reported "saved"', async () => {
    for (let round = 0; round < 6; round++) {
      const path = join(await tempFolder(), 'overlay.yaml')
      const saves = await Promise.all(['a', 'b', 'c'].map((name) => saveOverlay(path, `# ${name}\n`, null)))
      expect(saves.map(({ kind }) => kind).sort()).toEqual(['conflict', 'conflict', 'saved'])
    }
  })
})

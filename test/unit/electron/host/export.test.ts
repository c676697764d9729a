import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../electron/host/disk.ts'
import {
  previewExport,
  runExport,
  type ExportedFile,
  type FolderResult,
  type OutputFile,
} from '../../../../electron/host/export.ts'
import { contentHash } from '../../../../electron/host/read-text-file.ts'
import { exportFiles } from '../../../../shared/export/export-files.ts'
import { specText } from '../../../../shared/export/spec-text.ts'
import type { ExportPreviewFile } from '../../../../shared/export/export-report.ts'
import { diskFailingAt, diskFailingWhileWriting } from '../../../support/failing-disk.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { someSpec } from '../../shared/export/arbitrary-spec.ts'

const files = exportFiles(
  ['a', 'b', 'c'].map((role) => ({ spec: someSpec(role) })),
  { format: 'json' },
)
const textOf = (role: string): string => specText(someSpec(role), 'json')

function filesOf<T>(result: FolderResult<T>): readonly T[] {
  if (!result.ok) throw new Error(result.message)
  return result.files
}

async function outcomes(result: Promise<FolderResult<ExportedFile>>): Promise<string[]> {
  return filesOf(await result).map(({ fileName, outcome }) => `${fileName} ${outcome}`)
}

/** What a preview says of the JSON file of `role`. */
function preview(
  role: string,
  state: ExportPreviewFile['state'],
  newText: string | null,
  oldText: string | null,
): ExportPreviewFile {
  const found = oldText === null || state === 'stale' ? null : contentHash(new TextEncoder().encode(oldText))
  return { fileName: `${role}.json`, role, state, newText, oldText, refusal: null, found }
}

const named = (fileName: string): OutputFile => ({ fileName, role: null, text: 'new' })

describe('runExport', () => {
  test('makes the folder and writes every file whole', async () => {
    const folder = join(await tempFolder(), 'new/specs')
    expect(await outcomes(runExport(folder, files, { force: false }))).toEqual([
      'a.json written',
      'b.json written',
      'c.json written',
    ])
    expect(await readdir(folder)).toEqual(['a.json', 'b.json', 'c.json'])
    expect(await readFile(join(folder, 'b.json'), 'utf8')).toBe(textOf('b'))
  })

  test('replaces a file that holds something else with force only', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a.json': textOf('a'), 'b.json': 'mine' })
    await chmod(join(folder, 'b.json'), 0o600)
    expect(await outcomes(runExport(folder, files, { force: false }))).toEqual([
      'a.json same',
      'b.json left_changed',
      'c.json written',
    ])
    expect(await readFile(join(folder, 'b.json'), 'utf8')).toBe('mine')
    expect(await outcomes(runExport(folder, files, { force: true }))).toEqual([
      'a.json same',
      'b.json written',
      'c.json same',
    ])
    expect(await readFile(join(folder, 'b.json'), 'utf8')).toBe(textOf('b'))
  })

  test('leaves what came or changed after the preview, also with force', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'b.json': 'mine', 'c.json': 'mine' })
    const shown = filesOf(await previewExport(folder, files, { findStale: null }))
    const previewed = new Map(shown.map(({ fileName, found }) => [fileName, found]))
    await writeTree(folder, { 'a.json': 'came', 'b.json': 'changed' })
    expect(await outcomes(runExport(folder, files, { force: true, previewed }))).toEqual([
      'a.json left_changed',
      'b.json left_changed',
      'c.json written',
    ])
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('came')
    expect(await readFile(join(folder, 'b.json'), 'utf8')).toBe('changed')
  })

  test('leaves a file that comes while a new one is written', async () => {
    const folder = await tempFolder()
    const disk: Disk = {
      ...realDisk,
      link: async (from, to) => {
        await writeFile(String(to), 'came')
        return realDisk.link(from, to)
      },
    }
    expect(await outcomes(runExport(folder, files.slice(0, 1), { force: true, disk }))).toEqual([
      'a.json left_changed',
    ])
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('came')
    expect(await readdir(folder)).toEqual(['a.json'])
  })

  test('exports into a folder that is a link', async () => {
    const place = await tempFolder()
    await mkdir(join(place, 'real'))
    await symlink('real', join(place, 'link'))
    await runExport(join(place, 'link'), files, { force: false })
    expect(await readdir(join(place, 'real'))).toEqual(['a.json', 'b.json', 'c.json'])
  })

  test('never writes through a link out of the folder, also with force', async () => {
    const place = await tempFolder()
    await writeTree(place, {
      'outside.json': 'precious',
      'specs/inside.json': 'old',
      'specs-2/x.json': 'precious',
    })
    const folder = join(place, 'specs')
    await symlink('../outside.json', join(folder, 'a.json'))
    await symlink('inside.json', join(folder, 'b.json'))
    await symlink('../not-there.json', join(folder, 'c.json'))
    await symlink('../specs-2/x.json', join(folder, 'd.json'))
    const all = [...files, named('d.json')]
    expect(filesOf(await runExport(folder, all, { force: true }))).toEqual([
      {
        fileName: 'a.json',
        outcome: 'refused',
        reason: 'A link in its place leads out of the folder. Remove the link.',
      },
      { fileName: 'b.json', outcome: 'written', reason: null },
      {
        fileName: 'c.json',
        outcome: 'refused',
        reason: 'A link in its place leads to ../not-there.json, which is not there. Remove the link.',
      },
      {
        fileName: 'd.json',
        outcome: 'refused',
        reason: 'A link in its place leads out of the folder. Remove the link.',
      },
    ])
    expect(await readFile(join(place, 'outside.json'), 'utf8')).toBe('precious')
    expect(await readFile(join(place, 'specs-2/x.json'), 'utf8')).toBe('precious')
    expect(await readFile(join(folder, 'inside.json'), 'utf8')).toBe(textOf('b'))
    expect(await readdir(place)).toEqual(['outside.json', 'specs', 'specs-2'])
  })

  test('gives no two files the same place', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a.json': 'old' })
    await symlink('a.json', join(folder, 'b.json'))
    expect(await outcomes(runExport(folder, files, { force: true }))).toEqual([
      'a.json written',
      'b.json refused',
      'c.json written',
    ])
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe(textOf('a'))
  })

  test('refuses names that lead elsewhere', async () => {
    const place = await tempFolder()
    await mkdir(join(place, 'specs'))
    const names = ['../x', '/etc/x', 'a/b', 'a\\b', 'a:b', '..', '.', '', 'a\0b']
    const result = await runExport(join(place, 'specs'), names.map(named), { force: true })
    expect(filesOf(result).map(({ outcome }) => outcome)).toEqual(names.map(() => 'refused'))
    expect(await readdir(place)).toEqual(['specs'])
    expect(await readdir(join(place, 'specs'))).toEqual([])
  })

  test('never replaces a file of the lab, through links either', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'queue.yaml': 'roster: []' })
    await symlink('queue.yaml', join(folder, 'b.json'))
    const protect = [join(folder, 'queue.yaml'), join(folder, 'not-there.yaml')]
    const result = await runExport(folder, [named('queue.yaml'), named('b.json'), named('c.json')], {
      force: true,
      protect,
    })
    expect(filesOf(result).map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'written'])
    expect(await readFile(join(folder, 'queue.yaml'), 'utf8')).toBe('roster: []')
  })

  test('refuses a folder in a file’s place and goes on with the others', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'b.json'))
    const result = filesOf(await runExport(folder, files, { force: true }))
    expect(result.map(({ outcome }) => outcome)).toEqual(['written', 'refused', 'written'])
    expect(result[1]?.reason).toBe('There is a folder in its place. Remove it or choose another folder.')
  })

  test('says of each file that the disk is full, leaves the old one whole and goes on', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'b.json': 'old' })
    let writes = 0
    // The disk is full for the second file only.
    const disk = diskFailingWhileWriting('ENOSPC', (path) => path.endsWith('.tmp') && ++writes === 2)
    expect(filesOf(await runExport(folder, files, { force: true, disk }))).toEqual([
      { fileName: 'a.json', outcome: 'written', reason: null },
      {
        fileName: 'b.json',
        outcome: 'failed',
        reason: 'Cannot save: the disk is full: make room and try again.',
      },
      { fileName: 'c.json', outcome: 'written', reason: null },
    ])
    expect(await readFile(join(folder, 'b.json'), 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['a.json', 'b.json', 'c.json'])
  })

  test('says of each file that it may not be written', async () => {
    const folder = await tempFolder()
    const disk = diskFailingAt('open', 'EACCES', (path) => path.endsWith('.tmp'))
    expect(await outcomes(runExport(folder, files, { force: true, disk }))).toEqual([
      'a.json failed',
      'b.json failed',
      'c.json failed',
    ])
    expect(await readdir(folder)).toEqual([])
  })

  test('leaves the old file whole when it dies between writing and renaming', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a.json': 'old' })
    await runExport(folder, files.slice(0, 1), { force: true, disk: diskFailingAt('rename', 'EIO') })
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['a.json'])
  })

  test('says that the folder cannot be used when it is a file or cannot be made', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'file'), '')
    expect(await runExport(join(folder, 'file'), files, { force: true })).toEqual({
      ok: false,
      code: 'ENOTDIR',
      message: 'Cannot export there: it is a file, not a folder.',
    })
    const below = await runExport(join(folder, 'file/below'), files, { force: true })
    expect(below).toMatchObject({ ok: false, code: 'ENOTDIR' })
    const denied = await runExport(folder, files, { force: true, disk: diskFailingAt('mkdir', 'EACCES') })
    expect(denied).toMatchObject({ ok: false, code: 'EACCES' })
  })
})

describe('previewExport', () => {
  test('reports what each file would become, with both texts, and what is left over', async () => {
    const folder = await tempFolder()
    await writeTree(folder, {
      'a.json': textOf('a'),
      'b.json': 'mine',
      'gone.json': textOf('gone'),
      'other.json': '{"name": "other"}',
      '.hidden.json': textOf('hidden'),
    })
    expect(filesOf(await previewExport(folder, files, { findStale: 'specs' }))).toEqual([
      preview('a', 'same', textOf('a'), textOf('a')),
      preview('b', 'changed', textOf('b'), 'mine'),
      preview('c', 'new', textOf('c'), null),
      preview('gone', 'stale', null, textOf('gone')),
    ])
    expect(filesOf(await previewExport(folder, files, { findStale: null }))).toHaveLength(3)
  })

  test('makes nothing, and calls every file new where the folder is not there yet', async () => {
    const place = await tempFolder()
    const previewed = filesOf(await previewExport(join(place, 'specs'), files, { findStale: 'specs' }))
    expect(previewed.map(({ state }) => state)).toEqual(['new', 'new', 'new'])
    expect(await readdir(place)).toEqual([])
  })

  test('reports beforehand which files will be refused', async () => {
    const place = await tempFolder()
    await writeTree(place, { 'outside.json': 'precious', 'specs/x': '' })
    await symlink('../outside.json', join(place, 'specs/a.json'))
    const [first, second] = filesOf(await previewExport(join(place, 'specs'), files, { findStale: 'specs' }))
    expect(first).toMatchObject({ refusal: 'A link in its place leads out of the folder. Remove the link.' })
    expect(second).toMatchObject({ state: 'new', refusal: null })
  })

  test('calls a file that is not text changed', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a.json': Buffer.from([0xff]) })
    const [first] = filesOf(await previewExport(folder, files, { findStale: 'specs' }))
    expect(first).toMatchObject({ state: 'changed', oldText: null })
  })
})

import callbackFs from 'node:fs'
import promisesFs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { previewExport, runExport } from '../../../../electron/host/export.ts'
import { loadLabFiles } from '../../../../electron/host/lab.ts'
import { labPathsByConvention } from '../../../../electron/host/paths.ts'
import { saveOverlay } from '../../../../electron/host/save-overlay.ts'
import { exportFiles } from '../../../../shared/export/export-files.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { someSpec } from '../../shared/export/arbitrary-spec.ts'

const ROSTER = 'roster: []\n'

/** Operations that change what is at one of the paths they are given. */
const CHANGING = new Set(
  [
    ...['writeFile', 'appendFile', 'truncate', 'createWriteStream', 'copyFile', 'cp', 'rename', 'link'],
    ...['symlink', 'unlink', 'rm', 'rmdir', 'mkdir'],
    ...['chmod', 'lchmod', 'chown', 'lchown', 'utimes', 'lutimes'],
  ].flatMap((name) => [name, `${name}Sync`]),
)

const WRITING = callbackFs.constants.O_WRONLY | callbackFs.constants.O_RDWR | callbackFs.constants.O_CREAT

function opensForWriting(flags: unknown): boolean {
  if (flags === undefined) return false
  return typeof flags === 'number' ? (flags & WRITING) !== 0 : flags !== 'r'
}

/**
 * Watches every call of Node's file system by which `path` could be changed, by any caller; such a call
 * fails and is noted. Opening for reading is noted too.
 */
function guardAgainstWriting(path: string): { readonly writes: string[]; readonly reads: string[] } {
  const seen = { writes: [] as string[], reads: [] as string[] }
  const undo: (() => void)[] = []
  for (const module of [callbackFs, promisesFs]) {
    for (const name of Object.keys(module)) {
      const real: unknown = Reflect.get(module, name)
      if (typeof real !== 'function') continue
      const isOpen = /^open(Sync)?$/.test(name)
      if (!isOpen && !CHANGING.has(name)) continue
      Reflect.set(module, name, (...args: unknown[]): unknown => {
        if (args.slice(0, 2).includes(path)) {
          if (!isOpen || opensForWriting(args[1])) {
            seen.writes.push(name)
            throw new Error(`${name} would change the roster`)
          }
          seen.reads.push(name)
        }
        return Reflect.apply(real, module, args) as unknown
      })
      undo.push(() => void Reflect.set(module, name, real))
    }
  }
  syncBuiltinESMExports()
  onTestFinished(() => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  })
  return seen
}

async function labWithLockedRoster(): Promise<{ lab: string; docs: string; roster: string }> {
  const lab = await tempFolder()
  const docs = join(lab, 'docs/models')
  await writeTree(docs, { 'queue.yaml': ROSTER, 'overlay.yaml': 'sticky: {}\n' })
  await promisesFs.chmod(join(docs, 'queue.yaml'), 0o444)
  return { lab, docs, roster: join(docs, 'queue.yaml') }
}

describe('the roster', () => {
  test('is opened for reading only by loading, exporting beside it and saving the overlay', async () => {
    const { lab, docs, roster } = await labWithLockedRoster()
    const seen = guardAgainstWriting(roster)

    const loaded = await loadLabFiles(labPathsByConvention(lab))
    expect(loaded.files[0]).toMatchObject({ kind: 'roster', text: ROSTER })
    // A role of this name exports to the roster's own file name.
    const files = exportFiles([{ spec: someSpec('queue') }, { spec: someSpec('hermes') }], { format: 'yaml' })
    const preview = await previewExport(docs, files, { findStale: 'specs', protect: [roster] })
    const refusal = 'It would replace a file of the lab. Choose another folder.'
    expect(preview).toMatchObject({ files: [{ refusal }, { refusal: null }] })
    const run = await runExport(docs, files, { force: true, protect: [roster] })
    expect(run).toMatchObject({ files: [{ outcome: 'refused' }, { outcome: 'written' }] })
    const overlay = loaded.files.find(({ kind }) => kind === 'overlay')
    const saved = await saveOverlay(join(docs, 'overlay.yaml'), '{}\n', overlay?.hash ?? null, { roster })
    expect(saved.kind).toBe('saved')
    expect(await saveOverlay(roster, '{}\n', loaded.files[0]?.hash ?? null, { roster })).toMatchObject({
      code: 'is-the-roster',
    })

    expect(seen).toEqual({ writes: [], reads: ['open'] })
    expect(await promisesFs.readFile(roster, 'utf8')).toBe(ROSTER)
    expect((await promisesFs.stat(roster)).mode & 0o777).toBe(0o444)
  })

  test('is guarded in this test by a watch that does see writing', async () => {
    const { roster } = await labWithLockedRoster()
    const seen = guardAgainstWriting(roster)
    expect(() => void promisesFs.writeFile(roster, 'x')).toThrow('would change the roster')
    expect(() => callbackFs.openSync(roster, 'r+')).toThrow('would change the roster')
    expect(() => void promisesFs.rename(`${roster}.new`, roster)).toThrow('would change the roster')
    expect(seen.writes).toEqual(['writeFile', 'openSync', 'rename'])
  })
})

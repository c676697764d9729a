import { chmod, cp, mkdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { locateLab } from '../../../../electron/host/lab-source.ts'
import { openLiveLab, type LiveLabOptions } from '../../../../electron/host/live-lab.ts'
import type { LabSnapshot, ReadingProgress } from '../../../../shared/host-api.ts'
import { SAMPLE_LAB } from '../../../support/planner-home.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** Opens a copy of the sample lab and remembers every snapshot that was reported. */
async function live(options: Partial<LiveLabOptions> = {}) {
  const home = await tempFolder()
  const folder = join(home, 'llm')
  await cp(SAMPLE_LAB, folder, { recursive: true })
  const located = await locateLab(folder, home)
  if (!located.ok) throw new Error(located.message)
  const told: LabSnapshot[] = []
  let revision = 0
  const lab = await openLiveLab(located.source, {
    nextRevision: () => ++revision,
    onChange: (snapshot) => told.push(snapshot),
    times: { settle: 60, longest: 500 },
    ...options,
  })
  onTestFinished(lab.close)
  const at = (name: string) => join(folder, 'docs/models', name)
  const text = (name: string) => {
    const entry = lab.snapshot().lab.files.find(({ file }) => file.endsWith(name))
    return entry && lab.textOf(entry.hash)
  }
  return { lab, told, home, folder, at, text }
}

describe('openLiveLab', () => {
  test('reads the lab and its overlay', async () => {
    const { lab, at, told } = await live()
    const snapshot = lab.snapshot()
    expect(snapshot).toMatchObject({ revision: 1, origin: 'picked', stale: null })
    expect(snapshot.overlay?.text).toBe(await readFile(at('overlay.yaml'), 'utf8'))
    expect(snapshot.lab.files.map(({ kind }) => kind)).toContain('registry')
    expect(told).toEqual([])
  })

  test('lists files without their texts, and gives the text of each by its hash', async () => {
    const { lab, at } = await live()
    const { files } = lab.snapshot().lab
    expect(files).toEqual(lab.files().files.map(({ kind, file, hash }) => ({ kind, file, hash })))
    for (const { hash, text } of lab.files().files) expect(lab.textOf(hash)).toBe(text)
    expect(lab.textOf('0'.repeat(64))).toBeNull()
    const before = files.find(({ file }) => file.endsWith('pi-5.json'))?.hash ?? ''
    await writeFile(at('nodes/pi-5.json'), '{}')
    await expect.poll(() => lab.textOf(before)).toBeNull()
  })

  test('reports a change once, with the next revision', async () => {
    const { lab, at, told } = await live()
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await expect.poll(() => told.length).toBe(1)
    expect(told[0]).toMatchObject({ revision: 2, overlay: { text: 'sticky: {}\n' }, stale: null })
    expect(lab.snapshot()).toBe(told[0])
  })

  test('a file that was written with the same content is no change', async () => {
    const { lab, at, told } = await live()
    const roster = await readFile(at('queue.yaml'))
    await writeFile(at('queue.yaml'), roster)
    await writeFile(at('nodes/pi-5.json'), await readFile(at('nodes/pi-5.json')))
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await expect.poll(() => told.length).toBe(1)
    expect(lab.snapshot().revision).toBe(2)
  })

  test('looks for changes now and then where there are no events, and says why', async () => {
    const { lab, at, told } = await live({
      times: { settle: 20, longest: 100, poll: 50 },
      watchFault: () => Promise.resolve('the lab is on a network drive (NFS)'),
    })
    expect(lab.snapshot().unwatched).toBe('the lab is on a network drive (NFS)')
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await expect.poll(() => told.at(-1)?.overlay?.text).toBe('sticky: {}\n')
    await writeFile(at('overlay.yaml'), 'excludes: {}\n')
    await expect.poll(() => told.at(-1)?.overlay?.text).toBe('excludes: {}\n')
    expect(told).toHaveLength(2)
  })

  test('looks at once when it is asked to', async () => {
    const { lab, at, told } = await live({
      times: { poll: 3_600_000 },
      watchFault: () => Promise.resolve('no events'),
    })
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await lab.look()
    expect(told.map(({ overlay }) => overlay?.text)).toEqual(['sticky: {}\n'])
  })

  test('says that its files are no longer watched when that begins', async () => {
    let fault: string | null = null
    const { lab, at, told } = await live({
      watchFault: () => Promise.resolve(fault),
      times: { settle: 20, longest: 100, poll: 50 },
    })
    expect(lab.snapshot().unwatched).toBeNull()
    fault = 'the folder is on another drive'
    await mkdir(at('scenarios'))
    await expect.poll(() => told.at(-1)?.unwatched).toBe('the folder is on another drive')
  })

  test('an overlay that was saved and removed before it was read is gone', async () => {
    const { lab, at, told } = await live()
    await unlink(at('overlay.yaml'))
    await expect.poll(() => told.length).toBe(1)
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    lab.saved()
    await unlink(at('overlay.yaml'))
    await expect.poll(() => told.length).toBe(2)
    expect(told[1]).toMatchObject({ revision: 3, overlay: null })
  })

  test('an overlay that was removed is gone, one that is made is there', async () => {
    const { lab, at, told } = await live()
    await unlink(at('overlay.yaml'))
    await expect.poll(() => told.at(-1)?.overlay).toBeNull()
    expect(lab.snapshot().stale).toBeNull()
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await expect.poll(() => told.at(-1)?.overlay?.text).toBe('sticky: {}\n')
  })

  test('a node file that was removed is gone, also the last one', async () => {
    const { lab, at, told } = await live()
    for (const name of ['archive-nas', 'gpu-box', 'mac-mini', 'mac-studio', 'pi-5'])
      await unlink(at(`nodes/${name}.json`))
    await expect.poll(() => told.at(-1)?.lab.files.some(({ kind }) => kind === 'node')).toBe(false)
    expect(lab.snapshot().stale).toBeNull()
  })

  test('a lab that goes away stays as last read, with the reason, and is followed when back', async () => {
    const { lab, folder, at, told, text } = await live()
    const before = lab.snapshot()
    await rename(folder, `${folder}.away`)
    await expect.poll(() => lab.snapshot().stale).toBe('the folder ~/llm is not there')
    expect(lab.snapshot().lab).toBe(before.lab)
    expect(lab.snapshot().overlay).toBe(before.overlay)
    expect(told).toHaveLength(1)

    await rename(`${folder}.away`, folder)
    await expect.poll(() => lab.snapshot().stale).toBeNull()
    await writeFile(at('queue.yaml'), 'roster: []\n')
    await expect.poll(() => text('queue.yaml')).toBe('roster: []\n')
  })

  test('parts that go away are missed: the roster, the registry, the folder of nodes', async () => {
    for (const name of ['queue.yaml', 'registry.json', 'nodes']) {
      const { lab, at } = await live()
      const before = lab.snapshot()
      await rename(at(name), at(`${name}.away`))
      await expect.poll(() => lab.snapshot().stale).toContain(`docs/models/${name} is not there`)
      expect(lab.snapshot().lab).toBe(before.lab)
      await rename(at(`${name}.away`), at(name))
      await expect.poll(() => lab.snapshot().stale).toBeNull()
    }
  })

  test('a roster that cannot be read any more keeps the last good one', async () => {
    const { lab, at } = await live()
    await unlink(at('queue.yaml'))
    await mkdir(at('queue.yaml'))
    await expect.poll(() => lab.snapshot().stale).toContain('queue.yaml cannot be read any more')
    expect(lab.snapshot().lab.files.some(({ kind }) => kind === 'roster')).toBe(true)
  })

  test('reading again takes what is there as it is, but never a lab without its roster', async () => {
    const { lab, at } = await live()
    await rm(at('nodes'), { recursive: true })
    await expect.poll(() => lab.snapshot().stale).not.toBeNull()
    const taken = await lab.reload()
    expect(taken.stale).toBeNull()
    expect(taken.lab.files.some(({ kind }) => kind === 'node')).toBe(false)
    await unlink(at('queue.yaml'))
    expect((await lab.reload()).stale).toContain('queue.yaml is not there')
  })

  test('finds a drive that comes back without any event', async () => {
    const { lab, folder, home } = await live()
    await rename(folder, join(home, 'drive'))
    await expect.poll(() => lab.snapshot().stale).not.toBeNull()
    // A folder linked from a place that was not watched: only looking again can find it.
    await symlink(join(home, 'drive'), folder)
    await expect.poll(() => lab.snapshot().stale, { timeout: 5000 }).toBeNull()
  })

  test('a file whose rights were taken is a problem that is reported', async () => {
    const { lab, at } = await live()
    await chmod(at('registry.json'), 0o000)
    const snapshot = await lab.reload()
    const isReadable = snapshot.lab.files.some(({ kind }) => kind === 'registry')
    const isTold = snapshot.lab.problems.some(({ file }) => file?.endsWith('registry.json'))
    // The administrator can read everything; anyone else gets the problem.
    expect(isReadable).toBe(!isTold)
  })

  test('reports nothing after it was closed', async () => {
    const { lab, at, told } = await live()
    await lab.close()
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    expect((await lab.reload()).overlay?.text).toBe('sticky: {}\n')
    expect(told).toEqual([])
  })

  test('reports how far opening and reading again are, and nothing of that while it follows', async () => {
    const told: ReadingProgress[] = []
    const { lab, at } = await live({ onProgress: (progress) => told.push(progress) })
    // The sample has no folder of manifests and no fleet notes: that there are none is found too.
    const totalFiles = lab.files().files.length + 1
    expect(told).toEqual(
      Array.from({ length: totalFiles + 1 }, (_, doneFiles) => ({ doneFiles, totalFiles })),
    )
    const { length } = told
    await writeFile(at('overlay.yaml'), 'sticky: {}\n')
    await expect.poll(() => lab.snapshot().overlay?.text).toBe('sticky: {}\n')
    expect(told).toHaveLength(length)
    await lab.reload()
    expect(told).toHaveLength(2 * length)
  })

  test('an opening that is given up reads no further file and leaves nothing open', async () => {
    const stopper = new AbortController()
    let doneFiles = 0
    const opening = live({
      signal: stopper.signal,
      onProgress: (progress) => {
        doneFiles = progress.doneFiles
        if (doneFiles === 3) stopper.abort()
      },
    })
    await expect(opening).rejects.toThrow('aborted')
    expect(doneFiles).toBe(3)
  })
})

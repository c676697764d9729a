import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { watchPlaces } from '../../../../electron/host/watch.ts'
import type * as WatchPlaces from '../../../../electron/host/watch-places.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

/** What happens between finding out what is to be watched and the watches standing. */
const meanwhile = vi.hoisted(() => ({ once: null as (() => Promise<unknown>) | null }))

vi.mock('../../../../electron/host/watch-places.ts', async (importOriginal) => {
  const original = await importOriginal<typeof WatchPlaces>()
  return {
    ...original,
    watchSetOf: async (...places: Parameters<typeof original.watchSetOf>) => {
      const set = await original.watchSetOf(...places)
      const happening = meanwhile.once
      meanwhile.once = null
      await happening?.()
      return set
    },
  }
})

test('watches a folder that is made while the watches are being opened', async () => {
  const home = await tempFolder()
  const nodes = join(home, 'lab/nodes')
  meanwhile.once = () => mkdir(nodes, { recursive: true })
  const seen: string[] = []
  const watcher = await watchPlaces([{ path: nodes, kind: 'folder' }], async () => {
    seen.push(await readFile(join(nodes, 'a.json'), 'utf8').catch(() => '(gone)'))
  })
  onTestFinished(watcher.close)
  await writeFile(join(nodes, 'a.json'), 'facts')
  await expect.poll(() => seen.at(-1), { timeout: 8000 }).toBe('facts')
})

test('watches a folder that is made while the watches are renewed', async () => {
  const home = await tempFolder()
  const lab = join(home, 'lab')
  const nodes = join(lab, 'nodes')
  const seen: string[] = []
  const watcher = await watchPlaces([{ path: nodes, kind: 'folder' }], async () => {
    seen.push(await readFile(join(nodes, 'a.json'), 'utf8').catch(() => '(gone)'))
  })
  onTestFinished(watcher.close)
  meanwhile.once = () => mkdir(nodes)
  await mkdir(lab)
  await expect.poll(() => seen.length, { timeout: 8000 }).toBeGreaterThan(0)
  await writeFile(join(nodes, 'a.json'), 'facts')
  await expect.poll(() => seen.at(-1), { timeout: 8000 }).toBe('facts')
})

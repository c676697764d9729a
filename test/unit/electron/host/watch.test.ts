import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchPlaces, type PlaceWatcher } from '../../../../electron/host/watch.ts'
import type { WatchPlace } from '../../../../electron/host/watch-places.ts'

let home: string
let watcher: PlaceWatcher | null = null

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'planner-watch-')))
})
afterEach(async () => {
  await watcher?.close()
  watcher = null
  await rm(home, { recursive: true, force: true })
})

/** Watches `places` and waits for what the listener sees in `look`; every call of it is recorded. */
async function watching(places: readonly WatchPlace[], look: () => Promise<string>) {
  const seen: string[] = []
  const waiting = new Set<() => void>()
  watcher = await watchPlaces(places, async () => {
    seen.push(await look())
    for (const check of waiting) check()
  })
  const sees = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(new Error(`never saw ${wanted}, but ${seen.join(' | ')}`)),
        8000,
      )
      const check = () => {
        if (seen.at(-1) !== wanted) return
        clearTimeout(deadline)
        waiting.delete(check)
        resolve()
      }
      waiting.add(check)
      check()
    })
  return { seen, sees }
}

const textAt = (path: string) => readFile(path, 'utf8').catch(() => '(gone)')

async function write(path: string, text: string) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

describe('watchPlaces', () => {
  test('reports a file written in place', async () => {
    const roster = join(home, 'lab/queue.yaml')
    await write(roster, 'one')
    const { sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    await writeFile(roster, 'two')
    await sees('two')
    await writeFile(roster, 'three')
    await sees('three')
  })

  test('reports every save by rename, also the second and third', async () => {
    const roster = join(home, 'lab/queue.yaml')
    await write(roster, 'one')
    const { sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    for (const text of ['two', 'three', 'four']) {
      await writeFile(`${roster}.new`, text)
      await rename(`${roster}.new`, roster)
      await sees(text)
    }
  })

  test('settles a burst of changes into one call', async () => {
    const folder = join(home, 'lab/nodes')
    await write(join(folder, 'a.json'), '0')
    const { seen, sees } = await watching([{ path: folder, kind: 'folder' }], () =>
      textAt(join(folder, 'a.json')),
    )
    for (let i = 1; i <= 30; i++) await writeFile(join(folder, 'a.json'), String(i))
    await sees('30')
    expect(seen).toEqual(['30'])
  })

  test('reports during a burst that does not end', async () => {
    const roster = join(home, 'queue.yaml')
    await write(roster, '0')
    const { seen } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    let count = 0
    while (seen.length === 0 && count < 100_000) {
      await writeFile(roster, String(count++))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(seen).toHaveLength(1)
  })

  test('reports files that come, change and go in a watched folder, hidden ones aside', async () => {
    const folder = join(home, 'nodes')
    await mkdir(folder)
    const file = join(folder, 'pi.json')
    const { seen, sees } = await watching([{ path: folder, kind: 'folder' }], () => textAt(file))
    await writeFile(join(folder, '.hidden'), 'x')
    await writeFile(file, 'here')
    await sees('here')
    await writeFile(file, 'changed')
    await sees('changed')
    await unlink(file)
    await sees('(gone)')
    expect(seen).toEqual(['here', 'changed', '(gone)'])
  })

  test('follows a linked file to where it is, and to the next place when the link is turned', async () => {
    const link = join(home, 'lab/queue.yaml')
    await write(join(home, 'elsewhere/a.yaml'), 'a1')
    await write(join(home, 'elsewhere2/b.yaml'), 'b1')
    await mkdir(dirname(link))
    await symlink(join(home, 'elsewhere/a.yaml'), link)
    const { sees } = await watching([{ path: link, kind: 'file' }], () => textAt(link))
    await writeFile(join(home, 'elsewhere/a.yaml'), 'a2')
    await sees('a2')
    await symlink('../elsewhere2/b.yaml', `${link}.new`)
    await rename(`${link}.new`, link)
    await sees('b1')
    await writeFile(join(home, 'elsewhere2/b.yaml'), 'b2')
    await sees('b2')
  })

  test('follows a linked folder, and linked files in a watched folder', async () => {
    const real = join(home, 'drive/nodes')
    const target = join(home, 'notes/pi.json')
    await write(target, 'pi1')
    await mkdir(real, { recursive: true })
    await symlink(target, join(real, 'pi.json'))
    await mkdir(join(home, 'lab'))
    await symlink(join(home, 'drive'), join(home, 'lab/docs'))
    const shown = join(home, 'lab/docs/nodes/pi.json')
    const { sees } = await watching([{ path: dirname(shown), kind: 'folder' }], () => textAt(shown))
    await writeFile(target, 'pi2')
    await sees('pi2')
    await unlink(join(real, 'pi.json'))
    await writeFile(join(real, 'pi.json'), 'own')
    await sees('own')
  })

  test('reports when a folder goes away, comes back, and changes after that', async () => {
    const roster = join(home, 'drive/llm/docs/models/queue.yaml')
    await write(roster, 'one')
    const { sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    for (const round of ['1', '2']) {
      await rename(join(home, 'drive'), join(home, 'unplugged'))
      await sees('(gone)')
      await writeFile(join(home, 'unplugged/llm/docs/models/queue.yaml'), `plugged ${round}`)
      await rename(join(home, 'unplugged'), join(home, 'drive'))
      await sees(`plugged ${round}`)
      await writeFile(roster, `changed ${round}`)
      await sees(`changed ${round}`)
    }
  })

  test('reports when a folder was replaced by another of its name within one burst', async () => {
    const roster = join(home, 'lab/queue.yaml')
    await write(roster, 'one')
    const { sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    await rm(join(home, 'lab'), { recursive: true })
    await write(roster, 'two')
    await sees('two')
    await writeFile(roster, 'three')
    await sees('three')
  })

  test('waits for a place that was never there', async () => {
    const roster = join(home, 'not/yet/queue.yaml')
    const { sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    await write(roster, 'made')
    await sees('made')
  })

  test('reports a change in a folder of more entries than are watched one by one', async () => {
    const folder = join(home, 'nodes')
    await mkdir(folder)
    for (let i = 0; i < 1005; i++) await writeFile(join(folder, `n${i}.json`), '0')
    const file = join(folder, 'n1004.json')
    const { sees } = await watching([{ path: folder, kind: 'folder' }], () => textAt(file))
    await writeFile(file, 'changed')
    await sees('changed')
  })

  test('does not tell of noise beside the watched file', async () => {
    const roster = join(home, 'lab/queue.yaml')
    await write(roster, 'one')
    const { seen, sees } = await watching([{ path: roster, kind: 'file' }], () => textAt(roster))
    await writeFile(join(home, 'noise'), 'x')
    await writeFile(join(home, 'lab/noise'), 'x')
    await writeFile(roster, 'two')
    await sees('two')
    expect(seen).toEqual(['two'])
  })

  test('circles of links end', async () => {
    await symlink(join(home, 'b'), join(home, 'a'))
    await symlink(join(home, 'a'), join(home, 'b'))
    const file = join(home, 'a')
    const { sees } = await watching([{ path: file, kind: 'file' }], () => textAt(file))
    await unlink(file)
    await writeFile(file, 'a file now')
    await sees('a file now')
  })

  test('leaves no handles behind after closing, and reports nothing more', async () => {
    const roster = join(home, 'lab/queue.yaml')
    await write(roster, 'one')
    const openWatches = () => process.getActiveResourcesInfo().filter((kind) => kind === 'FSEventWrap').length
    await vi.waitFor(() => expect(openWatches()).toBe(0))
    let calls = 0
    for (let i = 0; i < 5; i++) {
      const one = await watchPlaces([{ path: roster, kind: 'file' }], () => {
        calls++
        return Promise.resolve()
      })
      await writeFile(roster, String(i))
      await one.close()
    }
    // The system takes a turn to close them.
    await vi.waitFor(() => expect(openWatches()).toBe(0))
    expect(calls).toBe(0)
  })
})

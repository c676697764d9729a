import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSettings, withRecentLab } from '../../../../electron/host/settings.ts'
import { tempFolder } from '../../../support/temp-folder.ts'

const DEFAULTS = { theme: 'system', zoom: 1, layout: {}, recentLabs: [], exportFolders: {}, window: null }

async function opened(text?: string) {
  const folder = await tempFolder()
  const path = join(folder, 'settings.json')
  if (text !== undefined) await writeFile(path, text)
  const log: string[] = []
  const open = () => openSettings(folder, (line) => log.push(line))
  return {
    folder,
    path,
    log,
    open,
    settings: await open(),
    onDisk: async () => JSON.parse(await readFile(path, 'utf8')) as unknown,
  }
}

describe('openSettings', () => {
  test('begins with the defaults and writes nothing until something changes', async () => {
    const { settings, folder } = await opened()
    expect(settings.current()).toEqual(DEFAULTS)
    expect(await readdir(folder)).toEqual([])
  })

  test('keeps what was changed for the next run', async () => {
    const { settings, open } = await opened()
    await settings.change((before) => ({ ...before, theme: 'dark', layout: { left: '300' } }))
    expect((await open()).current()).toEqual({ ...DEFAULTS, theme: 'dark', layout: { left: '300' } })
  })

  test('of a file with a damaged field keeps the others', async () => {
    const { settings } = await opened(
      '{"theme": "purple", "zoom": 1.5, "recentLabs": ["/a"], "window": {"x": "left"}}',
    )
    expect(settings.current()).toEqual({ ...DEFAULTS, zoom: 1.5, recentLabs: ['/a'] })
  })

  test('puts a file that cannot be read aside when it saves the next', async () => {
    for (const text of ['{"theme": "dark"', 'null', '[]', '"x"', '']) {
      const { settings, path, onDisk, log } = await opened(text)
      expect(settings.current()).toEqual(DEFAULTS)
      await settings.change((before) => ({ ...before, zoom: 2 }))
      expect(await onDisk()).toMatchObject({ zoom: 2, theme: 'system' })
      expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text)
      expect(log).toEqual(['settings.json was damaged: as it was, it is settings.json.damaged beside it.'])
    }
  })

  test('puts a file with one damaged field aside, each under a name of its own', async () => {
    const text = '{"theme": "purple", "zoom": 1.5}'
    const { settings, path, onDisk } = await opened(text)
    await settings.change((before) => ({ ...before, layout: { left: '1' } }))
    await writeFile(path, 'again')
    await settings.change((before) => ({ ...before, zoom: 2 }))
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe(text)
    expect(await readFile(`${path}.damaged-2`, 'utf8')).toBe('again')
    expect(await onDisk()).toMatchObject({ zoom: 2 })
  })

  test('never writes the file of a newer planner, and says so once', async () => {
    const text = '{"version": 2, "theme": {"name": "dark"}}'
    const { settings, path, folder, log } = await opened(text)
    await settings.change((before) => ({ ...before, zoom: 2 }))
    await settings.change((before) => ({ ...before, theme: 'dark' }))
    expect(settings.current()).toMatchObject({ zoom: 2, theme: 'dark' })
    expect(await readFile(path, 'utf8')).toBe(text)
    expect(await readdir(folder)).toEqual(['settings.json'])
    expect(log).toEqual([expect.stringContaining('from a newer Lab Planner')])
  })

  test('loses nothing when several hosts change it at once', async () => {
    const { folder } = await opened()
    const hosts = await Promise.all(Array.from({ length: 4 }, () => openSettings(folder, () => undefined)))
    await Promise.all(
      hosts.flatMap((host, i) =>
        Array.from({ length: 10 }, (_, j) =>
          host.change((s) => ({ ...s, layout: { ...s.layout, [`${i}-${j}`]: 'x' } })),
        ),
      ),
    )
    const last = await openSettings(folder, () => undefined)
    expect(Object.keys(last.current().layout)).toHaveLength(40)
  })

  test('changes what another running host wrote meanwhile, not what it read long ago', async () => {
    const { settings, open } = await opened()
    const other = await open()
    await other.change((before) => ({ ...before, theme: 'light' }))
    await settings.change((before) => ({ ...before, zoom: 2 }))
    expect(settings.current()).toMatchObject({ theme: 'light', zoom: 2 })
  })

  test('carries out changes one after the other', async () => {
    const { settings, onDisk } = await opened()
    await Promise.all(
      Array.from({ length: 20 }, () => settings.change((s) => ({ ...s, zoom: s.zoom + 0.1 }))),
    )
    expect(((await onDisk()) as { zoom: number }).zoom).toBeCloseTo(3)
  })

  test('says that it cannot save and holds the change for this run', async () => {
    const { settings, folder, log } = await opened()
    // A folder in the file's place stops everybody, the administrator too.
    await mkdir(join(folder, 'settings.json'))
    await chmod(folder, 0o755)
    expect(await settings.change((before) => ({ ...before, theme: 'dark' }))).toMatchObject({ theme: 'dark' })
    expect(settings.current().theme).toBe('dark')
    expect(log).toEqual([expect.stringContaining('The settings were not saved.')])
  })

  test('notifies its listeners of every change until they stop', async () => {
    const { settings } = await opened()
    const seen: string[] = []
    const stop = settings.listen(({ theme }) => seen.push(theme))
    await settings.change((before) => ({ ...before, theme: 'dark' }))
    stop()
    await settings.change((before) => ({ ...before, theme: 'light' }))
    expect(seen).toEqual(['dark'])
  })

  test('remembers the ten labs opened last, each once', async () => {
    const { settings } = await opened()
    for (let i = 0; i < 12; i++) await settings.change(withRecentLab(`/lab${i}`))
    await settings.change(withRecentLab('/lab5'))
    const { recentLabs } = settings.current()
    expect(recentLabs).toHaveLength(10)
    expect(recentLabs.slice(0, 3)).toEqual(['/lab5', '/lab11', '/lab10'])
    expect(new Set(recentLabs).size).toBe(10)
  })
})

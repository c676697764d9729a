import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openScanRecord, type ScannedPlace } from '../../../../../electron/host/scan/scan-record.ts'
import { realVolumes } from '../../../../../electron/host/scan/volumes.ts'
import { hash } from '../../../../support/manifests.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const STAMP = { size: 2n ** 60n, mtimeNs: 1_790_000_000_123_456_789n }

function placeAt(root: string, changes: Partial<ScannedPlace> = {}): ScannedPlace {
  return {
    packageId: hash('a'),
    name: 'M',
    kind: 'folder',
    root,
    mount: '/',
    files: [{ path: 'a.gguf', real: `${root}/a.gguf`, blake3: hash('b'), shard: true }],
    ...changes,
  }
}

describe('the record of scans', () => {
  test('keeps hashes to the nanosecond, places and node ids', async () => {
    const folder = await tempFolder()
    const record = await openScanRecord(folder)
    record.rememberHash('/m/a', STAMP, hash('1'))
    record.rememberPlace(placeAt('/m'))
    record.rememberNodeId('/lab', 'box')
    expect(await record.save()).toBeNull()
    const again = await openScanRecord(folder)
    expect(again.hashOf('/m/a', STAMP)).toBe(hash('1'))
    expect(again.hashOf('/m/a', { ...STAMP, mtimeNs: STAMP.mtimeNs + 1n })).toBeNull()
    expect(again.hashOf('/m/a', { ...STAMP, size: STAMP.size - 1n })).toBeNull()
    expect(again.places()).toEqual([placeAt('/m')])
    expect(again.nodeIdIn('/lab')).toBe('box')
    expect(await readdir(folder)).toEqual(['scan.json'])
  })

  test('keeps what another scan wrote meanwhile', async () => {
    const folder = await tempFolder()
    const [one, two] = [await openScanRecord(folder), await openScanRecord(folder)]
    one.rememberHash('/m/a', STAMP, hash('1'))
    two.rememberHash('/m/b', STAMP, hash('2'))
    await Promise.all([one.save(), one.save()])
    await two.save()
    const again = await openScanRecord(folder)
    expect([again.hashOf('/m/a', STAMP), again.hashOf('/m/b', STAMP)]).toEqual([hash('1'), hash('2')])
  })

  test('has one model in a folder, and one for each first file of a store', async () => {
    const record = await openScanRecord(await tempFolder())
    record.rememberPlace(placeAt('/m'))
    record.rememberPlace(placeAt('/m', { packageId: hash('c') }))
    const stored = (path: string) =>
      placeAt('/s', { kind: 'ollama', files: [{ path, real: `/s/${path}`, blake3: hash('b'), shard: true }] })
    record.rememberPlace(stored('blobs/1'))
    record.rememberPlace(stored('blobs/2'))
    expect(record.places().map(({ root, packageId }) => [root, packageId.charAt(0)])).toEqual([
      ['/m', 'c'],
      ['/s', 'a'],
      ['/s', 'a'],
    ])
  })

  test.each(['', 'nope', '{"version": 1, "hashes": [["a"]], "places": [], "nodeIds": {}}', '[]'])(
    'is empty where its file is %j, keeps that file aside, and can be written again',
    async (text) => {
      const folder = await tempFolder()
      await writeFile(join(folder, 'scan.json'), text)
      const record = await openScanRecord(folder)
      expect(record.places()).toEqual([])
      expect(record.notice).toContain('scan.json is damaged')
      record.rememberNodeId('/lab', 'box')
      expect(await record.save()).toBeNull()
      expect((await openScanRecord(folder)).nodeIdIn('/lab')).toBe('box')
      expect(await readFile(join(folder, 'scan.json.damaged'), 'utf8')).toBe(text)
    },
  )

  test('keeps every good entry beside a bad one', async () => {
    const folder = await tempFolder()
    const before = await openScanRecord(folder)
    for (const name of ['a', 'b']) before.rememberPlace(placeAt(`/${name}`))
    before.rememberHash('/m/a', STAMP, hash('1'))
    before.rememberNodeId('/lab', 'box')
    await before.save()
    const file = join(folder, 'scan.json')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"root":"/a"', '"root":17'))
    const record = await openScanRecord(folder)
    expect(record.places()).toEqual([placeAt('/b')])
    expect(record.hashOf('/m/a', STAMP)).toBe(hash('1'))
    expect(record.nodeIdIn('/lab')).toBe('box')
  })

  test('never writes the file of a newer planner', async () => {
    const folder = await tempFolder()
    const text = '{"version": 2, "places": {"all": []}}'
    await writeFile(join(folder, 'scan.json'), text)
    const record = await openScanRecord(folder)
    record.rememberNodeId('/lab', 'box')
    expect(record.notice).toContain('from a newer Lab Planner')
    expect(await record.save()).toContain('from a newer Lab Planner')
    expect(await readFile(join(folder, 'scan.json'), 'utf8')).toBe(text)
    expect(await readdir(folder)).toEqual(['scan.json'])
  })

  test('loses no place when several scans save at once', async () => {
    const folder = await tempFolder()
    const records = await Promise.all(Array.from({ length: 8 }, () => openScanRecord(folder)))
    await Promise.all(
      records.map((record, i) => {
        record.rememberPlace(placeAt(`/m${i}`))
        return record.save()
      }),
    )
    expect((await openScanRecord(folder)).places()).toHaveLength(8)
  })
})

describe('the drives of this machine', () => {
  test('have the root mounted, a folder of it not, and what is not there not', async () => {
    const folder = await tempFolder()
    const volumes = realVolumes()
    expect(await volumes.isMounted('/')).toBe(true)
    expect(await volumes.isMounted(folder)).toBe(false)
    expect(await volumes.isMounted(join(folder, 'none'))).toBe(false)
    expect(await volumes.isMounted(await volumes.mountOf(folder))).toBe(true)
    // A file system of its own, on every Linux.
    if (process.platform === 'linux') expect(await volumes.mountOf('/proc/self')).toBe('/proc')
  })
})

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLiveHistory } from '../../../../../electron/host/live/live-history.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const DAY = 86_400

test('keeps changes only, one file a day, and reads them again after a restart', async () => {
  const folder = await tempFolder()
  let now = 1_790_000_000
  const history = openLiveHistory(folder, 'lab', () => now)
  await history.add([{ role: 'a', state: 'as_planned' }])
  now += 10
  await history.add([{ role: 'a', state: 'as_planned' }])
  now += DAY
  await history.add([{ role: 'a', state: 'not_running' }])
  expect(await readdir(join(folder, 'live/lab'))).toHaveLength(2)
  const again = openLiveHistory(folder, 'lab', () => now)
  expect(await again.read()).toEqual([
    { atSecs: 1_790_000_000, role: 'a', state: 'as_planned' },
    { atSecs: now, role: 'a', state: 'not_running' },
  ])
  await again.add([{ role: 'a', state: 'not_running' }])
  expect(await again.read()).toHaveLength(2)
})

test('keeps fourteen days and leaves files that are not its own', async () => {
  const folder = await tempFolder()
  let now = 1_790_000_000
  const history = openLiveHistory(folder, 'lab', () => now)
  await history.add([{ role: 'a', state: 'as_planned' }])
  await writeFile(join(folder, 'live/lab/notes.txt'), 'mine')
  now += 14 * DAY
  expect(await history.read()).toEqual([])
  expect(await readdir(join(folder, 'live/lab'))).toEqual(['notes.txt'])
})

test('stops growing at its bound, and only its owner can read it', async () => {
  const folder = await tempFolder()
  const history = openLiveHistory(folder, 'lab', () => 1_790_000_000)
  const roles = Array.from({ length: 256 }, (_, i) => `role-with-a-long-name-${i}`)
  for (let round = 0; round < 60; round++) {
    await history.add(roles.map((role) => ({ role, state: round % 2 === 0 ? 'asleep' : 'elsewhere' })))
  }
  const [name = ''] = await readdir(join(folder, 'live/lab'))
  expect((await readFile(join(folder, 'live/lab', name))).length).toBeLessThanOrEqual(512 * 1024)
  expect((await stat(join(folder, 'live/lab', name))).mode & 0o077).toBe(0)
})

test('says from when on nothing was asked, once, and begins again after it', async () => {
  const folder = await tempFolder()
  let now = 1_790_000_000
  const history = openLiveHistory(folder, 'lab', () => now)
  await history.end()
  await history.add([{ role: 'a', state: 'as_planned' }])
  now += 10
  await history.end()
  await history.end()
  now += 10
  await history.add([{ role: 'a', state: 'as_planned' }])
  expect((await history.read()).map(({ state }) => state)).toEqual(['as_planned', null, 'as_planned'])
})

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultLab, locateLab, watchedPlaces } from '../../../../electron/host/lab-source.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'

async function located(path: string, home = '/home/nobody') {
  const found = await locateLab(path, home)
  if (!found.ok) throw new Error(found.message)
  const { paths } = found.source
  return {
    lab: paths.lab.path,
    roster: paths.roster.path,
    overlay: paths.overlay.path,
    nodes: paths.nodes.path,
  }
}

describe('locateLab', () => {
  test('of a lab’s folder takes the usual places', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'docs/models/queue.yaml': '' })
    expect(await located(folder)).toEqual({
      lab: folder,
      roster: join(folder, 'docs/models/queue.yaml'),
      overlay: join(folder, 'docs/models/overlay.yaml'),
      nodes: join(folder, 'docs/models/nodes'),
    })
  })

  test('takes a folder that holds the files itself', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'queue.yaml': '' })
    expect(await located(folder)).toMatchObject({
      roster: join(folder, 'queue.yaml'),
      nodes: join(folder, 'nodes'),
    })
  })

  test('of a roster in its usual place opens the lab around it', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'docs/models/queue.yaml': '' })
    expect((await located(join(folder, 'docs/models/queue.yaml'))).lab).toBe(folder)
  })

  test('beside any other roster looks for the other files', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'my-roster.yaml': '' })
    const found = await locateLab(join(folder, 'my-roster.yaml'), '/')
    expect(found.ok && found.source.paths.roster).toMatchObject({
      path: join(folder, 'my-roster.yaml'),
      given: true,
    })
    // The others were not named, so that they may be missing.
    expect(found.ok && found.source.paths.overlay).toMatchObject({
      path: join(folder, 'overlay.yaml'),
      given: false,
    })
  })

  test('says why a path cannot be opened', async () => {
    const folder = await tempFolder()
    expect(await locateLab(join(folder, 'nothing'), '/')).toMatchObject({ ok: false })
    expect(await locateLab('/dev/null', '/')).toMatchObject({
      ok: false,
      message: expect.stringContaining('Only') as unknown,
    })
  })
})

describe('defaultLab', () => {
  test('is ~/llm when that is a folder', async () => {
    const home = await tempFolder()
    expect(await defaultLab(home)).toBeNull()
    await mkdir(join(home, 'llm'))
    expect((await defaultLab(home))?.paths.lab).toMatchObject({ path: join(home, 'llm'), shown: '~/llm' })
  })
})

test('everything of a lab is watched, but not standard input', async () => {
  const folder = await tempFolder()
  await writeTree(folder, { 'docs/models/queue.yaml': '' })
  const found = await locateLab(folder, '/')
  if (!found.ok) throw new Error(found.message)
  const { paths } = found.source
  const names = watchedPlaces(paths).map(({ path, kind }) => [
    path.slice(folder.length + '/docs/models/'.length),
    kind,
  ])
  expect(names).toEqual([
    ['queue.yaml', 'file'],
    ['overlay.yaml', 'file'],
    ['registry.json', 'file'],
    ['manifests', 'folder'],
    ['shapes', 'folder'],
    ['nodes', 'folder'],
    ['scenarios', 'folder'],
    ['fleet.yaml', 'file'],
  ])
  const piped = { ...paths, roster: { path: null, shown: '<stdin>', given: true } }
  expect(watchedPlaces(piped)).toHaveLength(7)
})

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sampleFolder } from '../../../../electron/host/sample-lab.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'

async function bundle(version = '1') {
  const root = await tempFolder()
  const bundled = join(root, 'bundled')
  const configDir = join(root, 'config')
  await writeTree(bundled, { 'docs/queue.yaml': `version ${version}`, 'docs/nodes/a.json': '{}' })
  return { bundled, configDir, roster: join(configDir, 'sample-lab/docs/queue.yaml') }
}

describe('sampleFolder', () => {
  test('copies the bundled lab once, whole, and leaves nothing else behind', async () => {
    const { bundled, configDir, roster } = await bundle()
    expect(await sampleFolder(bundled, configDir)).toEqual({
      folder: join(configDir, 'sample-lab'),
      readOnly: null,
    })
    expect(await readFile(roster, 'utf8')).toBe('version 1')
    expect((await readdir(configDir)).toSorted()).toEqual(['sample-lab', 'sample-lab.json'])
  })

  test('keeps a copy that somebody worked in, also when a newer sample came', async () => {
    const { bundled, configDir, roster } = await bundle()
    await sampleFolder(bundled, configDir)
    await writeFile(roster, 'mine')
    await writeFile(join(bundled, 'docs/queue.yaml'), 'version 2')
    await sampleFolder(bundled, configDir)
    expect(await readFile(roster, 'utf8')).toBe('mine')
  })

  test('counts an added or removed file as work', async () => {
    const { bundled, configDir, roster } = await bundle()
    await sampleFolder(bundled, configDir)
    await writeFile(join(configDir, 'sample-lab/docs/overlay.yaml'), 'sticky: {}')
    await writeFile(join(bundled, 'docs/queue.yaml'), 'version 2')
    await sampleFolder(bundled, configDir)
    expect(await readFile(roster, 'utf8')).toBe('version 1')
    await rm(join(configDir, 'sample-lab/docs/overlay.yaml'))
    await rm(join(configDir, 'sample-lab/docs/nodes/a.json'))
    await sampleFolder(bundled, configDir)
    expect(await readFile(roster, 'utf8')).toBe('version 1')
  })

  test('replaces an untouched copy of an earlier version', async () => {
    const { bundled, configDir, roster } = await bundle()
    await sampleFolder(bundled, configDir)
    await writeFile(join(bundled, 'docs/queue.yaml'), 'version 2')
    await rm(join(bundled, 'docs/nodes/a.json'))
    await sampleFolder(bundled, configDir)
    expect(await readFile(roster, 'utf8')).toBe('version 2')
    expect(await readdir(join(configDir, 'sample-lab/docs'))).not.toContain('a.json')
  })

  test('makes a new copy when the person removed theirs', async () => {
    const { bundled, configDir, roster } = await bundle()
    await sampleFolder(bundled, configDir)
    await rm(join(configDir, 'sample-lab'), { recursive: true })
    await sampleFolder(bundled, configDir)
    expect(await readFile(roster, 'utf8')).toBe('version 1')
  })

  test('gives the bundled lab for reading when no copy can be made', async () => {
    const { bundled, configDir } = await bundle()
    // A file in the folder's place stops everybody, the administrator too.
    await writeFile(configDir, '')
    const { folder, readOnly } = await sampleFolder(bundled, configDir)
    expect(folder).toBe(bundled)
    expect(readOnly).toContain('could not be copied')
  })
})

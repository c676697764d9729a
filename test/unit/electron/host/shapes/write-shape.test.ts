import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { labPathsByConvention } from '../../../../../electron/host/paths.ts'
import { findModels } from '../../../../../electron/host/scan/find-models.ts'
import { openScanLab } from '../../../../../electron/host/scan/scan-lab.ts'
import { writeShapes } from '../../../../../electron/host/shapes/write-shape.ts'
import { readShapeFile } from '../../../../../shared/memory/shape-file.ts'
import { gguf } from '../../../../support/weight-files.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const PACKAGE = 'ab'.repeat(32)
const NAME = { name: 'a', role: null } as never

test('a scanned model’s shape is kept in the lab by its package, once', async () => {
  const folder = await tempFolder()
  const path = join(folder, 'a.gguf')
  await writeFile(path, gguf({ metadata: { 'general.architecture': 'bert' }, tensors: { w: 10 } }))
  const labFolder = join(folder, 'lab')
  await mkdir(labFolder)
  const lab = await openScanLab(labPathsByConvention(labFolder))
  const [find] = await findModels({ path, shown: path })
  if (find?.ok !== true) throw new Error('not found')
  const models = [{ model: find.model, name: NAME }]
  const written = { kind: 'written', packageId: PACKAGE, file: 'a.json', replaced: false } as const
  expect(await writeShapes(models, [written], lab)).toEqual([])
  const shapes = join(labFolder, 'docs/models/shapes')
  expect(await readdir(shapes)).toEqual([`${PACKAGE}.json`])
  const text = await readFile(join(shapes, `${PACKAGE}.json`), 'utf8')
  expect(readShapeFile(text, 'x')).toMatchObject({
    value: { packageId: PACKAGE, shape: { weightsBytes: 40n } },
  })
  expect(text).not.toContain(folder)

  await writeFile(path, 'GGUF')
  expect(await writeShapes(models, [written], lab)).toEqual([
    'what a takes in memory stays unknown: a.gguf is unreadable: it ends within its header: fetch it again',
  ])
  expect(await writeShapes(models, [{ kind: 'cancelled' }], lab)).toEqual([])
})

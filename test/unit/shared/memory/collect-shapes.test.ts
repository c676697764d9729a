import { expect, test } from 'vitest'
import { createLabReader } from '../../../../shared/lab/read-lab.ts'
import type { LabFile } from '../../../../shared/lab/lab.ts'
import { shapeFileText } from '../../../../shared/memory/shape-file.ts'
import { bodyJson, envelopeJson, idOf } from '../../../support/manifests.ts'
import { shapeOfLayers } from './arbitrary-shape.ts'

const ENVELOPE = envelopeJson(bodyJson())
const PACKAGE = idOf(ENVELOPE)
const SHAPE = shapeOfLayers([], 5n)

function file(kind: LabFile['kind'], name: string, text: string): LabFile {
  return { kind, file: name, hash: `${name} ${text.length}`, text }
}

function shapeFile(name: string, packageId: string): LabFile {
  return file('shape', name, shapeFileText({ packageId, model: 'a', shape: SHAPE }))
}

function read(shapes: readonly LabFile[]) {
  const manifest = file('manifest', 'm.json', JSON.stringify(ENVELOPE))
  const lab = createLabReader()({ name: 'lab', files: [manifest, ...shapes], problems: [], overlayFile: 'o' })
  return { lab, told: lab.problems.map(({ code, file: where }) => `${code} ${where ?? ''}`) }
}

test('a lab has the shapes of its packages', () => {
  const { lab, told } = read([shapeFile('a.json', PACKAGE)])
  expect(lab.shapes.get(PACKAGE)).toMatchObject({ shape: SHAPE, file: 'a.json' })
  expect(told).toEqual([])
})

test('a shape whose package is not in the lab is of no use, and said to be', () => {
  const { lab, told } = read([shapeFile('a.json', 'ab'.repeat(32))])
  expect(lab.shapes.size).toBe(0)
  expect(told).toEqual(['shape-unused a.json'])
})

test('of two shapes of one package the first counts', () => {
  const { lab, told } = read([shapeFile('a.json', PACKAGE), shapeFile('b.json', PACKAGE)])
  expect(lab.shapes.get(PACKAGE)?.file).toBe('a.json')
  expect(told).toEqual(['shape-twice b.json'])
})

test('a shape file with errors is a problem and no shape', () => {
  const { lab, told } = read([file('shape', 'a.json', '{}')])
  expect(lab.shapes.size).toBe(0)
  expect(told).toContain('shape-bad-value a.json')
})

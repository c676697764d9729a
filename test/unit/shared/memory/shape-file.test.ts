import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readShapeFile, shapeFileName, shapeFileText } from '../../../../shared/memory/shape-file.ts'
import type { ModelShape } from '../../../../shared/memory/shape.ts'
import { arbitraryLayers, shapeOfLayers } from './arbitrary-shape.ts'

const PACKAGE = 'ab'.repeat(32)

const arbitraryGap: fc.Arbitrary<ModelShape['caches']> = fc.oneof(
  fc
    .option(fc.string())
    .map((name) => ({ kind: 'unknown' as const, gap: { kind: 'architecture' as const, name } })),
  fc.string().map((key) => ({ kind: 'unknown' as const, gap: { kind: 'key' as const, key } })),
)

const arbitraryModel: fc.Arbitrary<ModelShape> = fc.record({
  architecture: fc.option(fc.string()),
  weightsBytes: fc.option(fc.bigInt(0n, 2n ** 42n)),
  projectorBytes: fc.bigInt(0n, 2n ** 40n),
  trainedContext: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  caches: fc.oneof(
    arbitraryGap,
    arbitraryLayers.map((layers) => shapeOfLayers(layers).caches),
  ),
})

test('a shape that was written is read back as it was', () => {
  fc.assert(
    fc.property(arbitraryModel, fc.string(), (shape, model) => {
      const read = readShapeFile(shapeFileText({ packageId: PACKAGE, model, shape }), 'a.json')
      expect(read).toEqual({
        ok: true,
        value: { packageId: PACKAGE, model, shape, file: 'a.json' },
        problems: [],
      })
    }),
  )
})

test('the file is named after the package', () => {
  expect(shapeFileName(PACKAGE)).toBe(`${PACKAGE}.json`)
})

const GOOD = shapeFileText({ packageId: PACKAGE, model: 'a', shape: shapeOfLayers([]) })

test.each([
  ['{', 'json'],
  ['[]', 'the shape file'],
  [GOOD.replace('model-shape.v1', 'model-shape.v9'), '`schema` must be'],
  [GOOD.replace(PACKAGE, 'abc'), '`package` must be a package id'],
  [GOOD.replace('"caches": []', '"caches": [{"layers": 0}]'), '`caches` is no list of layers'],
  [GOOD.replace('"weights_bytes": 0', '"weights_bytes": -1'), '`weights_bytes` must be at least 0'],
  [GOOD.replace('{', '{"more": 1,'), '`more` is no key of a shape file'],
  [GOOD.replace('{', '{"model": "b",'), '`model` is given twice'],
])('what is no shape file is an error: %#', (text, message) => {
  const read = readShapeFile(text, 'a.json')
  expect(read.ok).toBe(false)
  expect(read.problems[0]).toMatchObject({ severity: 'error', file: 'a.json' })
  expect(read.problems.map((problem) => `${problem.code} ${problem.message}`).join('\n')).toContain(message)
})

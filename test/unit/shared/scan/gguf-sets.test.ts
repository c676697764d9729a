import { describe, expect, test } from 'vitest'
import { ggufSets, missingParts } from '../../../../shared/scan/gguf-sets.ts'
import { modelFormat } from '../../../../shared/scan/model-format.ts'
import { isModelFolder, isWalkedName, isWeightName } from '../../../../shared/scan/walk-rules.ts'

describe('the models among GGUF files', () => {
  test('are single files and sets of parts', () => {
    const sets = ggufSets([
      'b-00002-of-00002.gguf',
      'a.gguf',
      'b-00001-of-00002.gguf',
      'b.gguf',
      'b-00001-of-00003.gguf',
    ])
    expect(sets.map(({ paths }) => paths)).toEqual([
      ['a.gguf'],
      ['b-00001-of-00002.gguf', 'b-00002-of-00002.gguf'],
      ['b-00001-of-00003.gguf'],
      ['b.gguf'],
    ])
    expect(sets.map(({ name }) => name)).toEqual(['a', 'b', 'b', 'b'])
    expect(sets.map(missingParts)).toEqual([null, null, 'only 1 of its 3 parts are there', null])
  })
})

describe('what a walk looks at', () => {
  test.each(['a.safetensors', 'A.GGUF', 'x.Bin', 'x.pt', 'x.pth', 'x.npz', 'x.ckpt'])(
    '%s holds weights',
    (name) => {
      expect(isWeightName(name)).toBe(true)
    },
  )

  test.each(['safetensors', 'x.ptx', 'model.safetensors.index.json', 'x.onnx'])('%s does not', (name) => {
    expect(isWeightName(name)).toBe(false)
  })

  test.each(['.hidden', 'a b', 'é.gguf', '\ufffd.gguf', '-x', ''])('%j is passed over', (name) => {
    expect(isWalkedName(name)).toBe(false)
  })

  test('is a model’s folder by its weights or its configuration', () => {
    expect(isModelFolder(['a.gguf'])).toBe(true)
    expect(isModelFolder(['config.json', 'unet'])).toBe(true)
    expect(isModelFolder(['.a.gguf', 'README.md'])).toBe(false)
  })
})

test.each([
  [['a.safetensors'], false, 'mlx', 'mlx'],
  [['a.safetensors'], true, 'pt', 'mlx'],
  [['a.safetensors', 'b.gguf', 'c.bin'], false, 'pt', 'safetensors'],
  [['weights.npz'], false, null, 'mlx'],
  [['a.GGUF', 'c.bin'], false, null, 'gguf'],
  [['pytorch_model.bin'], false, null, null],
])(
  'weights %j (mlx quantization %s, tensors %s) are %s',
  (weights, mlxQuantization, tensorFormat, format) => {
    expect(modelFormat({ weights, mlxQuantization, tensorFormat })).toBe(format)
  },
)

import { describe, expect, test } from 'vitest'
import { ggufSets } from '../../../../shared/scan/gguf-sets.ts'
import { modelFormat } from '../../../../shared/scan/model-format.ts'
import {
  isModelMarker,
  isWalkedName,
  isWeightName,
  tokenName,
  unfinishedTarget,
} from '../../../../shared/scan/walk-rules.ts'

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

  test('takes a folder for a model’s by its configuration, its tokenizer or its index', () => {
    for (const name of ['config.json', 'tokenizer.model', 'model_index.json', 'model.safetensors.index.json'])
      expect(isModelMarker(name)).toBe(true)
    expect(isModelMarker('README.md')).toBe(false)
  })

  test.each([
    ['a.gguf.part', 'a.gguf'],
    ['m-00001-of-00002.safetensors.aria2', 'm-00001-of-00002.safetensors'],
    ['a.safetensors.abc123.incomplete', 'a.safetensors.abc123'],
    ['a.GGUF.crdownload', 'a.GGUF'],
    ['notes.tmp', null],
    ['a.gguf', null],
  ])('takes %j for an unfinished download of %j', (name, target) => {
    expect(unfinishedTarget(name)).toBe(target)
  })

  test.each([
    ['My Model', 'My-Model'],
    ['Good Model (Q4).gguf', 'Good-Model-Q4.gguf'],
    ['…', null],
    ['Modèle é.gguf', 'Modele-e.gguf'],
    ['模型.gguf', 'model.gguf'],
    ['-dash.gguf', 'dash.gguf'],
    ['Qwen2.5 (7B)', 'Qwen2.5-7B'],
  ])('would rename %j to %j', (name, better) => {
    expect(tokenName(name)).toBe(better)
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

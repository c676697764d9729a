import { describe, expect, test } from 'vitest'
import { ggufKind, type GgufTraits } from '../../../../shared/scan/gguf-kind.ts'
import { compareIndex, fileList, missingParts, readShardIndex } from '../../../../shared/scan/model-parts.ts'

describe('the parts that numbered files lack', () => {
  test('are named as they would be, each set for itself', () => {
    expect(
      missingParts(['a-00002-of-00003.gguf', 'x/b-1-of-2.safetensors', 'x/b-2-of-2.safetensors', 'c.gguf']),
    ).toEqual(['a-00001-of-00003.gguf', 'a-00003-of-00003.gguf'])
  })

  test('are bounded, whatever a name claims', () => {
    expect(missingParts(['a-000001-of-999999.gguf'])).toHaveLength(255)
    expect(missingParts(['a-00001-of-00000.gguf'])).toEqual([])
  })

  test('are said in a sentence, not all of them when they are many', () => {
    expect(fileList(['a', 'b', 'c'])).toBe('a, b, c')
    expect(fileList(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more')
  })
})

describe('an index of shards', () => {
  const index = readShardIndex(
    '{"weight_map": {"t1": "m-00001-of-00002.safetensors", "t2": "m-00002-of-00002.safetensors"}}',
  )
  const compare = (files: readonly string[], tensors: readonly string[] = []) => {
    if (index === null) throw new Error('not read')
    return compareIndex(index, { files, tensors: new Set(tensors) })
  }

  test('finds a model whole with every file that it names', () => {
    expect(
      compare(['m-00001-of-00002.safetensors', 'm-00002-of-00002.safetensors', 'extra.safetensors']),
    ).toEqual({
      kind: 'whole',
    })
  })

  test('names what is missing', () => {
    const missing = { kind: 'missing', files: ['m-00002-of-00002.safetensors'] }
    expect(compare(['m-00001-of-00002.safetensors'], ['t1'])).toEqual(missing)
    expect(compare([])).toMatchObject({ kind: 'missing' })
    expect(compare(['m-00001-of-00003.safetensors'])).toMatchObject({ kind: 'missing' })
  })

  test.each([
    ['one file of another name', ['model.safetensors'], []],
    ['a whole set of another number', ['m-1-of-1.safetensors'], []],
    ['files that hold all its tensors', ['a.safetensors', 'b.safetensors'], ['t1', 't2', 't3']],
  ])('is stale beside %s', (_what, files, tensors) => {
    expect(compare(files, tensors).kind).toBe('stale')
  })

  test.each(['', '{', '[]', '{}', '{"weight_map": []}', '{"weight_map": {"a": 1}}'])(
    'is not read from %j',
    (text) => {
      expect(readShardIndex(text)).toBeNull()
    },
  )
})

describe('what a GGUF file holds', () => {
  const traits = (changes: Partial<GgufTraits>): GgufTraits => {
    return { type: null, architecture: 'llama', splitCount: null, adapter: false, ...changes }
  }

  test.each([
    ['odd-name', { type: 'mmproj' }, 'projector'],
    ['mmproj-that-is-a-model', { type: 'model' }, 'model'],
    ['x', { type: 'adapter' }, 'adapter'],
    ['x', { type: 'imatrix' }, 'importance_matrix'],
    ['x', { architecture: 'clip' }, 'projector'],
    ['x', { adapter: true }, 'adapter'],
    ['Model-mmproj-F16', {}, 'projector'],
    ['Model.lora', {}, 'adapter'],
    ['Model-lora-merged-Q4_K_M', {}, 'model'],
    ['Model.imatrix', {}, 'importance_matrix'],
    ['Model-imatrix-Q4_K_M', {}, 'model'],
    ['Model-Q4_K_M', {}, 'model'],
  ] as const)('%s with %j is a %s', (name, changes, kind) => {
    expect(ggufKind(name, traits(changes))).toBe(kind)
  })

  test('is reported by its name where the header cannot be read', () => {
    expect(ggufKind('mmproj', null)).toBe('projector')
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGgufHeader } from '../../../../shared/model-files/gguf-header.ts'
import { MAX_KEPT_VALUES } from '../../../../shared/model-files/gguf-values.ts'
import { readSafetensorsHeader } from '../../../../shared/model-files/safetensors-header.ts'
import { standInOf } from '../../../../shared/model-files/stand-in.ts'
import { gguf, safetensorsFile } from '../../../support/weight-files.ts'

const WORDS = Array.from({ length: MAX_KEPT_VALUES + 1 }, (_, i) => `word${i}`)
const FILE = gguf({
  metadata: {
    'general.type': 'model',
    'general.alignment': 32,
    'split.count': 2,
    'x.long': 2n ** 63n,
    'x.flag': true,
    'x.head_count_kv': [8, 4, 8],
    'tokenizer.ggml.tokens': WORDS,
  },
  tensors: { a: 10, b: 100 },
})

function header(bytes: Uint8Array) {
  const read = readGgufHeader(bytes)
  if (read.kind !== 'read') throw new Error(read.kind)
  return read.header
}

describe('the header of a GGUF file', () => {
  test('has its keys, and its tensors with the end of the last one', () => {
    const { metadata, tensors, fileBytes, dataStart } = header(FILE)
    expect(metadata.get('general.type')).toBe('model')
    expect(metadata.get('split.count')).toBe(2)
    expect(metadata.get('x.long')).toBe(2n ** 63n)
    expect(metadata.get('x.flag')).toBe(true)
    expect(metadata.get('x.head_count_kv')).toEqual({ count: 3, values: [8, 4, 8] })
    expect(metadata.get('tokenizer.ggml.tokens')).toEqual({ count: WORDS.length, values: [] })
    expect(tensors.map(({ name, shape, offset, bytes }) => [name, shape, offset, bytes])).toEqual([
      ['a', [10n], 0n, 40n],
      ['b', [100n], 64n, 400n],
    ])
    expect(fileBytes).toBe(dataStart + 464n)
    expect(BigInt(FILE.length) >= fileBytes).toBe(true)
  })

  test.each([
    ['of the first version', { version: 1 }],
    ['that was written the other way round', { littleEndian: false }],
  ])('is read of a file %s', (_what, form) => {
    const { metadata, tensors } = header(gguf({ metadata: { 'general.type': 'mmproj' }, ...form }))
    expect(metadata.get('general.type')).toBe('mmproj')
    expect(tensors.map(({ bytes }) => bytes)).toEqual([64n])
  })

  test('asks for more bytes until it is whole, and for no byte behind it', () => {
    const { dataStart } = header(FILE)
    let length = 0
    for (let turn = 0; turn < 100_000; turn++) {
      const read = readGgufHeader(FILE.subarray(0, length))
      if (read.kind === 'read') break
      if (read.kind !== 'more') throw new Error(read.kind)
      expect(read.bytes).toBeGreaterThan(length)
      length = Math.max(read.bytes, length * 2)
    }
    expect(length).toBeLessThanOrEqual(Number(dataStart) * 2)
  })

  test.each([
    ['tensors', Buffer.from('474755460300000000000000000000ff0000000000000000', 'hex')],
    ['keys', Buffer.from('47475546030000000000000000000000000000000000ff00', 'hex')],
    ['version', Buffer.from('474755467f00000000000000000000000000000000000000', 'hex')],
    [
      'bytes of a text',
      Buffer.concat([
        Buffer.from('474755460300000000000000000000000100000000000000', 'hex'),
        Buffer.from('ffffffffffffff7f', 'hex'),
        Buffer.alloc(64),
      ]),
    ],
  ])('is malformed with an absurd number: %s', (_what, bytes) => {
    expect(readGgufHeader(bytes).kind).toBe('malformed')
  })

  test('is not there in another file', () => {
    for (const text of ['', 'GG', 'hello, this is text', 'GGML']) {
      expect(readGgufHeader(Buffer.from(text)).kind).toBe(text === 'GG' || text === '' ? 'more' : 'other')
    }
  })

  test('never makes the reader fail, whatever bytes are changed', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.uint8Array({ minLength: 1, maxLength: 16 }), (at, change) => {
        const bytes = Uint8Array.from(FILE)
        bytes.set(change, at)
        readGgufHeader(bytes)
        readSafetensorsHeader(change)
        readSafetensorsHeader(bytes)
      }),
    )
  })
})

describe('the header of a safetensors file', () => {
  test('has its format, its tensors and the length of the file', () => {
    const file = safetensorsFile('x', { format: 'mlx', bytes: 10 })
    expect(readSafetensorsHeader(file)).toMatchObject({
      kind: 'read',
      header: { format: 'mlx', fileBytes: BigInt(file.length), tensors: [{ name: 'w', end: 10 }] },
    })
  })

  test('asks for as much as it says it has', () => {
    const file = safetensorsFile()
    expect(readSafetensorsHeader(file.subarray(0, 3))).toEqual({ kind: 'more', bytes: 8 })
    expect(readSafetensorsHeader(file.subarray(0, 20)).kind).toBe('more')
  })

  test.each([
    ['text', 'just some text here', 'other'],
    ['no JSON', '\u0005\0\0\0\0\0\0\0{"a":', 'malformed'],
    ['no offsets', '\u000c\0\0\0\0\0\0\0{"a":{"b":1}}', 'malformed'],
    ['deep nesting', `\u00a0\u0086\u0001\0\0\0\0\0{"a":${'['.repeat(100_000)}`, 'malformed'],
  ])('is not taken from %s', (_what, text, kind) => {
    expect(readSafetensorsHeader(Buffer.from(text, 'latin1')).kind).toBe(kind)
  })
})

test.each([
  ['', 'empty'],
  ['version https://git-lfs.github.com/spec/v1\noid sha256:00', 'lfs_pointer'],
  ['\n <!DOCTYPE html><html>', 'web_page'],
  ['<HTML>', 'web_page'],
  ['{"error":"Repository not found"}', 'error_text'],
  ['GGUF\u0003', null],
  ['weights', null],
])('%j in the place of weights is %s', (text, standIn) => {
  expect(standInOf(Buffer.from(text))).toBe(standIn)
})

import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../../electron/host/disk.ts'
import { findModels } from '../../../../../electron/host/scan/find-models.ts'
import { MAX_HEADER_READ_BYTES, readHeader } from '../../../../../electron/host/shapes/read-header.ts'
import { readShape, type ShapeRead } from '../../../../../electron/host/shapes/read-shape.ts'
import { readGgufHeader } from '../../../../../shared/model-files/gguf-header.ts'
import { gguf, safetensorsFile } from '../../../../support/weight-files.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const LLAMA = {
  'general.architecture': 'llama',
  'llama.block_count': 4,
  'llama.context_length': 8192,
  'llama.embedding_length': 64,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
}

async function shapeAt(path: string): Promise<ShapeRead> {
  const [find] = await findModels({ path, shown: path })
  if (find?.ok !== true) return { ok: false, reason: find?.reason ?? 'nothing was found' }
  return readShape(find.model, realDisk)
}

test('the shape of a GGUF file comes from its header', async () => {
  const folder = await tempFolder()
  await writeFile(join(folder, 'a.gguf'), gguf({ metadata: LLAMA, tensors: { a: 10, b: 100 } }))
  expect(await shapeAt(join(folder, 'a.gguf'))).toEqual({
    ok: true,
    shape: {
      architecture: 'llama',
      weightsBytes: 440n,
      projectorBytes: 0n,
      trainedContext: 8192,
      caches: {
        kind: 'known',
        groups: [
          {
            layers: 4,
            cache: { kind: 'attention', kvHeads: 2, keyLength: 16, valueLength: 16, window: null },
          },
        ],
      },
    },
  })
})

test('the parts of a split model are added up, and the first one says what it is', async () => {
  const folder = await tempFolder()
  await writeFile(join(folder, 'a-00001-of-00002.gguf'), gguf({ metadata: LLAMA, tensors: { a: 10 } }))
  await writeFile(join(folder, 'a-00002-of-00002.gguf'), gguf({ tensors: { b: 100 } }))
  expect(await shapeAt(join(folder, 'a-00001-of-00002.gguf'))).toMatchObject({
    shape: { architecture: 'llama', weightsBytes: 440n },
  })
})

test('the shape of a model folder comes from config.json and the tensors’ offsets', async () => {
  const folder = join(await tempFolder(), 'model')
  await mkdir(folder)
  await writeFile(join(folder, 'model.safetensors'), safetensorsFile('x', { bytes: 100 }))
  const config = {
    model_type: 'qwen3',
    num_hidden_layers: 2,
    num_attention_heads: 4,
    head_dim: 32,
    max_position_embeddings: 4096,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  expect(await shapeAt(folder)).toMatchObject({
    shape: { weightsBytes: 100n, trainedContext: 4096, caches: { groups: [{ layers: 2 }] } },
  })
  await writeFile(join(folder, 'config.json'), '{')
  expect(await shapeAt(folder)).toMatchObject({
    ok: false,
    reason: expect.stringContaining('not JSON') as string,
  })
})

test('a file cut off at whatever byte of its header is unreadable', async () => {
  const folder = await tempFolder()
  const path = join(folder, 'a.gguf')
  const whole = gguf({ metadata: LLAMA, tensors: { a: 1 } })
  const read = readGgufHeader(whole)
  if (read.kind !== 'read') throw new Error(read.kind)
  // What follows the list of tensors is padding, whose lack only the scan of the file itself would notice.
  const needed = whole.findLastIndex((byte, i) => byte !== 0 && i < Number(read.header.dataStart))
  await writeFile(path, whole)
  for (let length = needed; length >= 0; length--) {
    await truncate(path, length)
    expect(await readHeader(path, 'GGUF file', readGgufHeader, realDisk)).toMatchObject({ ok: false })
  }
})

test('whatever bytes a header has, reading it ends and stays within its limit', async () => {
  const path = join(await tempFolder(), 'a.gguf')
  const whole = gguf({ metadata: { ...LLAMA, list: ['a', 'b'], counts: [1, 2, 3] } })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length),
      fc.uint8Array({ minLength: 1, maxLength: 12 }),
      async (at, change) => {
        const bytes = Uint8Array.from(whole)
        bytes.set(change.subarray(0, bytes.length - at), at)
        await writeFile(path, bytes)
        const read = await shapeAt(path)
        if (!read.ok) expect(read.reason).not.toBe('')
      },
    ),
    { numRuns: 300 },
  )
})

test('no more than 32 MiB of a file are read, however long its header claims to be', async () => {
  const path = join(await tempFolder(), 'a.gguf')
  // A text of 2^40 bytes right behind the counts.
  const start = Buffer.concat([
    Buffer.from('474755460300000000000000000000000100000000000000', 'hex'),
    Buffer.from('0100000000000000', 'hex'),
    Buffer.from('61', 'hex'),
    Buffer.from('09000000080000000000f00000000000', 'hex'),
  ])
  await writeFile(path, start)
  await truncate(path, 200 * 1024 * 1024)
  let read = 0
  const counting: Disk = {
    ...realDisk,
    open: async (...open) => {
      const handle = await realDisk.open(...open)
      const original = handle.read.bind(handle) as (...args: unknown[]) => Promise<{ bytesRead: number }>
      const counted = async (...args: unknown[]): Promise<{ bytesRead: number }> => {
        const result = await original(...args)
        const [, , , position] = args as [unknown, number, number, number]
        read = Math.max(read, position + result.bytesRead)
        return result
      }
      return Object.assign(handle, { read: counted })
    },
  }
  const outcome = await readHeader(path, 'GGUF file', readGgufHeader, counting)
  expect(outcome).toEqual({ ok: false, reason: 'its header is over 32 MiB' })
  expect(read).toBeLessThanOrEqual(MAX_HEADER_READ_BYTES)
})

test('a folder in a file’s place, and a file that went away, are unreadable', async () => {
  const folder = await tempFolder()
  expect(await readHeader(folder, 'GGUF file', readGgufHeader, realDisk)).toMatchObject({ ok: false })
  expect(await readHeader(join(folder, 'none'), 'GGUF file', readGgufHeader, realDisk)).toMatchObject({
    ok: false,
  })
})

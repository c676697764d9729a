import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { newHasher, slowHashLines } from '../../../../../electron/host/scan/blake3-hasher.ts'
import { blake3Of } from '../../../../support/model-trees.ts'

test('the native hash and the one in its place are the same, and only the slower one is reported', async () => {
  const hash = async () => {
    const hasher = await newHasher()
    hasher.update(Buffer.from('some '))
    hasher.update(Buffer.from('weights'))
    return hasher.hex()
  }
  expect(await hash()).toBe(blake3Of('some weights'))
  expect(await slowHashLines()).toEqual([])
  vi.doMock('@napi-rs/blake-hash', () => {
    throw new Error('Cannot find module')
  })
  try {
    expect(await hash()).toBe(blake3Of('some weights'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 8 }), async (parts) => {
        const hasher = await newHasher()
        for (const part of parts) hasher.update(part)
        expect(hasher.hex()).toBe(blake3Of(Buffer.concat(parts)))
      }),
      { numRuns: 30 },
    )
    const [one, other] = [await newHasher(), await newHasher()]
    one.update(Buffer.from('some '))
    other.update(Buffer.from('x'))
    one.update(Buffer.from('weights'))
    expect([one.hex(), other.hex()]).toEqual([blake3Of('some weights'), blake3Of('x')])
    expect((await slowHashLines()).map(({ reason }) => reason).join()).toContain('a slower one')
  } finally {
    vi.doUnmock('@napi-rs/blake-hash')
  }
})

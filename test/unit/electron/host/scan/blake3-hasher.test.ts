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
    expect((await slowHashLines()).map(({ reason }) => reason).join()).toContain('a slower one')
  } finally {
    vi.doUnmock('@napi-rs/blake-hash')
  }
})

import { describe, expect, test } from 'vitest'
import { U64_MAX } from '../../../../shared/bytes.ts'
import { memoryPools } from '../../../../shared/node/memory-pools.ts'
import { capability } from '../../../support/capability.ts'

const unified = capability('mem.unified', { free: 96e9, total: 128e9 })
const system = capability('mem.system', { free: 20e9, total: 32e9 })

describe('memoryPools', () => {
  test('is one unified pool with mem.unified, whatever else there is', () => {
    expect(memoryPools([system, capability('mem.vram', { free: 1 }), unified])).toEqual({
      kind: 'unified',
      roles: { name: 'unified', freeBytes: 96_000_000_000n, totalBytes: 128_000_000_000n },
      host: null,
    })
  })

  test('takes the total where the free figure is missing, and the reverse', () => {
    expect(memoryPools([capability('mem.unified', { total: 64e9 })]).roles).toMatchObject({
      freeBytes: 64_000_000_000n,
      totalBytes: 64_000_000_000n,
    })
    expect(memoryPools([capability('mem.vram', { free: 8e9 })]).roles).toMatchObject({
      freeBytes: 8_000_000_000n,
      totalBytes: 8_000_000_000n,
    })
  })

  test('takes the system memory for the unified pool when that has no figure', () => {
    expect(memoryPools([capability('mem.unified', { unit: 'GB', free: -1 }), system])).toEqual({
      kind: 'unified',
      roles: { name: 'unified', freeBytes: 20_000_000_000n, totalBytes: 32_000_000_000n },
      host: null,
    })
    expect(memoryPools([capability('mem.unified')])).toEqual({ kind: 'unified', roles: null, host: null })
  })

  test.each(['degraded', 'reserved'] as const)('does not count memory that is %s', (state) => {
    expect(memoryPools([{ ...unified, state }]).roles).toBeNull()
    expect(memoryPools([{ ...capability('mem.vram', { free: 8e9 }), state }, system])).toMatchObject({
      kind: 'split',
      roles: null,
    })
  })

  test('counts busy memory unless one owner has it alone', () => {
    expect(memoryPools([{ ...unified, state: 'busy' }]).roles?.freeBytes).toBe(96_000_000_000n)
    expect(memoryPools([{ ...unified, state: 'busy', exclusive: true }]).roles).toBeNull()
  })

  test('otherwise has the host pool from the system and the accelerator pool from the sum of the cards', () => {
    const cards = [
      capability('mem.vram', { free: 10e9, total: 24e9 }),
      capability('mem.vram', { total: 24e9 }),
      capability('mem.vram', { note: 'no figure' }),
    ]
    expect(memoryPools([...cards, system])).toEqual({
      kind: 'split',
      roles: { name: 'accelerator', freeBytes: 34_000_000_000n, totalBytes: 48_000_000_000n },
      host: { name: 'host', freeBytes: 20_000_000_000n, totalBytes: 32_000_000_000n },
    })
  })

  test('knows no pool for roles without an accelerator: host memory is not lent to them', () => {
    expect(memoryPools([system])).toMatchObject({ kind: 'split', roles: null, host: { name: 'host' } })
    expect(memoryPools([])).toEqual({ kind: 'split', roles: null, host: null })
  })

  test('counts a full pool as known and empty', () => {
    expect(memoryPools([capability('mem.vram', { free: 0, total: 24e9 })]).roles?.freeBytes).toBe(0n)
  })

  test('truncates fractions and saturates', () => {
    expect(memoryPools([capability('mem.unified', { free: 1.9 })]).roles?.freeBytes).toBe(1n)
    const huge = capability('mem.vram', { free: 1.5e19 })
    expect(memoryPools([huge, huge]).roles?.freeBytes).toBe(U64_MAX)
  })

  test('ignores figures that are no numbers from 0', () => {
    expect(memoryPools([capability('mem.unified', { free: '5', total: [6] })]).roles).toBeNull()
  })
})

import { describe, expect, test } from 'vitest'
import { flavorForBackend } from '../../shared/roster/flavor.ts'
import { loadVectors } from '../support/vectors.ts'

interface FlavorVector {
  readonly backend: string
  readonly expect: string | null
}

describe('flavorForBackend answers as the reference', () => {
  for (const { backend, expect: expected } of loadVectors<FlavorVector>('flavor')) {
    test(JSON.stringify(backend), () => {
      expect(flavorForBackend(backend)).toBe(expected)
    })
  }
})

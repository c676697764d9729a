import { describe, expect, test } from 'vitest'
import { localityPreference } from '../../shared/locality/preference.ts'
import { modelOfVector, type VectorBody } from '../support/vector-shapes.ts'
import { loadVectors } from '../support/vectors.ts'

interface PreferenceVector {
  readonly name: string
  readonly input: { readonly body: VectorBody; readonly package_id: string; readonly weight: number }
  readonly expect: unknown
}

describe('a placement preference is written as the reference writes it', () => {
  for (const { name, input, expect: expected } of loadVectors<PreferenceVector>('preference')) {
    test(name, () => {
      expect(localityPreference(modelOfVector(input.body), input.package_id, input.weight)).toEqual(expected)
    })
  }
})

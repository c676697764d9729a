import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packageIdOf } from '../../../../shared/model-manifest/package-id.ts'
import { bodyJson, contentOf, envelopeJson, idOf, type EnvelopeJson } from '../../../support/manifests.ts'

const SAMPLE = new URL('../../../../examples/sample-lab/docs/models/registry.json', import.meta.url)

describe('package id', () => {
  test('is the key under which the sample registry keeps each envelope', () => {
    const registry = JSON.parse(readFileSync(SAMPLE, 'utf8')) as {
      models: Record<string, { envelope: EnvelopeJson }>
    }
    const entries = Object.entries(registry.models)
    expect(entries).toHaveLength(8)
    for (const [key, { envelope }] of entries) expect(idOf(envelope)).toBe(key)
  })

  test('is BLAKE3: the hash of nothing is the published one', () => {
    expect(packageIdOf('')).toBe('af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262')
  })

  test('is made of body, kind and schema, in that order, and nothing else', () => {
    const content = contentOf(envelopeJson({ name: 'x' }, { signatures: [{ any: 'thing' }] }))
    expect(content).toBe('{"body":{"name":"x"},"kind":"model","schema":"weftos.workload-manifest.v1"}')
  })

  test('does not change with the order of keys or with signatures, and does with any content', () => {
    const id = idOf(envelopeJson(bodyJson()))
    const shuffled = fc.shuffledSubarray(Object.entries(bodyJson()), {
      minLength: Object.keys(bodyJson()).length,
    })
    fc.assert(
      fc.property(shuffled, fc.array(fc.string()), (members, signatures) => {
        expect(idOf(envelopeJson(Object.fromEntries(members), { signatures }))).toBe(id)
      }),
    )
    for (const key of Object.keys(bodyJson()))
      expect(idOf(envelopeJson(bodyJson({ [key]: null })))).not.toBe(id)
  })
})

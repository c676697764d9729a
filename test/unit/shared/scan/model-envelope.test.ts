import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../../shared/model-manifest/read-manifest.ts'
import { buildManifest, type ScannedBody } from '../../../../shared/scan/model-envelope.ts'
import { hash } from '../../../support/manifests.ts'
import { blake3Of } from '../../../support/model-trees.ts'

const BODY: ScannedBody = {
  name: 'Model-7B',
  format: 'mlx',
  shards: [
    { path: 'b.safetensors', size: 12n, blake3: hash('b') },
    { path: 'a.safetensors', size: 5_360_001_712n, blake3: hash('a') },
  ],
  tokenizer: { path: 'tokenizer.json', blake3: hash('c') },
  template: null,
  source: { hfRepo: 'org/Model-7B', hfRevision: 'abc', ollamaTag: null },
  redistributable: false,
}

function build(changes: Partial<ScannedBody> = {}) {
  const built = buildManifest({ ...BODY, ...changes })
  if (!built.ok) throw new Error(built.reason)
  return built
}

describe('the manifest of a scanned model', () => {
  test('has the package id that the rule gives: BLAKE3 of its canonical JSON without signatures', () => {
    const canonical =
      `{"body":{"format":"mlx","name":"Model-7B","shards":[` +
      `{"blake3":"${hash('a')}","path":"a.safetensors","size":5360001712},` +
      `{"blake3":"${hash('b')}","path":"b.safetensors","size":12}],` +
      `"source":{"hf_repo":"org/Model-7B","hf_revision":"abc"},` +
      `"tokenizer_blake3":"${hash('c')}","tokenizer_path":"tokenizer.json"},` +
      `"kind":"model","schema":"weftos.workload-manifest.v1"}`
    expect(build().packageId).toBe(blake3Of(canonical))
  })

  test('is unsigned, sorted by path and read back as it was scanned', () => {
    const { text, packageId } = build()
    const read = readManifest(text, 'm.json')
    expect(read.problems).toEqual([])
    if (!read.ok) throw new Error('not read')
    expect(read.value.packageId).toBe(packageId)
    expect(read.value.signature).toBe('unsigned')
    expect(read.value.body.shards.map(({ path }) => path)).toEqual(['a.safetensors', 'b.safetensors'])
    expect(JSON.parse(text)).toMatchObject({ signatures: [] })
  })

  test('says redistributable only when it is true, which makes it another package', () => {
    expect(build().text).not.toContain('redistributable')
    expect(build({ redistributable: true }).text).toContain('"redistributable": true')
    expect(build({ redistributable: true }).packageId).not.toBe(build().packageId)
  })

  test('leaves out what is not known', () => {
    const { text } = build({ tokenizer: null, source: null })
    expect(text).not.toMatch(/tokenizer|template|source|null/)
  })

  test('is refused for 256 shards and made for 255', () => {
    const shards = (count: number) =>
      Array.from({ length: count }, (_, i) => ({
        path: `s${String(i).padStart(3, '0')}.safetensors`,
        size: 1n,
        blake3: hash('a'),
      }))
    expect(buildManifest({ ...BODY, shards: shards(255) }).ok).toBe(true)
    expect(buildManifest({ ...BODY, shards: shards(256) })).toEqual({
      ok: false,
      reason: 'it has 256 weight files; a manifest can list 255',
    })
  })

  test('is refused for a name that no manifest can have', () => {
    expect(buildManifest({ ...BODY, name: '-x' })).toMatchObject({ ok: false })
  })
})

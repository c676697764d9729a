import { describe, expect, test } from 'vitest'
import { readOllamaManifest } from '../../../../shared/scan/ollama-manifest.ts'
import { hash } from '../../../support/manifests.ts'

function layer(type: string, digit: string, size: unknown = 5): unknown {
  return { mediaType: `application/vnd.ollama.image.${type}`, digest: `sha256:${hash(digit)}`, size }
}

function read(layers: unknown) {
  return readOllamaManifest(JSON.stringify({ layers }))
}

describe('an Ollama manifest', () => {
  test('has its model layers as shards, sorted, and its template', () => {
    expect(
      read([
        layer('model', 'b'),
        layer('license', '1'),
        layer('template', '2'),
        layer('model', 'a'),
        layer('adapter', '3'),
      ]),
    ).toEqual({
      ok: true,
      value: {
        shards: [
          { path: `blobs/sha256-${hash('a')}`, size: 5n },
          { path: `blobs/sha256-${hash('b')}`, size: 5n },
        ],
        template: { path: `blobs/sha256-${hash('2')}`, size: 5n },
        outside: [{ path: `blobs/sha256-${hash('3')}`, what: 'an adapter' }],
      },
    })
  })

  test.each([
    ['text', 'nope'],
    ['no layers', '{}'],
    ['layers that are no list', '{"layers": 5}'],
    ['null', 'null'],
  ])('that is %s is refused', (_what, text) => {
    expect(readOllamaManifest(text).ok).toBe(false)
  })

  test.each([
    ['no model layer', [layer('template', '1')]],
    ['a size that is no count', [layer('model', '1', -1)]],
    [
      'a digest of another kind',
      [{ mediaType: 'application/vnd.ollama.image.model', digest: 'md5:1', size: 1 }],
    ],
    [
      'a digest that leads elsewhere',
      [{ mediaType: 'application/vnd.ollama.image.model', digest: 'sha256:../../etc/passwd', size: 1 }],
    ],
  ])('with %s is refused', (_what, layers) => {
    expect(read(layers).ok).toBe(false)
  })
})

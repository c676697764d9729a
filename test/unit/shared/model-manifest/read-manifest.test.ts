import { describe, expect, test } from 'vitest'
import { readManifest } from '../../../../shared/model-manifest/read-manifest.ts'
import { briefs, markedText, valueOf } from '../../../support/problems.ts'
import {
  bodyJson,
  contentOf,
  envelopeJson,
  hash,
  idOf,
  sign,
  type BodyJson,
} from '../../../support/manifests.ts'

const read = (envelope: unknown): ReturnType<typeof readManifest> =>
  readManifest(JSON.stringify(envelope), 'm.json')
const readBody = (changes: BodyJson): ReturnType<typeof readManifest> => read(envelopeJson(bodyJson(changes)))
const shards = (count: number): unknown[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `s-${String(i).padStart(3, '0')}`,
    size: i,
    blake3: hash('a'),
  }))

describe('readManifest', () => {
  test('reads every member of a body', () => {
    const envelope = envelopeJson(bodyJson())
    const manifest = valueOf(read(envelope))
    expect(manifest).toEqual({
      packageId: idOf(envelope),
      body: {
        name: 'Model-7B',
        format: 'safetensors',
        shards: [
          { path: 'model-00001-of-00002.safetensors', size: 5_360_001_712n, blake3: hash('a') },
          { path: 'model-00002-of-00002.safetensors', size: 12n, blake3: hash('b') },
        ],
        tokenizerPath: 'tokenizer.json',
        tokenizerBlake3: hash('c'),
        templatePath: 'sub/chat_template.jinja',
        templateBlake3: hash('d'),
        source: { hfRepo: 'example-org/Model-7B', hfRevision: '3f9c1d2', ollamaTag: 'model:latest' },
        redistributable: true,
      },
      signature: 'unsigned',
      file: 'm.json',
      refused: null,
    })
  })

  test('takes absent and null optional members for nothing, and absent redistributable for false', () => {
    const bare = valueOf(read(envelopeJson({ name: 'm', format: 'gguf', shards: shards(1) })))
    expect(bare.body).toMatchObject({
      tokenizerPath: null,
      templateBlake3: null,
      source: null,
      redistributable: false,
    })
    expect(valueOf(readBody({ tokenizer_path: null, source: null })).body).toMatchObject({
      tokenizerPath: null,
      source: null,
    })
    expect(valueOf(readBody({ source: {} })).body.source).toEqual({
      hfRepo: null,
      hfRevision: null,
      ollamaTag: null,
    })
  })

  test('reports the state of the signatures', () => {
    const envelope = envelopeJson(bodyJson())
    const signed = { ...envelope, signatures: [sign(contentOf(envelope), 3)] }
    expect(valueOf(read(signed)).signature).toBe('valid')
    const changed = { ...signed, body: bodyJson({ redistributable: false }) }
    expect(valueOf(read(changed)).signature).toBe('invalid')
    const { signatures: _, ...without } = envelope
    expect(valueOf(read(without)).signature).toBe('unsigned')
  })

  test('keeps the state of the signatures when it is cloned', () => {
    const envelope = envelopeJson(bodyJson())
    const manifest = valueOf(read({ ...envelope, signatures: [sign(contentOf(envelope), 3)] }))
    expect(structuredClone(manifest).signature).toBe('valid')
  })

  test.each<[string, BodyJson]>([
    ['a name of 64', { name: `a${'.'.repeat(63)}` }],
    ['one shard', { shards: shards(1) }],
    ['255 shards', { shards: shards(255) }],
    ['a path of 256 bytes', { tokenizer_path: `${'a'.repeat(200)}/${'b'.repeat(55)}` }],
    ['the largest size', { shards: [{ path: 'a', size: 2 ** 53 - 1, blake3: hash('0') }] }],
    ['an empty shard', { shards: [{ path: 'a', size: 0, blake3: hash('0') }] }],
    ['shards that share a hash', { shards: shards(2) }],
  ])('takes %s', (_, changes) => {
    expect(readBody(changes).problems).toEqual([])
  })

  const TOKEN = 'a plain token of 1 to 64 characters (letters, digits and . _ + : -, first a letter or digit)'
  const PATH = 'a relative path of at most 256 bytes whose parts are plain tokens separated by /'
  const HASH = 'a BLAKE3 hash of 64 lower-case hex digits'
  test.each<[string, BodyJson, string]>([
    ['an empty name', { name: '' }, `body.name must be ${TOKEN}, not ""`],
    ['a name of 65', { name: 'a'.repeat(65) }, `body.name must be ${TOKEN}, not "${'a'.repeat(30)}…"`],
    ['a name with a space', { name: 'a b' }, `body.name must be ${TOKEN}, not "a b"`],
    ['a name that is no text', { name: 7 }, `body.name must be ${TOKEN}, not 7`],
    ['no name', { name: undefined }, `body.name is missing: it must be ${TOKEN}`],
    [
      'an unknown format',
      { format: 'onnx' },
      'body.format must be one of mlx, gguf, safetensors, ollama, not "onnx"',
    ],
    ['no shards', { shards: [] }, 'body.shards must have 1 to 255 items, not 0'],
    ['256 shards', { shards: shards(256) }, 'body.shards must have 1 to 255 items, not 256'],
    ['shards that are no list', { shards: {} }, 'body.shards must be a list, not an object'],
    ['a shard that is no object', { shards: ['a'] }, 'body.shards[0] must be an object, not "a"'],
    [
      'a hash in capitals',
      shard({ blake3: hash('A') }),
      `body.shards[0].blake3 must be ${HASH}, not "${'A'.repeat(30)}…"`,
    ],
    ['a short hash', shard({ blake3: 'abc' }), `body.shards[0].blake3 must be ${HASH}, not "abc"`],
    [
      'no size',
      shard({ size: undefined }),
      `body.shards[0].size is missing: it must be an integer from 0 to 9007199254740991`,
    ],
    [
      'a negative size',
      shard({ size: -1 }),
      'body.shards[0].size must be an integer from 0 to 9007199254740991, not -1',
    ],
    [
      'a size too large',
      shard({ size: 2 ** 53 }),
      'body.shards[0].size must be an integer from 0 to 9007199254740991, not 9007199254740992',
    ],
    [
      'half a byte',
      shard({ size: 0.5 }),
      'body.shards[0].size must be an integer from 0 to 9007199254740991, not 0.5',
    ],
    [
      'a size in quotes',
      shard({ size: '5' }),
      'body.shards[0].size must be an integer from 0 to 9007199254740991, written without quotes, not "5"',
    ],
    [
      'an unknown key in a shard',
      shard({ md5: 'x' }),
      'body.shards[0].md5 is not known here; known keys are path, size, blake3',
    ],
    [
      'a hash with a wrong character',
      { tokenizer_blake3: `${'a'.repeat(63)}g` },
      `body.tokenizer_blake3 must be ${HASH}, not "${'a'.repeat(30)}…"`,
    ],
    ['a template path upwards', { template_path: '../x' }, `body.template_path must be ${PATH}, not "../x"`],
    ['a source that is a text', { source: 'hf' }, 'body.source must be an object, not "hf"'],
    [
      'an unknown source',
      { source: { url: 'x' } },
      'body.source.url is not known here; known keys are hf_repo, hf_revision, ollama_tag',
    ],
    ['a repo that is no text', { source: { hf_repo: 5 } }, 'body.source.hf_repo must be a text, not 5'],
    [
      'redistributable that is no flag',
      { redistributable: 'yes' },
      'body.redistributable must be true or false, not "yes"',
    ],
    [
      'redistributable that is null',
      { redistributable: null },
      'body.redistributable must be true or false, not null',
    ],
    [
      'an unknown key',
      { licence: 'MIT' },
      'body.licence is not known here; known keys are name, format, shards, tokenizer_path, tokenizer_blake3, template_path, template_blake3, source, redistributable',
    ],
  ])('refuses %s', (_, changes, message) => {
    const outcome = readBody(changes)
    expect(outcome.ok).toBe(false)
    expect(outcome.problems.map((problem) => problem.message)).toEqual([message])
    expect(outcome.problems[0]?.range).not.toBeNull()
  })

  test.each([
    '',
    '/abs',
    'a/',
    'a//b',
    './a',
    'a/./b',
    '..',
    'a/../b',
    '.hidden',
    'a\\b',
    'a b',
    'C:\\x',
    'é',
    'a'.repeat(257),
  ])('refuses the shard path %j', (path) => {
    expect(readBody(shard({ path })).problems.map(({ code }) => code)).toEqual(['json-bad-value'])
  })

  test('refuses shards out of order or repeated, at the path', () => {
    const at = (...paths: string[]): string[] => {
      const some = paths.map((path) => ({ path, size: 1, blake3: hash('a') }))
      return briefs(readBody({ shards: some })).map((line) => line.replace(/^\S+ /, ''))
    }
    expect(at('b', 'a')).toEqual([
      'manifest-unsorted-shards body.shards[1].path comes before the path above it: shards must be sorted by path',
    ])
    expect(at('a', 'a')).toEqual(['manifest-repeated-shard body.shards[1].path repeats the path before it'])
    // The order is that of bytes: capitals first, and - before / before 0.
    expect(at('B', 'a', 'a-b', 'a/b', 'a0')).toEqual([])
  })

  test.each<[string, Record<string, unknown>, string]>([
    [
      'another schema',
      { schema: 'v2' },
      '1:11 json-bad-value schema must be "weftos.workload-manifest.v1", not "v2"',
    ],
    ['another kind', { kind: 'app' }, '1:48 json-bad-value kind must be "model", not "app"'],
    [
      'an unknown key',
      { extra: 1 },
      '1:7 json-unknown-key extra is not known here; known keys are schema, kind, body, signatures',
    ],
  ])('refuses an envelope with %s, with its place', (_, changes, problem) => {
    const envelope = { ...envelopeJson({}), ...changes, body: bodyJson() }
    const outcome = read(envelope)
    expect(outcome.ok).toBe(false)
    expect(briefs(outcome)).toEqual([
      problem.replace('1:7', `1:${JSON.stringify(envelope).indexOf('"extra"') + 1}`),
    ])
  })

  test('refuses signatures that are not of their form', () => {
    const signed = (signatures: unknown): string[] =>
      read(envelopeJson(bodyJson(), { signatures })).problems.map(({ message }) => message)
    expect(signed({})).toEqual(['signatures must be a list, not an object'])
    expect(signed([5])).toEqual(['signatures[0] must be an object, not 5'])
    expect(signed([{ ...sign('', 1), note: 'x' }])).toEqual([
      'signatures[0].note is not known here; known keys are algorithm, key_id, public_key, signature',
    ])
    expect(signed([{ algorithm: 'ed25519', key_id: 'k', public_key: 5 }])).toEqual([
      'signatures[0].signature is missing: it must be a text',
      'signatures[0].public_key must be a text, not 5',
    ])
  })

  test('reports every problem of a file, each with its own place', () => {
    const text = `{
  "schema": "weftos.workload-manifest.v1",
  "kind": "model",
  "body": {
    "name": "a b",
    "format": "gguf",
    "shards": [
      {"path": "x", "size": 1.0, "blake3": "${hash('a')}"},
      {"path": "/y", "size": 1e3, "blake3": "${hash('a')}", "x": 0}
    ],
    "name": "c"
  },
  "signatures": []
}`
    const outcome = readManifest(text, 'm.json')
    expect(outcome.ok).toBe(false)
    expect(briefs(outcome).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      '8:29 json-bad-value body.shards[0].size',
      '9:16 json-bad-value body.shards[1].path',
      '9:30 json-bad-value body.shards[1].size',
      '9:113 json-unknown-key body.shards[1].x',
      '11:5 json-repeated-key body.name',
    ])
    expect(outcome.problems.every(({ file, severity }) => file === 'm.json' && severity === 'error')).toBe(
      true,
    )
  })

  test('refuses a text with half a character, which has no package id', () => {
    const outcome = readBody({ source: { hf_repo: '\uD83D' } })
    expect(outcome.problems.map(({ code, message }) => [code, message])).toEqual([
      [
        'manifest-not-canonical',
        'body.source.hf_repo holds half a character (a lone surrogate), which has no UTF-8 form, so the model has no package id',
      ],
    ])
  })

  test('marks the value that is wrong', () => {
    const text = JSON.stringify(envelopeJson(bodyJson({ format: 'onnx' })))
    expect(markedText(text, readManifest(text, 'm.json'))).toBe('"onnx"')
  })

  test('draws the line at 1 MiB', () => {
    const padded = (bytes: number): string => {
      const text = JSON.stringify(envelopeJson(bodyJson({ source: { hf_repo: '' } })))
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
    }
    expect(readManifest(padded(1024 * 1024), 'm.json').ok).toBe(true)
    expect(briefs(readManifest(padded(1024 * 1024 + 1), 'm.json'))).toEqual([
      '- json-too-large the file is larger than 1048576 bytes, the most that is read',
    ])
  })

  test.each(['null', '[]', '5', '"x"', '{}', '{"body": null}', '{"body": {"shards": [null, 5, []]}}'])(
    'refuses %s without throwing',
    (text) => {
      expect(readManifest(text, 'm.json').ok).toBe(false)
    },
  )
})

function shard(changes: Record<string, unknown>): BodyJson {
  return { shards: [{ path: 'a', size: 1, blake3: hash('a'), ...changes }] }
}

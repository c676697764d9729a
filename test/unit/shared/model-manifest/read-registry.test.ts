import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_LISTED_PROBLEMS } from '../../../../shared/json/json-reader.ts'
import { readRegistry } from '../../../../shared/model-manifest/read-registry.ts'
import {
  bodyJson,
  contentOf,
  envelopeJson,
  hash,
  idOf,
  sign,
  type EnvelopeJson,
} from '../../../support/manifests.ts'
import { briefs, valueOf } from '../../../support/problems.ts'

const SAMPLE = new URL('../../../../examples/sample-lab/docs/models/registry.json', import.meta.url)

const model = (name: string): EnvelopeJson => envelopeJson(bodyJson({ name }))
const entry = (envelope: unknown, more: object = {}): object => ({
  envelope,
  root: '/models',
  files: [],
  ...more,
})
const registry = (models: unknown): string => JSON.stringify({ schema: 'weftos.model-registry.v1', models })
const read = (models: unknown): ReturnType<typeof readRegistry> => readRegistry(registry(models), 'r.json')
const names = (outcome: ReturnType<typeof readRegistry>): string[] =>
  valueOf(outcome).map(({ body }) => body.name)

describe('readRegistry', () => {
  test('reads the sample registry: eight models under their package ids, all signed', () => {
    const outcome = readRegistry(readFileSync(SAMPLE, 'utf8'), 'registry.json')
    expect(outcome.problems).toEqual([])
    expect(valueOf(outcome).map(({ signature }) => signature)).toEqual(Array(8).fill('valid'))
    expect(names(outcome)).toContain('Hermes-4.3-36B')
  })

  test('keeps text order and reports why the registry refuses an entry', () => {
    const [b, a] = [model('b'), model('a')]
    const outcome = read({ [idOf(b)]: entry(b, { refused: 'licence' }), [idOf(a)]: entry(a) })
    expect(valueOf(outcome).map(({ body, refused, file }) => [body.name, refused, file])).toEqual([
      ['b', 'licence', 'r.json'],
      ['a', null, 'r.json'],
    ])
  })

  test('uses a model under its own id when its key is another, and reports it at the key', () => {
    const envelope = model('m')
    const outcome = read({ [hash('0')]: entry(envelope) })
    expect(valueOf(outcome).map(({ packageId }) => packageId)).toEqual([idOf(envelope)])
    expect(briefs(outcome)).toEqual([
      `1:48 registry-wrong-package-id this key is not the package id of its model m, which is ${idOf(envelope)}: ` +
        'the model is used under that id; correct the key, or the envelope if it was changed by mistake',
    ])
    expect(outcome.problems[0]?.severity).toBe('warning')
  })

  test('keeps one manifest per package id, the one under its own key', () => {
    const envelope = model('m')
    const signed = { ...envelope, signatures: [sign(contentOf(envelope), 1)] }
    for (const models of [
      { [hash('0')]: entry(envelope), [idOf(envelope)]: entry(signed) },
      { [idOf(envelope)]: entry(signed), [hash('0')]: entry(envelope) },
    ]) {
      const outcome = read(models)
      expect(valueOf(outcome).map(({ signature }) => signature)).toEqual(['valid'])
      expect(outcome.problems).toHaveLength(1)
    }
  })

  test('leaves out entries with faults, reports each, and keeps the others', () => {
    const good = model('good')
    const outcome = read({
      x: entry(envelopeJson(bodyJson({ name: 'a b', shards: [] }))),
      [idOf(good)]: entry(good),
      y: { root: '/models' },
      z: 5,
      w: entry(model('w'), { refused: true }),
    })
    expect(names(outcome)).toEqual(['good'])
    expect(outcome.problems.map(({ message }) => message.replace(/, not .*/, ''))).toEqual([
      'models.x.envelope.body.name must be a plain token of 1 to 64 characters ' +
        '(letters, digits and . _ + : -, first a letter or digit)',
      'models.x.envelope.body.shards must have 1 to 255 items',
      'models.y.envelope is missing: it must be an object',
      'models.z must be an object',
      'models.w.refused must be a text',
    ])
  })

  test('leaves out an entry with a repeated key anywhere in it, and only that one', () => {
    const [a, b] = [model('a'), model('b')]
    const text = registry({ [idOf(a)]: entry(a), [idOf(b)]: entry(b) }).replace(
      '"kind"',
      '"kind":"model","kind"',
    )
    const outcome = readRegistry(text, 'r.json')
    expect(names(outcome)).toEqual(['b'])
    expect(briefs(outcome)).toEqual([
      `1:${text.lastIndexOf('"kind":"model","kind"') + '"kind":"model",'.length + 1} json-repeated-key ` +
        `models.${idOf(a).slice(0, 12)}….envelope.kind is there twice: remove one of the two`,
    ])
  })

  test('leaves out a package id that is there twice', () => {
    const id = idOf(model('a'))
    const one = JSON.stringify(entry(model('a')))
    const text = `{"schema":"weftos.model-registry.v1","models":{"${id}":${one},"${id}":${one}}}`
    const outcome = readRegistry(text, 'r.json')
    expect(valueOf(outcome)).toEqual([])
    expect(outcome.problems.map(({ code }) => code)).toEqual(['json-repeated-key'])
  })

  test.each([
    ['{"models": {}}', '1:1 json-missing-key schema is missing: it must be "weftos.model-registry.v1"'],
    [
      '{"schema": "v0", "models": {}}',
      '1:12 json-bad-value schema must be "weftos.model-registry.v1", not "v0"',
    ],
    [
      '{"schema": "weftos.model-registry.v1"}',
      '1:1 json-missing-key models is missing: it must be an object',
    ],
    [
      '{"schema": "weftos.model-registry.v1", "models": []}',
      '1:50 json-bad-value models must be an object, not a list',
    ],
    ['[]', '1:1 json-bad-value the file must be an object, not a list'],
    [
      '{"models": 1, "models": 2, "schema": 1}',
      '1:15 json-repeated-key models is there twice: remove one of the two',
    ],
    ['{', '1:2 json-syntax a closing brace } is missing'],
  ])('refuses %s', (text, problem) => {
    const outcome = readRegistry(text, 'r.json')
    expect(outcome.ok).toBe(false)
    expect(briefs(outcome)[0]).toBe(problem)
  })

  test('lists so many problems and counts the rest, so that a large broken file stays readable', () => {
    const models = Object.fromEntries(Array.from({ length: 3 * MAX_LISTED_PROBLEMS }, (_, i) => [`k${i}`, 0]))
    const { problems } = read(models)
    expect(problems).toHaveLength(MAX_LISTED_PROBLEMS + 1)
    expect(problems.at(-1)?.message).toBe('1000 more problems of this file are not listed')
  })

  test('draws the line at 16 MiB', () => {
    const padded = (bytes: number): string => {
      const text = JSON.stringify({ schema: 'weftos.model-registry.v1', models: {}, note: '' })
      return text.replace('""', `"${'x'.repeat(bytes - text.length)}"`)
    }
    expect(readRegistry(padded(16 * 1024 * 1024), 'r.json').ok).toBe(true)
    expect(readRegistry(padded(16 * 1024 * 1024 + 1), 'r.json').problems[0]?.code).toBe('json-too-large')
  })

  test('never throws, whatever JSON stands in any place of it', () => {
    const body = fc.dictionary(
      fc.constantFrom('name', 'format', 'shards', 'source', '__proto__'),
      fc.jsonValue(),
    )
    const envelope = fc.dictionary(
      fc.constantFrom('schema', 'kind', 'body', 'signatures'),
      fc.oneof(body, fc.jsonValue()),
    )
    const anEntry = fc.oneof(fc.record({ envelope }), fc.jsonValue())
    const anyKey = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toString'))
    fc.assert(
      fc.property(fc.array(fc.tuple(anyKey, anEntry), { maxLength: 4 }), (entries) => {
        const members = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
        const text = `{"schema":"weftos.model-registry.v1","models":{${members.join(',')}}}`
        const outcome = readRegistry(text, 'r.json')
        expect(outcome.ok).toBe(true)
        expect(outcome.problems.length).toBeGreaterThanOrEqual(new Set(entries.map(([key]) => key)).size)
      }),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSpecFile } from '../../../../shared/export/read-spec-file.ts'
import { EXPORT_FORMATS } from '../../../../shared/export/export-report.ts'
import { specText } from '../../../../shared/export/spec-text.ts'
import { specToJson } from '../../../../shared/inference-spec.ts'
import { someSpec } from './arbitrary-spec.ts'

/** The problems of a JSON spec file that differs from a good one by `change`, as `code line: message`. */
function faultsOf(change: Readonly<Record<string, unknown>>): string[] {
  return faults(JSON.stringify({ ...specToJson(someSpec('hermes')), ...change }, null, 2))
}

function faults(text: string, format: 'json' | 'yaml' = 'json'): string[] {
  const read = readSpecFile(text, format, 'hermes.json')
  expect(read.ok).toBe(false)
  return read.problems.map((problem) => {
    expect(problem).toMatchObject({ severity: 'error', file: 'hermes.json' })
    return `${problem.code} ${problem.range?.start.line ?? '-'}: ${problem.message}`
  })
}

describe('readSpecFile', () => {
  test('refuses unknown keys at every level with their place', () => {
    expect(faultsOf({ colour: 'red' })).toEqual([
      'spec-unknown-key 18: Unknown key "colour": A spec has role, model, runtime, serve, memory, ' +
        'excludes, latency_class, sticky, api only.',
    ])
    expect(faultsOf({ serve: { port: 1, host: '::' } })).toEqual([
      'spec-unknown-key 7: Unknown key "host": serve has port only.',
    ])
  })

  test('refuses values of a wrong type and says what they must be', () => {
    expect(faultsOf({ role: 7 })).toEqual(['spec-bad-value 2: role must be a text.'])
    expect(faultsOf({ model: null })).toEqual(['spec-bad-value 3: model must be a text.'])
    expect(faultsOf({ runtime: 'infer.vllm' })).toEqual([
      'spec-bad-value 4: runtime must be infer.llamacpp or infer.mlx-lm or infer.ollama.',
    ])
    expect(faultsOf({ serve: { port: '8081' } })).toEqual([
      'spec-bad-value 6: serve.port must be an integer from 0 to 65535.',
    ])
    expect(faultsOf({ serve: { port: 65536 } })).toHaveLength(1)
    expect(faultsOf({ serve: [] })).toEqual(['spec-bad-value 5: serve must be a mapping with port.'])
    expect(faultsOf({ memory: { weights_bytes: -1, kv_budget_bytes: 0 } })).toHaveLength(1)
    expect(faultsOf({ excludes: ['a', 1] })).toEqual(['spec-bad-value 14: excludes.1 must be a text.'])
    expect(faultsOf({ sticky: 'yes' })).toEqual(['spec-bad-value 16: sticky must be true or false.'])
  })

  test('takes integers only where bytes and ports are meant, also when a float has their value', () => {
    const text = specText(someSpec('hermes'), 'json').replace('8090', '8090.0')
    expect(faults(text)).toEqual(['spec-bad-value 6: serve.port must be an integer from 0 to 65535.'])
  })

  test('reports all faults of a file at once', () => {
    const found = faultsOf({ role: undefined, memory: {}, sticky: 1 })
    expect(found).toEqual([
      'spec-missing-key -: role is missing: it must be a text.',
      'spec-missing-key 7: memory.weights_bytes is missing: it must be an integer from 0 to 4398046511104.',
      'spec-missing-key 7: memory.kv_budget_bytes is missing: it must be an integer from 0 to 4398046511104.',
      'spec-bad-value 12: sticky must be true or false.',
    ])
  })

  test('refuses specs that are not valid in the words of the reference', () => {
    expect(faultsOf({ role: 'two words' })).toEqual([
      'spec-invalid -: Not a valid inference spec: role must be a plain token (1-64 chars).',
    ])
    expect(faultsOf({ serve: { port: 0 } })).toEqual([
      'spec-invalid -: Not a valid inference spec: serve.port must not be 0.',
    ])
  })

  test('refuses repeated keys', () => {
    const twice = specText(someSpec('hermes'), 'json').replace('"sticky"', '"role": "x",\n  "sticky"')
    expect(faults(twice)).toEqual(['spec-syntax 16: This key is here twice: keep one.'])
    expect(faults(`role: a\n${specText(someSpec('hermes'), 'yaml')}`, 'yaml')).toHaveLength(1)
  })

  test('refuses YAML in a JSON file', () => {
    expect(faults(specText(someSpec('hermes'), 'yaml'))).toEqual([expect.stringMatching(/^spec-syntax/)])
  })

  test('reads any text and any JSON without throwing', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom('', '[]', 'null', '{"__proto__": {}}', '['.repeat(50_000), '{"a":'.repeat(50_000)),
      fc.constant(`a: &a [x, x]\nb: &b [*a, *a]\n${'c: [*b, *b, *b]\n'.repeat(3)}`),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom(...EXPORT_FORMATS), (text, format) => {
        expect(readSpecFile(text, format).ok).toBe(false)
      }),
    )
  })
})

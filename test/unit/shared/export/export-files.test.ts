import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exportFiles } from '../../../../shared/export/export-files.ts'
import { readSpecFile } from '../../../../shared/export/read-spec-file.ts'
import { EXPORT_FORMATS } from '../../../../shared/export/export-report.ts'
import { specToJson, type InferenceSpec } from '../../../../shared/inference-spec.ts'
import { arbitrarySpec, someSpec } from './arbitrary-spec.ts'

function entries(specs: readonly InferenceSpec[]): { spec: InferenceSpec }[] {
  return specs.map((spec) => ({ spec }))
}

const specs = fc.array(arbitrarySpec, { maxLength: 12 })

describe('exportFiles', () => {
  test.each(EXPORT_FORMATS)('exports %s that reads back as the same specs', (format) => {
    fc.assert(
      fc.property(specs, (list) => {
        const files = exportFiles(entries(list), { format })
        const reads = files.map((file) => readSpecFile(file.text, format, file.fileName))
        expect(reads).toEqual(list.map((spec) => ({ ok: true, value: spec, problems: [] })))
      }),
    )
  })

  test('says the same in JSON and in YAML, also to a reader of YAML 1.1', () => {
    fc.assert(
      fc.property(specs, (list) => {
        const json = exportFiles(entries(list), { format: 'json' })
        const yaml = exportFiles(entries(list), { format: 'yaml' })
        const said = json.map(({ text }) => JSON.parse(text) as unknown)
        expect(yaml.map(({ text }) => parse(text) as unknown)).toEqual(said)
        expect(yaml.map(({ text }) => parse(text, { version: '1.1' }) as unknown)).toEqual(said)
        expect(said).toEqual(list.map(specToJson))
      }),
    )
  })

  test('names a role the same whichever roles are chosen', () => {
    fc.assert(
      fc.property(specs, fc.infiniteStream(fc.boolean()), (list, coins) => {
        const roles = new Set(list.map((spec) => spec.role).filter(() => coins.next().value))
        const all = exportFiles(entries(list), { format: 'json' })
        const chosen = exportFiles(entries(list), { format: 'json', roles })
        expect(chosen).toEqual(all.filter((file) => roles.has(file.role)))
      }),
    )
  })

  test('writes JSON with exactly the keys of a spec in their order, two spaces, one final newline', () => {
    const [file] = exportFiles(entries([someSpec('hermes')]), { format: 'json' })
    expect(file).toEqual({
      role: 'hermes',
      fileName: 'hermes.json',
      text: [
        '{',
        '  "role": "hermes",',
        '  "model": "Hermes-4.3-36B",',
        '  "runtime": "infer.llamacpp",',
        '  "serve": {',
        '    "port": 8090',
        '  },',
        '  "memory": {',
        '    "weights_bytes": 27500000000,',
        '    "kv_budget_bytes": 0',
        '  },',
        '  "excludes": [',
        '    "role:planner"',
        '  ],',
        '  "latency_class": "batch",',
        '  "sticky": true,',
        '  "api": "openai-v1"',
        '}',
        '',
      ].join('\n'),
    })
  })

  test('writes YAML with quoted texts and leaves out what a spec does not have', () => {
    const bare: InferenceSpec = { ...someSpec('on'), model: null, serve: { port: null }, excludes: [] }
    const [file] = exportFiles(entries([bare]), { format: 'yaml' })
    expect(file?.fileName).toBe('on.yaml')
    expect(file?.text).toBe(
      [
        'role: "on"',
        'runtime: "infer.llamacpp"',
        'serve: {}',
        'memory:',
        '  weights_bytes: 27500000000',
        '  kv_budget_bytes: 0',
        'latency_class: "batch"',
        'sticky: true',
        'api: "openai-v1"',
        '',
      ].join('\n'),
    )
  })
})

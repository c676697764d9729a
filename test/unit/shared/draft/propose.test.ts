import { describe, expect, test } from 'vitest'
import { draftText } from '../../../../shared/draft/draft-text.ts'
import { proposeRoster, type DraftInputs } from '../../../../shared/draft/propose.ts'
import type { DraftModel, ListedModel } from '../../../../shared/draft/types.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'

const MODEL: DraftModel = {
  name: 'Coder-9B',
  format: 'gguf',
  repo: null,
  ollamaTag: null,
  shown: '~/models/Coder-9B.gguf',
  file: '/m/Coder-9B.gguf',
  root: '/m',
  memory: { bytes: 6_210_000_000n, context: 32_768, hasContext: true },
  fileBytes: 5_000_000_000n,
}

const LISTED: ListedModel = {
  ...{ id: 'fast', from: 'llama-swap’s c.yaml', runtime: 'infer.llamacpp', path: '/m/Coder-9B.gguf' },
  ...{ repo: null, ollamaTag: null, port: null, context: null },
}

function propose(inputs: Partial<DraftInputs>) {
  const none = { models: [], listed: [], ollamaPorts: [], entries: [] }
  return proposeRoster({ ...none, busyPorts: new Set(), realOf: (path) => path, ...inputs })
}

describe('proposals', () => {
  test('have a runtime by the format, the memory by the files and ports that are free', () => {
    const proposals = propose({
      models: [
        MODEL,
        { ...MODEL, name: 'Other', file: '/m/o' },
        { ...MODEL, name: 'qwen3-8b', format: 'ollama', ollamaTag: 'qwen3:8b', file: '/o' },
        { ...MODEL, name: 'Chat', format: 'mlx', file: '/c', memory: null },
      ],
      busyPorts: new Set([8091]),
    })
    expect(proposals.map(({ id, runtime, port, ramBytes }) => [id, runtime, port, ramBytes])).toEqual([
      ['coder-9b', 'infer.llamacpp', 8090, 6_210_000_000n],
      ['other', 'infer.llamacpp', 8092, 6_210_000_000n],
      ['qwen3-8b', 'infer.ollama', 11_434, 6_210_000_000n],
      ['chat', 'infer.mlx-lm', 8081, 5_000_000_000n],
    ])
  })

  test('take ids and ports from what another tool lists, one for each of its entries', () => {
    const proposals = propose({
      models: [MODEL],
      listed: [
        { ...LISTED, port: 9000 },
        { ...LISTED, id: 'slow' },
        { ...LISTED, id: 'gone', path: '/away/gone.gguf' },
      ],
    })
    expect(proposals.map(({ id, name, port, ramBytes }) => [id, name, port, ramBytes])).toEqual([
      ['fast', 'Coder-9B', 9000, MODEL.memory?.bytes],
      ['slow', 'Coder-9B', 8090, MODEL.memory?.bytes],
      ['gone', 'gone', 8091, null],
    ])
  })

  test('say that a backend is a guess where a list names no server', () => {
    const [known, guess] = propose({ listed: [LISTED, { ...LISTED, id: 'x', path: '/m/x', runtime: null }] })
    expect(known?.remarks.join()).not.toContain('a guess')
    expect(guess?.remarks).toContain('backend: a guess, as nothing says which server runs it')
  })

  test('never take the id, the port or the model of an entry that is there', () => {
    const roster = readRoster(
      'roster:\n- {id: coder-9b, name: X, backend: llamacpp, ram_gb: 1, port: 8090}',
      'q',
    )
    if (!roster.ok) throw new Error('not read')
    const { entries } = roster.value
    expect(propose({ models: [MODEL], entries })).toMatchObject([{ id: 'coder-9b-2', port: 8091 }])
    expect(propose({ models: [{ ...MODEL, name: 'x' }], entries })).toEqual([])
  })
})

test('the text is a roster that reads back as what was proposed', () => {
  const proposals = propose({
    models: [MODEL, { ...MODEL, name: '123', shown: 'odd\nid: x', file: '/n' }],
    listed: [{ ...LISTED, id: 'true', path: null, repo: 'a/b' }],
  })
  const read = readRoster(draftText(proposals), 'queue.yaml')
  if (!read.ok) throw new Error('not read')
  expect(read.value.entries.map(({ id, name, port, ramBytes }) => [id, name, port, ramBytes])).toEqual([
    ['coder-9b', 'Coder-9B', 8090, 6_300_000_000n],
    ['123', '123', 8091, 6_300_000_000n],
    ['true', 'b', 8092, null],
  ])
})

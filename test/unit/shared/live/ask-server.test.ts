import { describe, expect, test } from 'vitest'
import { askServer, LIVE_PATHS, type LivePath } from '../../../../shared/live/ask-server.ts'
import type { Observation, PathAnswer } from '../../../../shared/live/types.ts'

const NOT_FOUND: PathAnswer = { kind: 'json', status: 404, body: { error: { message: 'not found' } } }
const json = (body: unknown, status = 200): PathAnswer => ({ kind: 'json', status, body })

/** Plays a server that answers some paths; gives what was understood and what was asked. */
function ask(answers: Partial<Record<LivePath, PathAnswer>>): { seen: Observation; asked: LivePath[] } {
  const asking = askServer()
  const asked: LivePath[] = []
  let step = asking.next()
  while (step.done !== true) {
    asked.push(step.value)
    step = asking.next(answers[step.value] ?? NOT_FOUND)
  }
  return { seen: step.value, asked }
}

const modelsOf = (seen: Observation) => (seen.kind === 'server' ? seen.models : [])

describe('askServer', () => {
  test('understands llama-server by its list and its properties, also with another list beside it', () => {
    const list = {
      object: 'list',
      data: [
        {
          id: 'hermes',
          owned_by: 'llamacpp',
          meta: { size: 2560512, n_ctx_train: 131072 },
          max_model_len: 4096,
        },
      ],
      models: [{ slug: 'hermes', context_window: 4096 }],
    }
    const { seen } = ask({
      '/v1/models': json(list),
      '/models': json(list),
      '/props': json({
        model_alias: 'hermes',
        model_path: '/srv/models/llama.gguf',
        default_generation_settings: { n_ctx: 4096 },
        chat_template: 'secret',
      }),
    })
    expect(seen).toEqual({
      kind: 'server',
      server: 'llama-server',
      models: [
        {
          id: 'hermes',
          aliases: [],
          file: '/srv/models/llama.gguf',
          contextTokens: 4096,
          bytes: 2560512n,
          state: 'loaded',
        },
      ],
    })
  })

  test('sees that llama-server sleeps, and that it is loading', () => {
    const data = [{ id: 'a', owned_by: 'llamacpp' }]
    expect(
      modelsOf(ask({ '/v1/models': json({ data }), '/props': json({ is_sleeping: true }) }).seen),
    ).toMatchObject([{ id: 'a', state: 'sleeping' }])
    const loading = json({ error: { message: 'Loading model', code: 503 } }, 503)
    expect(ask({ '/v1/models': loading }).seen).toMatchObject({
      server: 'llama-server',
      models: [{ state: 'loading' }],
    })
  })

  test('understands a llama-server router without asking it for a model’s properties', () => {
    const { seen, asked } = ask({
      '/v1/models': json({ data: [{ id: 'a', owned_by: 'llamacpp' }] }),
      '/models': json({
        data: [
          { id: 'a', status: { value: 'loaded' } },
          { id: 'b', status: { value: 'unloaded' } },
          { id: 'c', status: { value: 'sleeping' } },
        ],
      }),
    })
    expect(seen).toMatchObject({ server: 'llama-server router' })
    expect(modelsOf(seen).map(({ id, state }) => [id, state])).toEqual([
      ['a', 'loaded'],
      ['b', 'unloaded'],
      ['c', 'sleeping'],
    ])
    expect(asked).not.toContain('/props')
  })

  test('understands the router of llama.cpp 0.7, and keeps no argument that a model is started with', () => {
    const data = [
      {
        id: 'hermes',
        aliases: ['hermes-36b'],
        owned_by: 'llamacpp',
        status: {
          value: 'unloaded',
          args: ['llama-server', '--api-key', 'sk-123'],
          preset: 'api-key = sk-123',
        },
        context_length: 65_536,
      },
    ]
    const { seen } = ask({ '/v1/models': json({ data }), '/models': json({ data }) })
    expect(modelsOf(seen)).toEqual([
      {
        id: 'hermes',
        aliases: ['hermes-36b'],
        file: null,
        contextTokens: null,
        bytes: null,
        state: 'unloaded',
      },
    ])
  })

  test('understands Ollama: what is loaded, and what its store holds', () => {
    const { seen } = ask({
      '/v1/models': json({ data: [{ id: 'x:8b', owned_by: 'library' }] }),
      '/api/version': json({ version: '0.12.0' }),
      '/api/ps': json({
        models: [{ name: 'x:8b', size: 9_000_000_000, size_vram: 1, context_length: 8192 }],
      }),
      '/api/tags': json({ models: [{ name: 'x:8b' }, { name: 'y:1b' }] }),
    })
    expect(seen).toMatchObject({ server: 'Ollama' })
    expect(modelsOf(seen)).toMatchObject([
      { id: 'x:8b', state: 'loaded', contextTokens: 8192, bytes: 9_000_000_000n },
      { id: 'y:1b', state: 'unloaded' },
    ])
  })

  test('knows by the digest that two tags of Ollama are one model', () => {
    const { seen } = ask({
      '/v1/models': json({ data: [] }),
      '/api/version': json({ version: '0.12.0' }),
      '/api/ps': json({ models: [{ name: 'x:latest', digest: 'd1', size: 5 }] }),
      '/api/tags': json({
        models: [
          { name: 'x:latest', digest: 'd1' },
          { name: 'x:8b', digest: 'd1' },
          { name: 'y:1b', digest: 'd2' },
          { name: 'z:1b' },
        ],
      }),
    })
    expect(modelsOf(seen).map(({ id, aliases, state }) => [id, aliases, state])).toEqual([
      ['x:latest', ['x:8b'], 'loaded'],
      ['y:1b', [], 'unloaded'],
      ['z:1b', [], 'unloaded'],
    ])
  })

  test('understands llama-swap and never keeps its commands', () => {
    const { seen } = ask({
      '/v1/models': json({ data: [{ id: 'a' }, { id: 'b' }] }),
      '/running': json({
        running: [{ model: 'a', state: 'ready', cmd: 'llama-server --api-key sk-123', ttl: 0 }],
      }),
    })
    expect(seen).toMatchObject({ server: 'llama-swap' })
    expect(modelsOf(seen).map(({ id, state }) => [id, state])).toEqual([
      ['a', 'loaded'],
      ['b', 'unloaded'],
    ])
    expect(JSON.stringify(modelsOf(seen).map(({ bytes: _, ...rest }) => rest))).not.toContain('sk-123')
  })

  test('understands LM Studio, new and old', () => {
    const now = ask({
      '/v1/models': json({ data: [{ id: 'k' }] }),
      '/api/v1/models': json({
        models: [
          { key: 'pub/k', loaded_instances: [{ id: 'k', config: { context_length: 4096 } }] },
          { key: 'pub/z', loaded_instances: [] },
        ],
      }),
    })
    expect(modelsOf(now.seen)).toMatchObject([
      { id: 'pub/k', aliases: ['k'], state: 'loaded', contextTokens: 4096 },
      { id: 'pub/z', state: 'unloaded' },
    ])
    const before = ask({
      '/v1/models': json({ data: [{ id: 'k' }] }),
      '/api/v0/models': json({ data: [{ id: 'k', state: 'loaded', loaded_context_length: 2048 }] }),
    })
    expect(before.seen).toMatchObject({ server: 'LM Studio', models: [{ id: 'k', contextTokens: 2048 }] })
  })

  test('understands vLLM, and mlx_lm.server whose list is not what is loaded', () => {
    const vllm = ask({
      '/v1/models': json({ data: [{ id: 'm', owned_by: 'vllm', root: '/srv/m', max_model_len: 8192 }] }),
    })
    expect(vllm.seen).toMatchObject({
      server: 'vLLM',
      models: [{ file: '/srv/m', contextTokens: 8192, state: 'loaded' }],
    })
    const mlx = ask({ '/v1/models': json({ data: [{ id: 'org/m' }] }), '/health': json({ status: 'ok' }) })
    expect(mlx.seen).toMatchObject({ server: 'mlx_lm.server', models: [{ id: 'org/m', state: 'listed' }] })
  })

  test('keeps the good entries of a list that has odd ones, and bounds texts', () => {
    const { seen } = ask({
      '/v1/models': json({ data: [7, { id: 5 }, { id: 'n'.repeat(4000), owned_by: 'vllm' }, null] }),
    })
    expect(modelsOf(seen).map(({ id }) => id.length)).toEqual([512])
  })

  test.each<[string, PathAnswer, Observation]>([
    ['a closed port', { kind: 'closed' }, { kind: 'closed' }],
    [
      'no answer in time',
      { kind: 'failed', reason: 'no answer within 3 s' },
      { kind: 'no_answer', reason: 'no answer within 3 s' },
    ],
    ['a key that is wanted', json({}, 401), { kind: 'needs_key' }],
    ['a key that is refused', { kind: 'other', status: 403 }, { kind: 'needs_key' }],
  ])('asks no further after %s', (_, answer, expected) => {
    expect(ask({ '/v1/models': answer })).toEqual({ seen: expected, asked: ['/v1/models'] })
  })

  test.each<[string, Partial<Record<LivePath, PathAnswer>>]>([
    ['nothing it knows', {}],
    ['a page', Object.fromEntries(LIVE_PATHS.map((path) => [path, { kind: 'other', status: 200 }]))],
    ['JSON of another kind', Object.fromEntries(LIVE_PATHS.map((path) => [path, json([1, 2])]))],
    ['null', Object.fromEntries(LIVE_PATHS.map((path) => [path, json(null)]))],
  ])('says that something answers that it does not understand: %s', (_, answers) => {
    expect(ask(answers).seen).toEqual({ kind: 'unknown' })
  })
})

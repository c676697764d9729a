import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commandWords } from '../../../../shared/draft/command-words.ts'
import { readToolFile } from '../../../../shared/draft/read-tool-file.ts'
import type { ToolList } from '../../../../shared/draft/types.ts'

const SECRET = 'sk-very-secret'

function listOf(text: string, name = 'config.yaml'): ToolList {
  const read = readToolFile(text, name)
  if (!read.ok) throw new Error(read.reason)
  expect(JSON.stringify(read.list)).not.toContain(SECRET)
  return read.list
}

describe('a configuration of llama-swap', () => {
  test('gives a model for each command, with macros put in and keys left out', () => {
    const { models, notes } = listOf(`
macros:
  server: /usr/local/bin/llama-server --host 127.0.0.1 --api-key ${SECRET}
models:
  coder:
    cmd: |
      \${server} --port \${PORT}
      # a comment
      --model "/srv/my models/coder.gguf" \\
      -c 16384
    env: [TOKEN=${SECRET}]
  mlx: {cmd: python -m mlx_lm server --model org/Chat-4bit --port 9001}
  repo: {cmd: 'llama-server -hf org/Small-GGUF:Q4_K_M', proxy: 'http://user:${SECRET}@127.0.0.1:9100/x'}
  open: {cmd: 'llama-server -m \${env.MODEL}'}
  vllm: {cmd: 'docker run vllm/vllm-openai --model acme/Big-7B --port 8000'}
  odd: 3
peers:
  gpu-box: {proxy: http://gpu-box:8080, apiKey: ${SECRET}, models: [a, b]}
  nas: {proxy: http://nas:8080}
`)
    const base = {
      from: 'llama-swap’s config.yaml',
      path: null,
      repo: null,
      ollamaTag: null,
      port: null,
      context: null,
    }
    expect(models).toEqual([
      { ...base, id: 'coder', runtime: 'infer.llamacpp', path: '/srv/my models/coder.gguf', context: 16_384 },
      { ...base, id: 'mlx', runtime: 'infer.mlx-lm', repo: 'org/Chat-4bit', port: 9001 },
      { ...base, id: 'repo', runtime: 'infer.llamacpp', repo: 'org/Small-GGUF', port: 9100 },
      { ...base, id: 'open', runtime: 'infer.llamacpp' },
      { ...base, id: 'vllm', runtime: null, repo: 'acme/Big-7B', port: 8000 },
    ])
    expect(notes).toEqual([
      'odd has no cmd',
      'the peer gpu-box is another machine, which runs a, b',
      'the peer nas is another machine',
    ])
  })
})

test('a models.ini gives a model for each section, and what [*] says counts for all', () => {
  const { models } = listOf(
    `version = 1\n[*]\nc = 8192\napi-key = ${SECRET}\n[Qwen3.5-9B]\nmodel = /srv/q.gguf\n[big]\nmodel=/srv/b.gguf\nctx-size = 4096 ; small\n`,
    'models.ini',
  )
  expect(models.map(({ id, path, context }) => [id, path, context]).sort()).toEqual([
    ['Qwen3.5-9B', '/srv/q.gguf', 8192],
    ['big', '/srv/b.gguf', 4096],
  ])
})

test('LiteLLM’s list gives what runs on this machine, and says what does not', () => {
  const { models, notes } = listOf(`
model_list:
- {model_name: chat, litellm_params: {model: ollama/qwen3:8b, api_base: 'http://localhost:11435', api_key: ${SECRET}}}
- {model_name: coder, litellm_params: {model: openai/org/Coder, api_base: 'http://127.0.0.1:8090/v1'}}
- {model_name: cloud, litellm_params: {model: gpt-9, api_key: os.environ/KEY}}
- 7
`)
  expect(models.map(({ id, ollamaTag, repo, port }) => ({ id, ollamaTag, repo, port }))).toEqual([
    { id: 'chat', ollamaTag: 'qwen3:8b', repo: null, port: 11_435 },
    { id: 'coder', ollamaTag: null, repo: 'org/Coder', port: 8090 },
  ])
  expect(notes).toEqual([
    'cloud runs on another machine or at a service',
    'entry 4 of model_list has no model_name or no model',
  ])
})

test('Olla’s list gives the port of Ollama, and says that its other servers name no models', () => {
  const { models, ollamaPorts, notes } = listOf(`
discovery:
  static:
    endpoints:
    - {url: 'http://localhost:11440', name: mine, type: ollama}
    - {url: 'http://box:8080', name: box, type: llamacpp}
`)
  expect({ models, ollamaPorts }).toEqual({ models: [], ollamaPorts: [11_440] })
  expect(notes).toEqual([expect.stringContaining('box names a server and no models')])
})

test('anything else is refused with what was looked for', () => {
  const reasonOf = (text: string, name: string): string => {
    const read = readToolFile(text, name)
    return read.ok ? '' : read.reason
  }
  expect(reasonOf('a: [', 'x.yaml')).toContain('line 1')
  expect(reasonOf('roster: []', 'x.yaml')).toContain('llama-swap')
  expect(reasonOf('a = b', 'x.ini')).toContain('no section with a model')
})

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('a.yaml', 'a.ini'), (text, name) => {
      readToolFile(text, name)
      readToolFile(`models:\n  a: {cmd: ${JSON.stringify(text)}}`, name)
      commandWords(text)
    }),
  )
})

import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CliIo } from '../../../../electron/cli.ts'
import { readManifest } from '../../../../shared/model-manifest/read-manifest.ts'
import { mismatchedShards } from '../../../../shared/locality/mismatched-shards.ts'
import { readNodeFacts } from '../../../../shared/node/read-node-facts.ts'
import type { NodeFacts } from '../../../../shared/node/types.ts'
import { safetensors, writeModels, writeOllamaModel, writeSnapshot } from '../../../support/model-trees.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { ggufOf } from '../../../support/weight-files.ts'
import { cli, type CliRun } from './fake-io.ts'

const ROSTER = `roster:
- {id: coder, name: Coder-80B, repo: org/Coder-4bit, backend: mlx_lm, ram_gb: 0.5, port: 8081}
- {id: chat, name: Hermes, repo: org/Hermes-GGUF, backend: llamacpp, ram_gb: 0.5, port: 8090}
`

/** A home with a lab that has a roster and nothing else, two models, and programs on its path. */
async function makeHome() {
  const home = await tempFolder()
  const hub = join(home, '.cache/huggingface/hub')
  await writeModels(home, {
    'llm/docs/models/queue.yaml': ROSTER,
    'models/org/Hermes-GGUF/hermes-Q5.gguf': 'hermes',
  })
  await writeSnapshot(hub, 'org/Coder-4bit', 'abc', {
    'model-00001-of-00002.safetensors': safetensors('mlx', 'one'),
    'model-00002-of-00002.safetensors': safetensors('mlx', 'two'),
    'tokenizer.json': '{}',
  })
  await mkdir(join(home, 'bin'))
  const programs = { 'llama-server': 'echo "version: 6527 (abc)" >&2', 'mlx_lm.server': 'echo 0.28.2' }
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(home, 'bin', name), `#!/bin/sh\n${script}\n`)
    await chmod(join(home, 'bin', name), 0o755)
  }
  const run = (argv: readonly string[], io: Partial<CliIo> = {}): Promise<CliRun> => {
    return cli(argv, { homeDir: home, cwd: home, env: { PATH: `${home}/bin:/usr/bin:/bin` }, ...io })
  }
  return { home, run, manifests: join(home, 'llm/docs/models/manifests') }
}

async function factsAt(path: string): Promise<NodeFacts> {
  const read = readNodeFacts(await readFile(path, 'utf8'), path)
  expect(read.problems).toEqual([])
  if (!read.ok) throw new Error('not read')
  return read.value
}

describe('a lab that has nothing but its disks', () => {
  test('is planned after `scan models` and `scan node`: both roles at this node', async () => {
    const { home, run, manifests } = await makeHome()
    expect((await run(['plan'])).code).toBe(2)
    const scanned = await run(['scan', 'models', '--all'])
    expect(scanned).toMatchObject({ code: 0, err: '' })
    expect(scanned.out).toContain('2 models: 2 written.')
    expect((await readdir(manifests)).sort()).toEqual(['Coder-80B.json', 'Hermes.json'])
    expect(await run(['scan', 'node', '--id', 'box'])).toMatchObject({ code: 0, err: '' })
    const facts = await factsAt(join(home, 'llm/docs/models/nodes/box.json'))
    expect(facts.capabilities.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['runtime.infer.llamacpp', 'runtime.infer.mlx-lm', 'format.mlx', 'format.gguf']),
    )
    const planned = await run(['plan', '--json'])
    expect(planned.code).toBe(0)
    const { roles } = JSON.parse(planned.out) as { roles: { role: string; decision: unknown }[] }
    expect(roles.map(({ role, decision }) => [role, decision])).toEqual([
      ['coder', expect.objectContaining({ kind: 'place_at_holder', node_id: 'box' })],
      ['chat', expect.objectContaining({ kind: 'place_at_holder', node_id: 'box' })],
    ])
  })

  test('keeps the roster and the weights as they were, and the record with the settings', async () => {
    const { home, run } = await makeHome()
    await run(['scan', 'models', '--all'])
    expect(await readFile(join(home, 'llm/docs/models/queue.yaml'), 'utf8')).toBe(ROSTER)
    expect(await readdir(join(home, 'models/org/Hermes-GGUF'))).toEqual(['hermes-Q5.gguf'])
    if (process.platform === 'linux')
      expect(await readdir(join(home, '.config/lab-planner'))).toEqual(['scan.json'])
  })
})

describe('scan models', () => {
  test('is JSON when asked, with what was refused', async () => {
    const { home, run } = await makeHome()
    await writeTree(home, { 'models/org/Torch/pytorch_model.bin': 'x' })
    const { code, out, err } = await run(['scan', 'models', 'models', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      models: [{ name: 'Hermes', roles: ['chat'], format: 'gguf', shards: 1, bytes: 30, outcome: 'written' }],
      refused: [{ place: '~/models/org/Torch' }],
    })
    expect(err).toContain('PyTorch')
  })

  test('writes and remembers nothing in a dry run', async () => {
    const { home, run } = await makeHome()
    const { code, out } = await run(['scan', 'models', '--all', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain('would write ~/llm/docs/models/manifests/Hermes.json')
    expect(await readdir(join(home, 'llm/docs/models'))).toEqual(['queue.yaml'])
    expect(await readdir(home)).not.toContain('.config')
  })

  test('names one model as asked, and no two', async () => {
    const { run, manifests } = await makeHome()
    const path = 'models/org/Hermes-GGUF/hermes-Q5.gguf'
    expect((await run(['scan', 'models', path, '--name', 'Mine', '--redistributable'])).code).toBe(0)
    const read = readManifest(await readFile(join(manifests, 'Mine.json'), 'utf8'), 'Mine.json')
    expect(read.ok && read.value.body).toMatchObject({ name: 'Mine', redistributable: true })
    const both = await run(['scan', 'models', '--all', '--name', 'Mine'])
    expect(both.code).toBe(3)
    expect(both.err).toContain('--name is for one model')
  })

  test('finds an Ollama store by its variable', async () => {
    const { home, run } = await makeHome()
    await writeOllamaModel(join(home, 'ollama'), 'tiny', '7b', [{ type: 'model', content: 'w' }])
    const env = { OLLAMA_MODELS: join(home, 'ollama') }
    expect((await run(['scan', 'models', '--all', '--dry-run'], { env })).out).toContain('tiny:7b')
  })

  test('complains of what makes no sense, and of a lab that is not there', async () => {
    const { run } = await makeHome()
    expect((await run(['scan', 'models'])).code).toBe(64)
    expect((await run(['scan', 'models', 'x', '--name', 'a b'])).code).toBe(64)
    expect((await run(['scan', 'models', 'x', '--verify', '--dry-run'])).code).toBe(64)
    expect((await run(['scan'])).code).toBe(64)
    const nowhere = await run(['scan', 'models', 'models', '--lab', 'nowhere'])
    expect(nowhere.code).toBe(3)
    expect(nowhere.err).toContain('there is no such folder')
    const none = await run(['scan', 'models', 'gone'])
    expect(none.code).toBe(3)
    expect(none.err).toContain('~/gone')
  })

  test('stops in good order when it is interrupted, and goes on the next time', async () => {
    const { run, manifests } = await makeHome()
    const onInterrupt = (stop: () => void) => {
      stop()
      return () => undefined
    }
    const stopped = await run(['scan', 'models', '--all'], { onInterrupt })
    expect(stopped.code).toBe(130)
    expect(stopped.out).toContain('2 cancelled')
    expect((await run(['scan', 'models', '--all'])).code).toBe(0)
    expect(await readdir(manifests)).toHaveLength(2)
  })

  test('shows its progress on a terminal only, and takes it away at the end', async () => {
    const { run } = await makeHome()
    const shown = await run(['scan', 'models', '--all'], { stderrIsTty: true })
    expect(shown.err).toMatch(/\rScanning 2 of 2: .* of .*/)
    expect(shown.err.replace(/lab-planner: note: .*\n/g, '').endsWith('\r\u001b[K')).toBe(true)
  })
})

describe('scan models --verify', () => {
  test('reports ok, mismatch and missing, and a plan knows it at once', async () => {
    const { home, run, manifests } = await makeHome()
    await run(['scan', 'models', '--all'])
    await run(['scan', 'node', '--id', 'box'])
    const fine = await run(['scan', 'models', '--verify'])
    expect(fine).toMatchObject({ code: 0, err: '' })
    expect(fine.out).toContain('~/models/org/Hermes-GGUF')
    expect(fine.out).not.toContain(home)
    const weights = join(home, 'models/org/Hermes-GGUF/hermes-Q5.gguf')
    await writeFile(weights, ggufOf('herXes'))
    await utimes(weights, 1000, 1000)
    const wrong = await run(['scan', 'models', '--verify', '--json'])
    expect(wrong.code).toBe(1)
    expect(JSON.parse(wrong.out)).toMatchObject({
      models: [
        { name: 'Coder-80B', ok: true },
        { name: 'Hermes', ok: false, files: [{ path: 'hermes-Q5.gguf', verdict: 'mismatch' }] },
      ],
    })
    const facts = await factsAt(join(home, 'llm/docs/models/nodes/box.json'))
    const read = readManifest(await readFile(join(manifests, 'Hermes.json'), 'utf8'), '')
    if (!read.ok) throw new Error('not read')
    expect(mismatchedShards(facts, read.value.packageId).size).toBe(1)
    expect((await run(['plan'])).code).toBe(2)
    await rm(weights)
    expect((await run(['scan', 'models', '--verify'])).out).toContain('missing  hermes-Q5.gguf')
  })

  test('needs something that was scanned, or a manifest of what is named', async () => {
    const { run } = await makeHome()
    expect((await run(['scan', 'models', '--verify'])).err).toContain('nothing to verify')
    const named = await run(['scan', 'models', '--verify', 'models'])
    expect(named.code).toBe(3)
    expect(named.err).toContain('the lab has no manifest of it')
  })
})

describe('scan node', () => {
  test('writes facts to standard output and no file with --json, also without a lab', async () => {
    const { home, run } = await makeHome()
    const { code, out, err } = await run(['scan', 'node', '--json', '--id', 'box', '--lab', 'nowhere'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const read = readNodeFacts(out, 'stdout')
    expect(read.ok && read.value.nodeId).toBe('box')
    expect(read.problems).toEqual([])
    expect(out).not.toContain(home)
    expect(await readdir(join(home, 'llm/docs/models'))).toEqual(['queue.yaml'])
  })

  test('raises seq with every run', async () => {
    const { home, run } = await makeHome()
    const path = join(home, 'llm/docs/models/nodes/box.json')
    await run(['scan', 'node', '--id', 'box'])
    const { seq } = await factsAt(path)
    await run(['scan', 'node'])
    expect((await factsAt(path)).seq).toBe(seq + 1)
  })

  test('advertises no runtime that answers with something else', async () => {
    const { home, run } = await makeHome()
    await writeFile(join(home, 'bin/llama-server'), '#!/bin/sh\nhead -c 200 /dev/urandom\n')
    await writeFile(join(home, 'bin/mlx_lm.server'), '#!/bin/sh\necho 0.28.2; exit 1\n')
    const { out } = await run(['scan', 'node', '--json', '--id', 'box'])
    expect(out).not.toContain('"runtime.infer.llamacpp",\n      "attrs"')
    expect(out).toContain('llama-server answered something that is not understood')
    expect(out).toContain('mlx_lm.server failed')
    expect(out).not.toContain('"id": "format.')
  })

  test('refuses an id that no node can have', async () => {
    const { run } = await makeHome()
    expect((await run(['scan', 'node', '--id', 'a b'])).code).toBe(64)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempFolder } from '../../../support/temp-folder.ts'
import { cli } from './fake-io.ts'

/** A copy of the sample lab whose gpu-box is a server of this test. */
async function watchedLab(
  answers: Record<string, unknown>,
): Promise<{ folder: string; port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const body = answers[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const folder = await tempFolder()
  await cp('examples/sample-lab', folder, { recursive: true })
  // The roster's own ports are not those of this machine: one role stays, on the server's port.
  await writeFile(
    join(folder, 'docs/models/queue.yaml'),
    `roster:\n- {id: hermes, name: Hermes-4.3-36B, repo: r, ram_gb: 27.5, backend: llama.cpp, port: ${port}}\n`,
  )
  await writeFile(join(folder, 'docs/models/overlay.yaml'), '')
  await writeFile(
    join(folder, 'docs/models/fleet.yaml'),
    `nodes: [{id: gpu-box, url: "http://127.0.0.1:${port}", key_env: LAB_KEY}]\n`,
  )
  return { folder, port, asked }
}

const props = { model_path: '/m/Hermes-4.3-36B', default_generation_settings: { n_ctx: 4096 } }
const list = (id: string) => ({ data: [{ id, owned_by: 'llamacpp', meta: { size: 5 } }] })
const OPTIONS = ['--allow-transfer', '--now', '1790000000']

test('status says which roles are as planned and exits 0', async () => {
  const { folder } = await watchedLab({ '/v1/models': list('hermes'), '/props': props })
  const { code, out } = await cli(['status', '--lab', folder, ...OPTIONS])
  expect(out).toMatch(/hermes +as planned/)
  expect(out).toContain('1 as planned, 0 differ.')
  expect(code).toBe(0)
})

test('status exits 1 where another model answers on the role’s port, and names it', async () => {
  const { folder, port } = await watchedLab({ '/v1/models': list('qwen'), '/props': {} })
  const { code, out } = await cli(['status', '--lab', folder, '--json', ...OPTIONS])
  expect(JSON.parse(out)).toMatchObject({
    as_planned: 0,
    roles: [
      {
        role: 'hermes',
        state: 'other_model',
        node: 'gpu-box',
        url: `http://127.0.0.1:${port}`,
        model: 'qwen',
      },
    ],
  })
  expect(code).toBe(1)
})

test('status keeps keys, commands and prompts out of everything it prints and writes', async () => {
  const secret = 'sk-very-secret'
  const { folder } = await watchedLab({
    '/v1/models': { data: [] },
    '/running': { running: [{ model: 'hermes', state: 'ready', cmd: `llama-server --api-key ${secret}` }] },
  })
  const run = await cli(['status', '--lab', folder, ...OPTIONS], { env: { LAB_KEY: secret } })
  expect(run.out).toContain('as planned')
  expect(run.out + run.err).not.toContain(secret)
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), 'utf8')).not.toContain(secret)
  }
})

test('status asks nothing where no node has a url, and says what to add', async () => {
  const { folder, asked } = await watchedLab({})
  await writeFile(join(folder, 'docs/models/fleet.yaml'), 'nodes: [{id: gpu-box}]\n')
  const { code, err } = await cli(['status', '--lab', folder])
  expect(err).toContain('add `url: http://HOST:PORT`')
  expect([code, asked]).toEqual([3, []])
})

test('no other command asks a server anything', async () => {
  const { folder, asked } = await watchedLab({ '/v1/models': list('hermes') })
  for (const command of ['plan', 'check']) await cli([command, '--lab', folder])
  await cli(['explain', 'hermes', '--lab', folder])
  expect(asked).toEqual([])
})

import { readFile, symlink, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeNewRoster } from '../../../../electron/host/draft/write-roster.ts'
import { writeOllamaModel } from '../../../support/model-trees.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { gguf } from '../../../support/weight-files.ts'
import { cli } from './fake-io.ts'

async function makeHome() {
  const home = await tempFolder()
  await writeTree(home, {
    'models/Alpha-8B-Q4.gguf': gguf({ fill: 'a' }),
    'models/Beta-8B-Q4.gguf': gguf({ fill: 'b' }),
    'llm/keep.txt': '',
  })
  await writeOllamaModel(join(home, '.ollama/models'), 'gamma', '8b', [
    { type: 'model', content: gguf({ fill: 'c' }).toString('latin1') },
  ])
  const run = (argv: readonly string[]) =>
    cli(argv, { homeDir: home, cwd: home, env: { PATH: '/usr/bin:/bin', HOME: home } })
  return { home, run, roster: join(home, 'llm/docs/models/queue.yaml') }
}

test('two GGUF files and an Ollama store become a plan with four commands and no typing of names', async () => {
  const { run, roster } = await makeHome()
  const printed = await run(['roster', 'draft'])
  expect(printed.code).toBe(0)
  const wrote = await run(['roster', 'draft', '--write'])
  expect(wrote).toMatchObject({ code: 0, out: 'Wrote ~/llm/docs/models/queue.yaml: 3 entries.\n' })
  expect(await readFile(roster, 'utf8')).toBe(printed.out)
  expect(await run(['scan', 'models', '--all'])).toMatchObject({ code: 0 })
  expect(await run(['scan', 'node', '--id', 'box'])).toMatchObject({ code: 0 })
  const plan = await run(['plan', '--force-node', 'box=in'])
  for (const id of ['alpha-8b-q4', 'beta-8b-q4', 'gamma']) expect(plan.out).toContain(id)
  expect(plan).toMatchObject({ code: 0 })
})

test('a roster that is there stays byte for byte, and only new entries are printed', async () => {
  const { home, run, roster } = await makeHome()
  const own = 'roster:\n- {id: a, name: Alpha-8B-Q4, backend: llamacpp, ram_gb: 1, port: 8090}\n'
  await writeTree(home, { 'llm/docs/models/queue.yaml': own })
  const drafted = await run(['roster', 'draft', '--write', 'models'])
  expect(drafted.code).toBe(3)
  expect(drafted.err).toContain('copy these entries')
  expect(drafted.out).toContain('beta-8b-q4')
  expect(drafted.out).not.toContain('Alpha')
  expect(await readFile(roster, 'utf8')).toBe(own)
  await writeTree(home, { 'llm/docs/models/queue.yaml': 'roster: [' })
  expect(await run(['roster', 'draft', '--write'])).toMatchObject({ code: 3, out: '' })
  expect(await readFile(roster, 'utf8')).toBe('roster: [')
  expect((await writeNewRoster(roster, 'roster: []\n')).ok).toBe(false)
  expect(await readFile(roster, 'utf8')).toBe('roster: [')
})

test('a link in the roster’s place whose end is away is not written through', async () => {
  const { home, run } = await makeHome()
  await mkdir(join(home, 'llm/docs/models'), { recursive: true })
  await symlink('/away/queue.yaml', join(home, 'llm/docs/models/queue.yaml'))
  expect(await run(['roster', 'draft', '--write'])).toMatchObject({ code: 3, out: '' })
})

test('a file of llama-swap gives ids, and its model is found where the file says', async () => {
  const { home, run } = await makeHome()
  await writeTree(home, {
    'swap.yaml': `models:\n  quick: {cmd: llama-server -m ${home}/models/Beta-8B-Q4.gguf --port 9123 --api-key sk-no}\n`,
  })
  const { code, out } = await run(['roster', 'draft', 'swap.yaml'])
  expect(code).toBe(0)
  expect(out).toContain('- id: quick\n    name: Beta-8B-Q4\n')
  expect(out).toContain('port: 9123')
  expect(out).not.toContain('sk-no')
})

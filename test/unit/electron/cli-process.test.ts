import { spawn } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBuilder } from 'vite'
import { tempFolder, writeTree } from '../../support/temp-folder.ts'

/** A folder laid out as the installed package is: the command, and the host built for it. */
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lab-planner-built-'))
  await writeFile(join(home, 'package.json'), '{"type": "module"}')
  await cp('bin', join(home, 'bin'), { recursive: true })
  // As `npm run build` builds it, but for the other entries of the host, which take their time.
  const build = { outDir: join(home, 'dist/host'), rollupOptions: { input: 'electron/cli.ts' } }
  const builder = await createBuilder({ logLevel: 'error', environments: { host: { build } } })
  const { host } = builder.environments
  if (!host) throw new Error('vite.config.ts has no environment named host')
  await builder.build(host)
}, 60_000)

afterAll(() => rm(home, { recursive: true, force: true }))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the command as a process; `stopReading` closes its output after the first piece, as `head` does. */
function run(
  argv: readonly string[],
  options: { stdin?: string; stopReading?: boolean; bin?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const bin = options.bin ?? join(home, 'bin/lab-planner.js')
  // `CI` makes some colour libraries colour pipes too.
  const child = spawn(process.execPath, [bin, ...argv], {
    env: { ...process.env, CI: 'true', ...options.env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    if (options.stopReading) child.stdout.destroy()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdin.end(options.stdin ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

const SAMPLE = ['--lab', 'examples/sample-lab']

test('the built command plans, with its exit code and without colour on a pipe', async () => {
  const { code, out, err } = await run(['plan', ...SAMPLE, '--allow-transfer', '--now', '1790000100'])
  expect(out).toContain('8 roles: 7 can run, 3 to fetch')
  expect(out).not.toContain('\u001b')
  expect(err).toBe('')
  expect(code).toBe(2)
})

test('standard input reaches the built command', async () => {
  const { code, out } = await run(['check', ...SAMPLE, '--overlay', '-', '--json'], { stdin: 'nope: 1\n' })
  expect(out).toContain('"file": "<stdin>"')
  expect(code).toBe(3)
})

test('a reader that stops early ends it quietly', async () => {
  const lab = await tempFolder()
  const entry = (i: number): string =>
    `- {id: role-${i}, name: m, repo: r${i}, ram_gb: 1, backend: mlx_lm, port: ${i}}\n`
  const roster = `roster:\n${Array.from({ length: 250 }, (_, i) => entry(i + 1)).join('')}`
  await writeTree(lab, { 'docs/models/queue.yaml': roster })
  const nodes = Array.from({ length: 20 }, (_, i) => ['--node', `node-${i}=none`]).flat()
  const all = await run(['plan', '--lab', lab, '--json', ...nodes])
  expect(all.out.length).toBeGreaterThan(500_000)
  const cut = await run(['plan', '--lab', lab, '--json', ...nodes], { stopReading: true })
  expect(cut.out.length).toBeLessThan(all.out.length)
  expect(cut.err).not.toMatch(/EPIPE|at .*node:/)
  expect(cut.code).toBe(all.code)
})

test('a command that is not built says how to build it', async () => {
  const bare = await tempFolder()
  await writeFile(join(bare, 'package.json'), '{"type": "module"}')
  await cp('bin', join(bare, 'bin'), { recursive: true })
  const { code, out, err } = await run(['plan'], { bin: join(bare, 'bin/lab-planner.js') })
  expect(err).toContain('npm run build')
  expect(out).toBe('')
  expect(code).toBe(1)
})

test('the built command has its solver with it', async () => {
  const { code, out, err } = await run(['suggest', ...SAMPLE, '--allow-transfer', '--now', '1790000100'])
  expect(err).toBe('')
  expect(out).toContain('Nothing better was found.')
  expect(code).toBe(2)
})

// Windows has no scripts that stand in for programs.
test.skipIf(process.platform === 'win32')(
  'a scan ends although a program that it asked does not, and says what it leaves behind',
  async () => {
    const folder = await tempFolder()
    // Every question about the processor goes to one of these, on Linux and macOS.
    for (const name of ['lscpu', 'sysctl', 'lspci']) {
      await writeFile(join(folder, name), `#!/bin/sh\necho $$ >> '${folder}/pids'\nexec sleep 300\n`, {
        mode: 0o755,
      })
    }
    const env = { HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    const { code, out, err } = await run(['scan', 'node', '--json', '--id', 'here'], { env })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ node_id: 'here' })
    expect(err).toMatch(/lab-planner: .* left behind\./)
    for (const pid of (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n')) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {
        // It ended with the scan.
      }
    }
  },
  60_000,
)

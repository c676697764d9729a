import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EMPTY_SITE, type NodeSite } from '../../../../shared/node/node-site.ts'
import { fetchScript } from '../../../../shared/runbook/fetch-script.ts'
import type { ModelFetch } from '../../../../shared/runbook/types.ts'
import { missingTools, SSH_TOOLS, startSshNodes, type SshNodes } from '../../../support/ssh-nodes.ts'

const missing = missingTools([...SSH_TOOLS, 'dash', 'bash', 'busybox', 'shellcheck'])

test('the tools that fetch scripts are tried with are installed', () => {
  if (missing.length > 0) console.warn(`NOT TESTED, not installed: ${missing.join(', ')}`)
  // At a desk they may be missing; where every change is checked they may not.
  if (process.env['CI'] !== undefined) expect(missing).toEqual([])
})

/** Kills in the test of killed runs; more of them by hand. */
const KILLS = Number(process.env['LAB_PLANNER_KILLS'] ?? 6)

interface Run {
  readonly code: number | null
  readonly out: string
}

describe.skipIf(missing.length > 0)('a fetch script over a real ssh and rsync', { timeout: 180_000 }, () => {
  let nodes: SshNodes
  let count = 0
  beforeAll(async () => {
    nodes = await startSshNodes(['first', 'second', 'target'])
  })
  afterAll(() => nodes.stop())

  /** Folders of the nodes of one test, and the model that comes to `target`. */
  async function rig(files: Readonly<Record<string, Uint8Array>>, name = 'Model-7B') {
    const base = join(nodes.folder, `lab ${++count} $it's`)
    const roots = { first: join(base, 'first'), second: join(base, 'second'), target: join(base, 'target') }
    for (const root of Object.values(roots)) await mkdir(root, { recursive: true })
    const shards = Object.entries(files).map(([path, bytes]) => ({
      path,
      size: BigInt(bytes.length),
      blake3: bytesToHex(blake3(bytes)),
    }))
    const put = async (node: 'first' | 'second' | 'target', changes: typeof files = files): Promise<void> => {
      for (const [path, bytes] of Object.entries(changes)) {
        await mkdir(dirname(join(roots[node], name, path)), { recursive: true })
        await writeFile(join(roots[node], name, path), bytes)
      }
    }
    const fetch = modelFetch(name, shards)
    const write = async (site: Partial<NodeSite> = {}, fetches = [fetch]): Promise<string> => {
      const made = fetchScript({
        nodeId: 'target',
        fetches,
        siteOf: (id) =>
          id === 'target'
            ? { ...EMPTY_SITE, roots: [roots.target], ...site }
            : { ...EMPTY_SITE, ssh: id, roots: [id === 'first' ? roots.first : roots.second] },
        headroomBytes: 1000n,
        planHash: 'abc',
      })
      if (!made.ok) throw new Error(made.reason)
      const script = join(base, 'target.fetch.sh')
      await writeFile(script, made.text)
      return script
    }
    const at = (path: string): string => join(roots.target, name, path)
    const arrived = async (): Promise<boolean[]> =>
      Promise.all(
        Object.entries(files).map(
          async ([path, bytes]) =>
            existsSync(at(path)) && Buffer.compare(await readFile(at(path)), bytes) === 0,
        ),
      )
    return { base, roots, put, fetch, write, at, arrived }
  }

  function run(script: string, args: readonly string[] = [], shell = ['sh'], env = nodes.env): Run {
    const [program = 'sh', ...before] = shell
    const { status, stdout, stderr } = spawnSync(program, [...before, script, ...args], {
      env,
      encoding: 'utf8',
    })
    return { code: status, out: stdout + stderr }
  }

  /** The environment with an rsync that runs `lines` of a shell first. */
  async function withRsync(base: string, lines: string): Promise<Readonly<Record<string, string>>> {
    const bin = join(base, 'bin')
    await mkdir(bin, { recursive: true })
    const real = spawnSync('sh', ['-c', 'command -v rsync'], { encoding: 'utf8' }).stdout.trim()
    await writeFile(join(bin, 'rsync'), `#!/bin/sh\n${lines}\nexec ${real} "$@"\n`)
    await chmod(join(bin, 'rsync'), 0o755)
    return { ...nodes.env, PATH: `${bin}:${nodes.env['PATH'] ?? ''}` }
  }

  test.each([['dash'], ['bash'], ['busybox', 'sh']])(
    'says what it would do, then does it, under %s',
    async (...shell) => {
      const { put, write, arrived, roots } = await rig({
        'a.gguf': randomBytes(70_000),
        'sub/b.gguf': randomBytes(3),
      })
      await put('first')
      const script = await write()
      const dry = run(script, [], shell)
      expect(dry.out).toContain('70003 bytes would be fetched')
      expect(dry.code).toBe(10)
      expect(await readdir(roots.target)).toEqual([])
      expect(run(script, ['--go'], shell)).toMatchObject({ code: 0 })
      expect(await arrived()).toEqual([true, true])
      expect(await readdir(roots.target)).toEqual(['Model-7B'])
      expect(run(script, [], shell)).toMatchObject({ code: 0 })
      expect(run(script, ['--gone'], shell)).toMatchObject({ code: 64 })
    },
  )

  test('carries names with blanks, quotes, $ and dashes in front as they are', async () => {
    const { put, write, arrived } = await rig({
      '-rf $HOME "x" \'y\' `z`.gguf': randomBytes(40),
      '--delete/*? [a] #1;&|.gguf': randomBytes(50),
    })
    await put('first')
    expect(run(await write(), ['--go'])).toMatchObject({ code: 0 })
    expect(await arrived()).toEqual([true, true])
  })

  test('is not made for names with line breaks', () => {
    const fetch = modelFetch('M', [{ path: 'a\nb.gguf', size: 1n, blake3: 'a'.repeat(64) }])
    const site = { ...EMPTY_SITE, ssh: 'first', roots: ['/srv/models'] }
    const made = fetchScript({
      nodeId: 't',
      fetches: [fetch],
      siteOf: () => site,
      headroomBytes: 0n,
      planHash: '',
    })
    expect(made).toMatchObject({ ok: false })
  })

  test('takes the next source when the first one has rotten bytes, and fails when no other has', async () => {
    const good = randomBytes(50_000)
    const rotten = Uint8Array.from(good)
    rotten[40_000] = (rotten[40_000] ?? 0) ^ 1
    const { put, write, arrived, at } = await rig({ 'a.gguf': good })
    await put('first', { 'a.gguf': rotten })
    const script = await write()
    const failed = run(script, ['--go'])
    expect(failed.out).toContain('first has other bytes than the manifest')
    expect(failed.code).toBe(30)
    expect(existsSync(at('a.gguf'))).toBe(false)
    await put('second')
    expect(run(script, ['--go'])).toMatchObject({ code: 0 })
    expect(await arrived()).toEqual([true])
  })

  test('asks a source for the hash of its file before the first byte, where it can give one', async () => {
    const good = randomBytes(50_000)
    const { base, put, write, arrived } = await rig({ 'a.gguf': good })
    await put('first', { 'a.gguf': Uint8Array.from(good).fill(0, 100, 200) })
    await put('second')
    const log = join(base, 'rsync.log')
    const env = await withRsync(base, `printf '%s\\n' "$*" >>"${log.replaceAll('$', '\\$')}"`)
    expect(run(await write(), ['--go'], ['sh'], env)).toMatchObject({ code: 0 })
    expect(await arrived()).toEqual([true])
    const moved = await readFile(log, 'utf8')
    expect(moved).toContain('second:')
    expect(moved).not.toContain('first:')
  })

  test('refuses a source whose file has another length, before the first byte', async () => {
    const { put, write, roots } = await rig({ 'a.gguf': randomBytes(500) })
    await put('first', { 'a.gguf': randomBytes(499) })
    const refused = run(await write(), ['--go'])
    expect(refused.out).toContain('first has 499 bytes')
    expect(refused.code).toBe(20)
    expect(await readdir(roots.target)).toEqual([])
  })

  test('leaves a wrong file in the place of a right one and names it', async () => {
    const { put, write, at, arrived } = await rig({ 'a.gguf': randomBytes(500), 'b.gguf': randomBytes(20) })
    await put('first')
    await put('target', { 'a.gguf': Buffer.from('mine') })
    const left = run(await write(), ['--go'])
    expect(left.out).toContain(`${at('a.gguf')} is there and has other bytes`)
    expect(left.code).toBe(30)
    expect(await readFile(at('a.gguf'), 'utf8')).toBe('mine')
    expect(await arrived()).toEqual([false, true])
  })

  test('leaves a file that appears meanwhile, and keeps what it fetched beside it', async () => {
    const { base, put, write, at } = await rig({ 'a.gguf': randomBytes(500) })
    await put('first')
    await put('target', { 'other.gguf': randomBytes(1) })
    const env = await withRsync(base, `printf mine >"${at('a.gguf').replaceAll('$', '\\$')}"`)
    const left = run(await write(), ['--go'], ['sh'], env)
    expect(left.out).toContain('appeared meanwhile')
    expect(left.code).toBe(30)
    expect(await readFile(at('a.gguf'), 'utf8')).toBe('mine')
    expect((await readdir(dirname(at('a.gguf')))).filter((name) => name.endsWith('.part'))).toHaveLength(1)
  })

  test('refuses when the volume is not mounted, when space is short, and into a Hugging Face cache', async () => {
    const { put, write, roots, fetch } = await rig({ 'a.gguf': randomBytes(500) })
    await put('first')
    const unmounted = run(await write({ mount: roots.target }), ['--go'])
    expect(unmounted.out).toContain('mount the drive first')
    expect(unmounted.code).toBe(20)
    const huge = { ...fetch, shards: fetch.shards.map((shard) => ({ ...shard, size: 10n ** 17n })) }
    expect(run(await write({}, [huge]), ['--go'])).toMatchObject({ code: 20 })
    await mkdir(join(roots.target, 'models--org--name/snapshots'), { recursive: true })
    const cache = run(await write(), ['--go'])
    expect(cache.out).toContain('is a Hugging Face cache')
    expect(cache.code).toBe(20)
  })

  test('of two runs into one folder the second refuses, and a lock of a dead run is taken over', async () => {
    const { base, put, write, roots, arrived } = await rig({ 'a.gguf': randomBytes(500) })
    await put('first')
    const script = await write()
    const gate = join(base, 'gate')
    const env = await withRsync(base, `while [ ! -e "${gate.replaceAll('$', '\\$')}" ]; do sleep 0.05; done`)
    const first = spawn('sh', [script, '--go'], { env, stdio: 'ignore' })
    const ended = new Promise((resolve) => first.once('exit', resolve))
    await expect.poll(() => existsSync(join(roots.target, '.lab-planner-fetch.lock'))).toBe(true)
    await expect.poll(() => run(script, ['--go']).out).toContain('is running')
    await writeFile(gate, '')
    expect(await ended).toBe(0)
    await rm(join(roots.target, 'Model-7B'), { recursive: true })
    await mkdir(join(roots.target, '.lab-planner-fetch.lock/pid.999999'), { recursive: true })
    expect(run(script, ['--go'])).toMatchObject({ code: 0 })
    expect(await arrived()).toEqual([true])
  })

  test(
    `resumes after ${KILLS} kills at random moments, with nothing half under its name`,
    { timeout: 1_200_000 },
    async () => {
      const files = { 'a.gguf': randomBytes(3_000_000), 'b.gguf': randomBytes(1_000_000) }
      const { put, write, at, roots, arrived } = await rig(files)
      await put('first')
      const script = await write()
      for (let kill = 0; kill < KILLS; kill++) {
        const child = spawn('sh', [script, '--go'], { env: nodes.env, stdio: 'ignore', detached: true })
        const ended = new Promise((resolve) => child.once('exit', resolve))
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500))
        const wholeGroup = Math.random() < 0.5
        if (child.pid !== undefined && child.exitCode === null) {
          process.kill(wholeGroup ? -child.pid : child.pid, 'SIGKILL')
        }
        await ended
        for (const [path, bytes] of Object.entries(files)) {
          if (existsSync(at(path))) expect(Buffer.compare(await readFile(at(path)), bytes)).toBe(0)
        }
        // What had arrived by now goes, so that the next kill finds work.
        if ((await arrived()).every(Boolean) && kill < KILLS - 1) {
          await expect.poll(() => run(script).code).toBe(0)
          await rm(join(roots.target, 'Model-7B'), { recursive: true })
        }
      }
      await expect.poll(() => run(script, ['--go']).code, { timeout: 60_000 }).toBe(0)
      expect(await arrived()).toEqual([true, true])
      expect(await readdir(roots.target)).toEqual(['Model-7B'])
      expect(await readdir(join(roots.target, 'Model-7B'))).toEqual(['a.gguf', 'b.gguf'])
    },
  )

  test('stops when the target fills meanwhile, and resumes when there is room again', async ({ skip }) => {
    const { base, put, write, roots, arrived, at } = await rig({ 'a.gguf': randomBytes(3_000_000) })
    await put('first')
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', roots.target])
    if (mounted.status !== 0) {
      console.warn('NOT TESTED: a target that fills (only root can mount a small volume)')
      skip()
    }
    try {
      const script = await write({ mount: roots.target })
      const filler = join(roots.target, 'filler')
      const env = await withRsync(base, `head -c 2000000 /dev/zero >"${filler.replaceAll('$', '\\$')}"`)
      const failed = run(script, ['--go'], ['sh'], env)
      expect(failed.code).toBe(30)
      expect(existsSync(at('a.gguf'))).toBe(false)
      expect(run(script, ['--go'])).toMatchObject({ code: 20 })
      await rm(filler)
      expect(run(script, ['--go'])).toMatchObject({ code: 0 })
      expect(await arrived()).toEqual([true])
    } finally {
      spawnSync('umount', [roots.target])
    }
    // The volume is away now: its folder is there and empty.
    expect(run(await write({ mount: roots.target }), ['--go'])).toMatchObject({ code: 20 })
    expect(await readdir(roots.target)).toEqual([])
  })

  test('stops when the volume goes while it fetches, and writes nothing in its place', async ({ skip }) => {
    const { base, put, write, roots, arrived } = await rig({
      'a.gguf': randomBytes(2000),
      'b.gguf': randomBytes(2000),
    })
    await put('first')
    const mount = () => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', roots.target])
    if (mount().status !== 0) {
      console.warn('NOT TESTED: a volume that goes while it is written to (only root can mount one)')
      skip()
    }
    try {
      const script = await write({ mount: roots.target })
      // The first file arrives, and the drive is pulled before the second.
      const pulled = join(base, 'pulled').replaceAll('$', '\\$')
      const target = roots.target.replaceAll('$', '\\$')
      const pull = `if [ -e "${pulled}" ]; then umount -l "${target}"; fi; touch "${pulled}"`
      const gone = run(script, ['--go'], ['sh'], await withRsync(base, pull))
      expect(gone.out).toContain('went away meanwhile')
      expect(gone.code).toBe(20)
      expect(await readdir(roots.target)).toEqual([])
      expect(mount().status).toBe(0)
      expect(run(script, ['--go'])).toMatchObject({ code: 0 })
      expect(await arrived()).toEqual([true, true])
    } finally {
      spawnSync('umount', ['-l', roots.target])
    }
  })

  test('brings an Ollama tag to a store: its blobs first, its manifest last', async () => {
    const { roots, write, base } = await rig({})
    const blob = (text: string) => {
      const bytes = Buffer.from(text)
      return { bytes, digest: createHash('sha256').update(bytes).digest('hex') }
    }
    const [weights, params] = [blob('weights'.repeat(900)), blob('{"stop":[]}')]
    const layer = ({ bytes, digest }: ReturnType<typeof blob>, kind: string) => ({
      mediaType: `application/vnd.ollama.image.${kind}`,
      digest: `sha256:${digest}`,
      size: bytes.length,
    })
    const tag = JSON.stringify({
      schemaVersion: 2,
      config: layer(params, 'config'),
      layers: [layer(weights, 'model')],
    })
    for (const store of ['blobs', 'manifests/registry.ollama.ai/library/example']) {
      await mkdir(join(roots.first, store), { recursive: true })
    }
    for (const { bytes, digest } of [weights, params]) {
      await writeFile(join(roots.first, `blobs/sha256-${digest}`), bytes)
    }
    const path = 'manifests/registry.ollama.ai/library/example/latest'
    await writeFile(join(roots.first, path), tag)
    const shard = {
      path: `blobs/sha256-${weights.digest}`,
      size: BigInt(weights.bytes.length),
      blake3: bytesToHex(blake3(weights.bytes)),
    }
    const fetch = modelFetch('example', [shard], 'example:latest')
    const script = await write({}, [fetch])
    expect(run(script)).toMatchObject({ code: 20 })
    await mkdir(join(roots.target, 'blobs'))
    await mkdir(join(roots.target, 'manifests'))
    expect(run(script)).toMatchObject({ code: 10 })
    // A blob that does not arrive keeps the manifest away.
    const env = await withRsync(base, `case "$*" in *${params.digest}*) exit 1 ;; esac`)
    const failed = run(script, ['--go'], ['sh'], env)
    expect(failed.out).toContain('waits until all its blobs are there')
    expect(failed.code).toBe(30)
    expect(existsSync(join(roots.target, path))).toBe(false)
    expect(await readdir(join(roots.target, 'blobs'))).toEqual([`sha256-${weights.digest}`])
    expect(run(script, ['--go'])).toMatchObject({ code: 0 })
    expect(await readFile(join(roots.target, path), 'utf8')).toBe(tag)
    expect((await readdir(join(roots.target, 'blobs'))).sort()).toEqual(
      [`sha256-${params.digest}`, `sha256-${weights.digest}`].sort(),
    )
    expect(run(script)).toMatchObject({ code: 0 })
  })

  test('has no finding of shellcheck, only options that every rsync has, and nothing that removes or raises rights', async () => {
    const { write, fetch } = await rig({ 'a $b.gguf': randomBytes(5) })
    const script = await write({}, [fetch, modelFetch('o', [], 'example:latest')])
    const checked = spawnSync('shellcheck', ['-s', 'sh', script], { encoding: 'utf8' })
    expect(checked.stdout).toBe('')
    const text = await readFile(script, 'utf8')
    const code = text.replace(/^ *#.*$/gm, '').replace(/'(?:[^']|'\\'')*'/g, "''")
    const call = /RSYNC_OLD_ARGS=1 rsync ((?:[^\\\n]|\\\n)*)/.exec(text)?.[1] ?? ''
    const options = call.match(/(?<=\s|^)--?[A-Za-z-]+/g)?.filter((option) => option !== '-o') ?? []
    expect(options).toEqual(['-L', '--partial', '--inplace', '-e'])
    expect(code).not.toMatch(/(?:^|[;&|]\s*|\s)(?:rm|sudo|doas|systemctl|launchctl|nohup)\s/m)
    expect(text.match(/^ *(?:\[.*\] && )?mv .*$/gm)).toEqual(['  mv -n "$f_part" "$f_file"'])
  })
})

function modelFetch(name: string, shards: ModelFetch['shards'], ollamaTag: string | null = null): ModelFetch {
  const body = {
    name,
    format: ollamaTag === null ? ('gguf' as const) : ('ollama' as const),
    shards,
    redistributable: true,
    tokenizerPath: null,
    tokenizerBlake3: null,
    templatePath: null,
    templateBlake3: null,
    source: ollamaTag === null ? null : { hfRepo: null, hfRevision: null, ollamaTag },
  }
  return {
    manifest: { packageId: name, body, signature: 'unsigned', file: `${name}.json`, refused: null },
    target: 'target',
    roles: ['role'],
    repo: null,
    shards,
    bytes: shards.reduce((sum, { size }) => sum + size, 0n),
    sources: ['first', 'second'],
    seconds: null,
  }
}

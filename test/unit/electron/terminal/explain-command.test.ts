import { describe, expect, test } from 'vitest'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { cli, SAMPLE } from './fake-io.ts'

const ALLOWED = [...SAMPLE, '--allow-transfer']

describe('explain', () => {
  test('gives the verdict, the notes to the letter, and both operands of a failed constraint', async () => {
    const { code, out, err } = await cli(['explain', 'hermes', ...ALLOWED])
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Fetch 1 shard (4.3 GB) to gpu-box from archive-nas, then run there.',
    )
    expect(out).toContain('\n  node archive-nas: eligible=false complete=true holds 3/3 shards\n')
    expect(out).toContain('\n  fetch: gpu-box gets 1 shard(s), 4300009904 bytes, from archive-nas\n')
    expect(out).toMatch(/\n {2}pi-5 {2}not eligible\n(.*\n)*? {6}memory +needs 27.5 GB, /)
    expect(out).toMatch(/\n {2}gpu-box {2}eligible\n.*holds 2 of 3 shards, misses 4\.3 GB/)
    expect(out).toMatch(/lacks \S+\.gguf \(4\.3 GB\)/)
    expect(err).toBe('')
    expect(code).toBe(0)
  })

  test('reports for each node what would let the role run there, or never and why', async () => {
    const { out } = await cli(['explain', 'hermes', ...SAMPLE])
    expect(out).toMatch(/\n {2}gpu-box {2}eligible\n(.*\n)*? {6}→ allow weight transfer\n/)
    expect(out).toMatch(
      /\n {2}mac-mini {2}not eligible\n(.*\n)*? {6}runtime +runtime\.infer\.llamacpp is not installed on/,
    )
    expect((await cli(['explain', 'coder-daily', ...SAMPLE])).out).not.toMatch(
      /mac-studio {2}eligible\n(?: {6}.*\n)*? {6}→/,
    )
  })

  test('exits 2 for a role that cannot run, and lists this role’s problems only', async () => {
    const { code, out } = await cli(['explain', 'planner', ...ALLOWED])
    expect(out).toContain('planner excludes coder-daily but coder-daily does not exclude')
    expect(out).not.toContain('hermes excludes')
    expect(code).toBe(2)
  })

  test('explains a skipped entry by its reason', async () => {
    const { code, out } = await cli(['explain', 'coder-next', ...SAMPLE])
    expect(out).toContain('coder-next is skipped')
    expect(out.replace(/\s+/g, ' ')).toContain('alias of coder-daily (same server, port and weights)')
    expect(code).toBe(0)
  })

  test('names near roles for an unknown one and exits 3', async () => {
    const near = await cli(['explain', 'codr-dayly', ...SAMPLE])
    expect(near.err).toContain('the roster has no role "codr-dayly"; did you mean coder-daily?')
    expect(near.out).toBe('')
    expect(near.code).toBe(3)
    const far = await cli(['explain', 'zzz', ...SAMPLE])
    expect(far.err).toContain('it has coder-daily, coder-compact')
  })

  test('without a role it says what it would take to run every role', async () => {
    const { code, out } = await cli(['explain', ...SAMPLE])
    expect(out).toContain('→ allow weight transfer')
    expect(code).toBe(2)
    const json = JSON.parse((await cli(['explain', ...SAMPLE, '--json'])).out) as Record<string, unknown>
    expect(json).toMatchObject({ complete: expect.any(Boolean) as boolean, stops: [] })
  })

  test('--json gives the one role’s object, and what would let it run', async () => {
    const one = await cli(['explain', 'hermes', ...ALLOWED, '--json'])
    const all = await cli(['plan', ...ALLOWED, '--json'])
    const { roles } = JSON.parse(all.out) as { roles: { role: string }[] }
    const { way, ...role } = JSON.parse(one.out) as { way: unknown }
    expect(role).toEqual(roles.find((each) => each.role === 'hermes'))
    expect(way).toBeNull()
    const planner = JSON.parse((await cli(['explain', 'planner', ...SAMPLE, '--json'])).out) as unknown
    expect(planner).toMatchObject({ way: { found: true, complete: true, stops: [] } })
    const skipped = await cli(['explain', 'tts', ...SAMPLE, '--json'])
    expect(JSON.parse(skipped.out)).toEqual({
      id: 'tts',
      reason: 'backend "mlx-audio" has no inference adapter',
    })
  })

  test('explains every role of a repeated id', async () => {
    const folder = await tempFolder()
    const entry = (port: number): string =>
      `- {id: twin, name: m, repo: r, ram_gb: 1, backend: mlx_lm, port: ${port}}\n`
    await writeTree(folder, { 'docs/models/queue.yaml': `roster:\n${entry(8081)}${entry(8082)}` })
    const { out } = await cli(['explain', 'twin', '--lab', folder])
    expect(out).toContain('infer.mlx-lm, port 8081')
    expect(out).toContain('infer.mlx-lm, port 8082')
    const json = await cli(['explain', 'twin', '--lab', folder, '--json'])
    expect(JSON.parse(json.out)).toMatchObject({ spec: { serve: { port: 8081 } } })
    expect(json.err).toContain('2 roles of this id')
  })
})

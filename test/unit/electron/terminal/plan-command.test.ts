import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { cli, FRESH_NOW, SAMPLE } from './fake-io.ts'

const QUEUE = 'docs/models/queue.yaml'

/** A copy of the sample lab that a test may spoil. */
async function sampleCopy(): Promise<string> {
  const folder = await tempFolder()
  await cp('examples/sample-lab', folder, { recursive: true })
  return folder
}

function rowOf(out: string, role: string): string[] {
  return (out.split('\n').find((line) => line.startsWith(`${role} `)) ?? '').split(/\s{2,}/)
}

describe('plan as text', () => {
  test('plans the sample lab with transfer allowed: in place, fetched, stuck and skipped', async () => {
    const { code, out, err } = await cli(['plan', ...SAMPLE, '--allow-transfer'])
    for (const role of ['coder-daily', 'coder-compact', 'swarm-micro']) {
      expect(rowOf(out, role).slice(3)).toEqual(['in place', '-', 'mac-studio'])
    }
    expect(rowOf(out, 'voice-llm')).toEqual([
      'voice-llm',
      'llamacpp',
      'interactive',
      'in place',
      '-',
      'gpu-box',
    ])
    expect(rowOf(out, 'coder-small').slice(3)).toEqual(['elsewhere', '9.4 GB', 'mac-mini'])
    expect(rowOf(out, 'hermes')).toEqual(['hermes', 'llamacpp', 'batch', 'fetch', '4.3 GB', 'gpu-box'])
    expect(out).toMatch(/hermes +to gpu-box: 1 shard, 4300009904 bytes, from archive-nas\n/)
    expect(out.replace(/\s+/g, ' ')).toContain(
      'swarm-worker to gpu-box: 1 shard, 7390001712 bytes, from archive-nas and mac-mini',
    )
    expect(rowOf(out, 'planner').slice(3)).toEqual(['cannot run', '-', 'not redistributable'])
    expect(out).toContain('  coder-next  alias of coder-daily (same server, port and weights)\n')
    expect(out.replace(/\s+/g, ' ')).toContain(
      '8 roles: 7 can run, 3 to fetch (21.1 GB, 21,090,019,136 bytes), 1 cannot run, 5 skipped',
    )
    expect(err).toBe('')
    expect(code).toBe(2)
  })

  test('fits 80 columns, cutting long names there and not on a wider terminal', async () => {
    const folder = await tempFolder()
    const long = `role-${'x'.repeat(50)}`
    await writeTree(folder, {
      [QUEUE]: `roster:\n- {id: ${long}, name: m, repo: r, ram_gb: 1, backend: mlx_lm, port: 1}\n`,
    })
    const narrow = await cli(['plan', '--lab', folder, '--node', `${'n'.repeat(60)}=complete`])
    const table = narrow.out.split('\n').slice(3, 5)
    expect(table.every((line) => line.length <= 80)).toBe(true)
    expect(table[1]).toMatch(/^role-x+… {2}mlx-lm/)
    const wide = await cli(['plan', '--lab', folder], { columns: 160 })
    expect(wide.out).toContain(`\n${long}  mlx-lm`)
  })

  test('takes the width from COLUMNS where there is no terminal', async () => {
    const lines = (await cli(['plan', ...SAMPLE], { env: { COLUMNS: '50' } })).out.split('\n')
    const rows = lines.slice(lines.findIndex((line) => line.startsWith('ROLE')))
    expect(rows.slice(0, 9).every((line) => line.length <= 50)).toBe(true)
    expect(rows.some((line) => line.startsWith('coder-d…'))).toBe(true)
  })

  test('colours on a terminal only, and never with NO_COLOR', async () => {
    const plain = await cli(['plan', ...SAMPLE])
    const coloured = await cli(['plan', ...SAMPLE], { stdoutIsTty: true, columns: 80 })
    const refused = await cli(['plan', ...SAMPLE], { stdoutIsTty: true, columns: 80, env: { NO_COLOR: '1' } })
    expect(plain.out).not.toContain('\u001b')
    expect(coloured.out).toContain('\u001b[')
    expect(refused.out).toBe(plain.out)
    // Colours change nothing of the layout.
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out)
  })

  test('reports stale facts as warnings by the clock, and by --now instead of it', async () => {
    const late = { nowSecs: FRESH_NOW + 10 * 86_400 }
    expect((await cli(['plan', ...SAMPLE], late)).out).toContain(
      'warning  5 nodes were last checked too long ago',
    )
    const now = ['--now', String(FRESH_NOW)]
    expect((await cli(['plan', ...SAMPLE, ...now], late)).out).not.toContain('last checked')
    const strict = await cli(['plan', ...SAMPLE, '--require-fresh-facts'], late)
    expect(rowOf(strict.out, 'coder-daily').slice(3)).toEqual(['cannot run', '-', 'no eligible node'])
  })

  test('shows what the policy options change', async () => {
    const { out } = await cli([
      'plan',
      ...SAMPLE,
      '--allow-transfer',
      '--max-gib',
      '5',
      '--headroom-gib',
      '0.5',
    ])
    expect(out).toContain('transfer allowed, at most 5 GiB a role, 0.5 GiB headroom')
    expect(rowOf(out, 'hermes')[3]).toBe('fetch')
    expect(rowOf(out, 'swarm-worker').slice(3)).toEqual(['cannot run', '-', 'over the ceiling'])
    const veto = await cli(['plan', ...SAMPLE, '--allow-transfer', '--veto-sharing'])
    expect(rowOf(veto.out, 'hermes')[5]).toBe('not redistributable')
  })

  test('forces nodes in and out, and warns of one that is not there', async () => {
    const argv = ['plan', ...SAMPLE, '--force-node', 'mac-studio=out', '--force-node', 'no-box=in']
    const { out } = await cli(argv)
    expect(rowOf(out, 'coder-daily')[3]).toBe('cannot run')
    expect(out).toContain('warning  the scenario treats no-box as eligible, but the lab has no node of')
  })

  test('exits 0 when every role can run', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { [QUEUE]: 'roster: []\n' })
    const { code, out } = await cli(['plan', '--lab', folder])
    expect(out).toContain('The roster has no role to place.')
    expect(code).toBe(0)
  })

  test('never lets a file steer the terminal', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { [QUEUE]: 'roster:\n- {id: "a\\e[31m\\nb", name: m, backend: x}\n' })
    const { out } = await cli(['plan', '--lab', folder])
    expect(out).toContain('a\\u{1b}[31m\\u{a}b')
    expect(out).not.toContain('\u001b')
  })
})

describe('plan as JSON', () => {
  test('holds exactly the documented keys, with byte counts as integers', async () => {
    const { code, out } = await cli(['plan', ...SAMPLE, '--allow-transfer', '--json'])
    const plan = JSON.parse(out) as Record<string, unknown> & {
      roles: { role: string }[]
      problems: object[]
    }
    expect(Object.keys(plan)).toEqual(['policy', 'roles', 'skipped', 'problems', 'residency'])
    const hermes = plan.roles.find(({ role }) => role === 'hermes')
    expect(Object.keys(hermes ?? {})).toEqual([
      'role',
      'spec',
      'repo',
      'status',
      'manifest',
      'decision',
      'notes',
      'nodes',
      'placement',
      'outcome',
    ])
    expect(hermes).toMatchObject({
      decision: {
        kind: 'fetch_then_place',
        target: 'gpu-box',
        sources: ['archive-nas'],
        bytes: 4300009904,
        missing_shards: 1,
      },
      manifest: { name: 'Hermes-4.3-36B', shards: 3 },
    })
    expect(plan['policy']).toEqual({
      allow_weight_transfer: true,
      max_bytes: null,
      free_headroom_bytes: 1073741824,
    })
    expect(plan['skipped']).toHaveLength(5)
    expect(Object.keys(plan.problems.at(-1) ?? {})).toEqual([
      'severity',
      'code',
      'message',
      'file',
      'line',
      'column',
    ])
    expect(code).toBe(2)
  })

  test('puts only JSON on standard output, also for a lab with errors', async () => {
    const folder = await sampleCopy()
    await writeFile(join(folder, QUEUE), 'roster:\n- id: [\n')
    const { code, out, err } = await cli(['plan', '--lab', folder, '--json'])
    const plan = JSON.parse(out) as { roles: unknown[]; problems: { severity: string }[] }
    expect(plan.roles).toEqual([])
    expect(plan.problems.some(({ severity }) => severity === 'error')).toBe(true)
    expect(err).toContain('queue.yaml:')
    expect(code).toBe(3)
  })

  test('keeps byte counts beyond 2^53 exact', async () => {
    const argv = ['plan', ...SAMPLE, '--json', '--max-gib', '10000000', '--node', 'big=none:16000000000']
    const { out } = await cli(argv)
    expect(out).toContain('"max_bytes": 10737418240000000')
    expect(out).toContain('"free_bytes": 17179869184000000000')
  })
})

describe('plan of bad input', () => {
  test('a broken roster is reported with its line and a caret, plans nothing and exits 3', async () => {
    const folder = await sampleCopy()
    await writeFile(join(folder, QUEUE), 'roster:\n- id: a\n  port: "8081"\n')
    const { code, out, err } = await cli(['plan', '--lab', folder])
    expect(err).toContain(`${folder}/${QUEUE}:3:9: error: `)
    expect(err).toContain('\n 3 |   port: "8081"\n   |         ^^^^^^\n')
    expect(out).toBe('')
    expect(code).toBe(3)
  })

  test('a broken overlay plans nothing: without it the plan would not be the lab’s', async () => {
    const folder = await sampleCopy()
    await writeFile(join(folder, 'docs/models/overlay.yaml'), 'latency: {}\n')
    const { code, out, err } = await cli(['plan', '--lab', folder])
    expect(err).toContain('overlay.yaml:1:1: error: ')
    expect(out).toBe('')
    expect(code).toBe(3)
  })

  test('broken node facts are reported, the rest is planned, and it exits 3', async () => {
    const folder = await sampleCopy()
    await writeFile(join(folder, 'docs/models/nodes/gpu-box.json'), '{')
    const { code, out, err } = await cli(['plan', '--lab', folder])
    expect(err).toContain('gpu-box.json:1:')
    expect(rowOf(out, 'coder-daily').slice(3)).toEqual(['in place', '-', 'mac-studio'])
    expect(code).toBe(3)
  })

  test('a missing roster and a missing lab are reported and exit 3', async () => {
    const folder = await sampleCopy()
    await rm(join(folder, QUEUE))
    const noRoster = await cli(['plan', '--lab', folder])
    expect(noRoster.err).toContain(`${QUEUE}: error: There is no roster here.`)
    expect(noRoster.code).toBe(3)
    const noLab = await cli(['plan'])
    expect(noLab.err).toContain('~/llm: error: Cannot open the lab')
    expect(noLab.code).toBe(3)
  })

  test('a named file that is not there is an error, though the lab could do without it', async () => {
    const { code, err } = await cli(['plan', ...SAMPLE, '--fleet', '/nowhere/fleet.yaml'])
    expect(err).toContain('/nowhere/fleet.yaml: error: ')
    expect(code).toBe(3)
  })
})

describe('plan from standard input', () => {
  test('reads the roster or the overlay where a place is -', async () => {
    const roster =
      'roster:\n- {id: only, name: Voice-Small-3B, repo: r, ram_gb: 2, backend: llamacpp, port: 1}\n'
    const fromRoster = await cli(['plan', ...SAMPLE, '--roster', '-'], { stdin: roster })
    expect(rowOf(fromRoster.out, 'only').slice(3)).toEqual(['in place', '-', 'gpu-box'])
    const overlay = 'latency_class: {hermes: interactive}\n'
    const fromOverlay = await cli(['plan', ...SAMPLE, '--overlay', '-'], { stdin: overlay })
    expect(rowOf(fromOverlay.out, 'hermes')[2]).toBe('interactive')
  })

  test('quotes a broken line of standard input', async () => {
    const { code, err } = await cli(['plan', ...SAMPLE, '--overlay', '-'], {
      stdin: 'sticky: {hermes: maybe}\n',
    })
    expect(err).toContain('<stdin>:1:18: error: ')
    expect(err).toContain('1 | sticky: {hermes: maybe}')
    expect(code).toBe(3)
  })
})

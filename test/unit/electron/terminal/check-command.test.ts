import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../../../support/temp-folder.ts'
import { cli, SAMPLE } from './fake-io.ts'

test('check counts what it read and found, and exits 0 without errors', async () => {
  const { code, out, err } = await cli(['check', ...SAMPLE])
  expect(out).toMatch(/^8 files read: \d+ notes\.\n$/)
  expect(err).toContain('overlay.yaml:6:13: info: planner excludes coder-daily')
  expect(err).toContain('\n 6 |   planner: ["role:coder-daily"]')
  expect(code).toBe(0)
})

test('check reports the errors of every file and exits 3', async () => {
  const folder = await tempFolder()
  await cp('examples/sample-lab', folder, { recursive: true })
  await writeFile(join(folder, 'docs/models/queue.yaml'), 'roster: 7\n')
  await writeFile(join(folder, 'docs/models/overlay.yaml'), 'nope: 1\n')
  await writeFile(join(folder, 'docs/models/nodes/pi-5.json'), '[]')
  const { code, out, err } = await cli(['check', '--lab', folder])
  for (const file of ['queue.yaml:1:9', 'overlay.yaml:1:1', 'pi-5.json:1:1'])
    expect(err).toContain(`${file}: error: `)
  expect(out).toMatch(/[3-9] errors/)
  expect(err).not.toContain('no role of the roster uses')
  expect(code).toBe(3)
})

test('check --json lists the problems with their counts', async () => {
  const { out } = await cli(['check', ...SAMPLE, '--json'])
  const report = JSON.parse(out) as { errors: number; infos: number; problems: unknown[] }
  expect(report.errors).toBe(0)
  expect(report.problems).toHaveLength(report.infos)
})

test('of many problems of one kind the first stands for all, and --all lists each', async () => {
  const names = ['coder-daily', 'coder-compact', 'coder-small', 'planner', 'hermes']
  const overlay = `excludes:\n${names.map((name, i) => `  ${name}: [role:${names[(i + 1) % 5] ?? ''}]\n`).join('')}`
  const args = [...SAMPLE, '--overlay', '-']
  const { err } = await cli(['check', ...args], { stdin: overlay })
  expect(err.match(/it counts both ways/g)).toHaveLength(1)
  expect(err).toContain('5 excludes are written in one direction; each counts both ways (--all shows')
  const all = await cli(['check', ...args, '--all'], { stdin: overlay })
  expect(all.err.match(/it counts both ways/g)).toHaveLength(5)
  const plan = await cli(['plan', ...args], { stdin: overlay })
  expect(plan.out.replace(/\s+/g, ' ')).toContain('5 excludes are written in one direction')
  expect(plan.out).toContain('7 notes.')
})

import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../../support/temp-folder.ts'
import { cli, SAMPLE } from './fake-io.ts'

describe('export', () => {
  test('writes a spec for every role, placed or not, and exits 0', async () => {
    const out = join(await tempFolder(), 'deep/er')
    const run = await cli(['export', ...SAMPLE, '--out', out])
    expect(run.code).toBe(0)
    expect(await readdir(out)).toHaveLength(8)
    expect(JSON.parse(await readFile(join(out, 'planner.json'), 'utf8'))).toMatchObject({ role: 'planner' })
    expect(run.out).toContain('8 written; 5 roster entries skipped.')
  })

  test('writes YAML with --format yaml', async () => {
    const out = await tempFolder()
    await cli(['export', ...SAMPLE, '--out', out, '--format', 'yaml'])
    expect(await readFile(join(out, 'hermes.yaml'), 'utf8')).toMatch(/^role: "hermes"\n/)
  })

  test('leaves a changed file alone and exits 1; --force replaces it', async () => {
    const out = await tempFolder()
    await cli(['export', ...SAMPLE, '--out', out])
    const file = join(out, 'hermes.json')
    const good = await readFile(file, 'utf8')
    await writeFile(file, 'mine\n')
    const careful = await cli(['export', ...SAMPLE, '--out', out])
    expect(careful.out).toContain('left  hermes.json: it has other content')
    expect(careful.code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('mine\n')
    const forced = await cli(['export', ...SAMPLE, '--out', out, '--force'])
    expect(forced.code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(good)
  })

  test('--check writes nothing, exits 1 when files differ and 0 when they do not', async () => {
    const out = join(await tempFolder(), 'specs')
    const missing = await cli(['export', ...SAMPLE, '--out', out, '--check'])
    expect(missing.code).toBe(1)
    await expect(readdir(out)).rejects.toThrow()
    await cli(['export', ...SAMPLE, '--out', out])
    expect((await cli(['export', ...SAMPLE, '--out', out, '--check'])).code).toBe(0)
    await writeFile(join(out, 'hermes.json'), 'mine\n')
    const changed = await cli(['export', ...SAMPLE, '--out', out, '--check', '--json'])
    expect(changed.code).toBe(1)
    const { files } = JSON.parse(changed.out) as { files: { file_name: string; outcome: string }[] }
    expect(files.filter(({ outcome }) => outcome !== 'same')).toEqual([
      { file_name: 'hermes.json', outcome: 'changed', reason: null },
    ])
  })

  test('reports spec files of roles that are gone, without a verdict on them', async () => {
    const out = await tempFolder()
    await cli(['export', ...SAMPLE, '--out', out])
    const spec = await readFile(join(out, 'hermes.json'), 'utf8')
    await writeFile(join(out, 'gone.json'), spec.replace('"hermes"', '"gone"'))
    const run = await cli(['export', ...SAMPLE, '--out', out, '--check'])
    expect(run.out).toContain('left over  gone.json: no role of the roster')
    expect(run.code).toBe(0)
  })

  test('is kept from nothing by broken node facts, and writes nothing with a broken overlay', async () => {
    const lab = await tempFolder()
    await cp('examples/sample-lab', lab, { recursive: true })
    await writeFile(join(lab, 'docs/models/nodes/gpu-box.json'), '{')
    const out = join(lab, 'specs')
    expect((await cli(['export', '--lab', lab, '--out', out])).code).toBe(0)
    await writeFile(join(lab, 'docs/models/overlay.yaml'), 'sticky: {hermes: 7}\n')
    const broken = await cli(['export', '--lab', lab, '--out', join(lab, 'others')])
    expect(broken.err).toContain('overlay.yaml:1:18: error: ')
    expect(broken.code).toBe(3)
    expect(await readdir(lab)).not.toContain('others')
  })

  test('never replaces a file of the lab, even with --force', async () => {
    const lab = await tempFolder()
    await cp('examples/sample-lab', lab, { recursive: true })
    const nodes = join(lab, 'docs/models/nodes')
    const before = await readFile(join(nodes, 'gpu-box.json'), 'utf8')
    const roster = join(lab, 'docs/models/queue.yaml')
    await writeFile(roster, (await readFile(roster, 'utf8')).replace('id: hermes', 'id: gpu-box'))
    const run = await cli(['export', '--lab', lab, '--out', nodes, '--force'])
    expect(run.out).toContain('refused  gpu-box.json: ')
    expect(run.code).toBe(3)
    expect(await readFile(join(nodes, 'gpu-box.json'), 'utf8')).toBe(before)
  })

  test('a folder that cannot be one is reported and exits 3', async () => {
    const folder = await tempFolder()
    await writeFile(join(folder, 'file'), '')
    const run = await cli(['export', ...SAMPLE, '--out', join(folder, 'file')])
    expect(run.err).toContain(`${join(folder, 'file')}: `)
    expect(run.code).toBe(3)
  })

  test('takes --out relative to the working folder and under the home folder', async () => {
    const folder = await tempFolder()
    await mkdir(join(folder, 'home'))
    await symlink(join(process.cwd(), 'examples/sample-lab'), join(folder, 'lab'))
    const io = { cwd: folder, homeDir: join(folder, 'home') }
    await cli(['export', '--lab', 'lab', '--out', 'here'], io)
    await cli(['export', '--lab', 'lab', '--out', '~/there'], io)
    expect(await readdir(join(folder, 'here'))).toEqual(await readdir(join(folder, 'home/there')))
  })
})

describe('export --runbook', () => {
  const FLEET = `nodes:
  - { id: gpu-box, ssh: gpu-box, root: /srv/models, start: systemd, programs: { llama-server: /usr/bin/llama-server } }
  - { id: archive-nas, ssh: nas, root: /volume/models }
`

  async function labWithFleet(): Promise<readonly string[]> {
    const lab = await tempFolder()
    await cp('examples/sample-lab', lab, { recursive: true })
    await writeFile(join(lab, 'docs/models/fleet.yaml'), FLEET)
    return ['export', '--runbook', '--allow-transfer', '--lab', lab, '--out', join(lab, 'book')]
  }

  test('writes the run book, and --check says when a file is of another plan or left over', async () => {
    const args = await labWithFleet()
    const out = args.at(-1) ?? ''
    expect(await cli(args)).toMatchObject({ code: 0 })
    expect(await readdir(out)).toEqual(
      expect.arrayContaining(['RUNBOOK.md', 'gpu-box.fetch.sh', 'gpu-box.lab-planner-hermes.service']),
    )
    expect(await cli([...args, '--check'])).toMatchObject({ code: 0 })
    const lab = args[4] ?? ''
    await writeFile(join(lab, 'docs/models/fleet.yaml'), FLEET.replace('start: systemd', 'start: launchd'))
    const changed = await cli([...args, '--check'])
    expect(changed.code).toBe(1)
    expect(changed.out).toMatch(/changed +RUNBOOK\.md/)
    expect(changed.out).toContain('left over  gpu-box.lab-planner-hermes.service: of an earlier run book')
  })

  test('counts what runs now with --before, and refuses it for specs', async () => {
    const args = await labWithFleet()
    const lab = args[4] ?? ''
    await cli([...args, '--before', lab])
    const text = await readFile(join(args.at(-1) ?? '', 'RUNBOOK.md'), 'utf8')
    expect(text).not.toContain('That is not known')
    expect(text).toContain('gpu-box: hermes, swarm-worker, voice-llm')
    expect(await cli(['export', ...SAMPLE, '--out', lab, '--before', lab])).toMatchObject({ code: 64 })
  })

  test('is not made from a lab with a damaged file', async () => {
    const args = await labWithFleet()
    await writeFile(join(args[4] ?? '', 'docs/models/nodes/gpu-box.json'), '{')
    expect(await cli(args)).toMatchObject({ code: 3 })
  })
})

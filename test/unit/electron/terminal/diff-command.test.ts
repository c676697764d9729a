import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../../../support/temp-folder.ts'
import { cli, SAMPLE } from './fake-io.ts'

const SAMPLE_OVERLAY = 'examples/sample-lab/docs/models/overlay.yaml'

async function changedCopy(change: (roster: string) => string): Promise<string> {
  const lab = await tempFolder()
  await cp('examples/sample-lab', lab, { recursive: true })
  const roster = join(lab, 'docs/models/queue.yaml')
  await writeFile(roster, change(await readFile(roster, 'utf8')))
  return lab
}

describe('diff', () => {
  test('two equal labs do not differ and exit 0', async () => {
    const { code, out } = await cli(['diff', 'examples/sample-lab', 'examples/sample-lab'])
    expect(out).toContain('No difference in 13 roster entries.')
    expect(code).toBe(0)
  })

  test('two labs: reports what changed, came, went and is skipped no longer, and exits 1', async () => {
    const lab = await changedCopy((roster) =>
      roster
        .replace('backend: mlx-audio', 'backend: mlx_lm')
        .replace('id: voice-llm', 'id: voice')
        .replace('ram_gb: 27.5', 'ram_gb: 60'),
    )
    const { code, out } = await cli(['diff', 'examples/sample-lab', lab, '--allow-transfer'])
    expect(out).toMatch(/~ hermes\n(.*\n)*? +node +gpu-box → none\n/)
    expect(out).toMatch(/spec\.memory\.weights_bytes +27500000000 → 60000000000/)
    expect(out).toContain('- voice-llm  disappeared\n    was in place at gpu-box\n')
    expect(out).toContain('+ voice  appeared\n    in place at gpu-box\n')
    expect(out).toContain('+ tts  no longer skipped\n')
    expect(out).toContain('4 of 14 roster entries differ.')
    expect(code).toBe(1)
  })

  test('two overlay files are compared as plans of the same lab', async () => {
    const overlay = join(await tempFolder(), 'overlay.yaml')
    await writeFile(
      overlay,
      (await readFile(SAMPLE_OVERLAY, 'utf8')).replace('coder-small: interactive', 'hermes: interactive'),
    )
    const { code, out } = await cli(['diff', SAMPLE_OVERLAY, overlay, ...SAMPLE])
    expect(out).toContain('~ coder-small\n    spec.latency_class  interactive → batch\n')
    expect(out).toContain('~ hermes\n    spec.latency_class  batch → interactive\n')
    expect(code).toBe(1)
  })

  test('an overlay may come from standard input', async () => {
    const { code, out } = await cli(['diff', SAMPLE_OVERLAY, '-', ...SAMPLE], { stdin: '' })
    expect(out).toContain('~ planner\n    spec.excludes  role:coder-daily → none\n')
    expect(code).toBe(1)
  })

  test('two plan files are compared, their policies reported as a cause', async () => {
    const folder = await tempFolder()
    const a = join(folder, 'a.json')
    const b = join(folder, 'b.json')
    await writeFile(a, (await cli(['plan', ...SAMPLE, '--json'])).out)
    await writeFile(b, (await cli(['plan', ...SAMPLE, '--json', '--allow-transfer'])).out)
    const { code, out } = await cli(['diff', a, b])
    expect(out).toContain('allow_weight_transfer  no → yes')
    expect(out).toMatch(/~ hermes\n +outcome +cannot run → fetch\n/)
    expect(code).toBe(1)
    expect((await cli(['diff', a, a])).code).toBe(0)
  })

  test('a plan file can be compared with the lab as it is now', async () => {
    const { out: plan } = await cli(['plan', ...SAMPLE, '--json'])
    const { code } = await cli(['diff', '-', 'examples/sample-lab'], { stdin: plan })
    expect(code).toBe(0)
  })

  test('reports which input did it, with its line, when both sides say what they are made from', async () => {
    const overlay = join(await tempFolder(), 'overlay.yaml')
    const text = await readFile(SAMPLE_OVERLAY, 'utf8')
    await writeFile(overlay, text.replace('coder-small: interactive', 'coder-small: batch'))
    const { out } = await cli(['diff', SAMPLE_OVERLAY, overlay, ...SAMPLE])
    const line = text.split('\n').findIndex((each) => each.includes('coder-small: interactive')) + 1
    expect(out.replace(/\s+/g, ' ')).toContain(
      `because latency_class of coder-small: interactive → batch (${overlay}:${line})`,
    )
    const json = JSON.parse(
      (await cli(['diff', SAMPLE_OVERLAY, overlay, ...SAMPLE, '--json'])).out,
    ) as unknown
    expect(json).toMatchObject({
      roles: [
        {
          role: 'coder-small',
          because: [`latency_class of coder-small: interactive → batch (${overlay}:${line})`],
        },
      ],
    })
  })

  test('plan files name no cause', async () => {
    const file = join(await tempFolder(), 'plan.json')
    await writeFile(file, (await cli(['plan', ...SAMPLE, '--json', '--allow-transfer'])).out)
    const { out } = await cli(['diff', file, 'examples/sample-lab'])
    expect(out).toContain('~ hermes')
    expect(out).not.toContain('because')
  })

  test('--json gives the changes with exact values', async () => {
    const lab = await changedCopy((roster) => roster.replace('port: 8090', 'port: 8091'))
    const { out } = await cli(['diff', 'examples/sample-lab', lab, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      differs: true,
      compared: 13,
      roles: [
        { role: 'hermes', change: 'changed', fields: [{ field: 'spec.serve.port', from: 8090, to: 8091 }] },
      ],
    })
  })

  test('what cannot be read is reported and exits 3', async () => {
    const missing = await cli(['diff', '/nowhere/a', 'examples/sample-lab'])
    expect(missing.err).toContain('/nowhere/a: error: Cannot read what is to be compared')
    expect(missing.code).toBe(3)
    const spoiled = await cli(['diff', '-', 'examples/sample-lab'], {
      stdin: '{"roles": [], "policy": {}, "skipped": 1}',
    })
    expect(spoiled.err).toContain('<stdin>:1:40: error: not a plan file: skipped')
    expect(spoiled.code).toBe(3)
    const cut = await cli(['diff', '-', 'examples/sample-lab'], { stdin: '{"roles": [' })
    expect(cut.err).toContain('<stdin>:1:')
    expect(cut.code).toBe(3)
  })
})

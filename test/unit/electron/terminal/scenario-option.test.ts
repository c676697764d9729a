import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { scenarioFileText } from '../../../../shared/scenario/scenario-file.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { cli, SAMPLE } from './fake-io.ts'

async function scenarioFile(text: string): Promise<string> {
  const file = join(await tempFolder(), 'scenario.json')
  await writeFile(file, text)
  return file
}

function saved(changes: Partial<Scenario>): string {
  return scenarioFileText({ ...DEFAULT_SCENARIO, ...changes })
}

const TRANSFER = { policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true } }

describe('--scenario', () => {
  test('plans under what the file assumes, and says so', async () => {
    const file = await scenarioFile(
      saved({ ...TRANSFER, awayNodes: new Set(['mac-studio']), offRoles: new Set(['hermes']) }),
    )
    const { out } = await cli(['plan', ...SAMPLE, '--scenario', file])
    expect(out).toMatch(/transfer allowed.*hermes off, mac-studio treated as offline/)
    expect(out).toMatch(/hermes .* switched off +- +-\n/)
    expect(out).not.toMatch(/coder-small .* mac-studio\n/)
  })

  test('options of the command line count before the file', async () => {
    const file = await scenarioFile(saved({ ...TRANSFER, forcedNodes: new Map([['gpu-box', 'in']]) }))
    const argv = ['plan', ...SAMPLE, '--scenario', file, '--max-gib', '1', '--force-node', 'gpu-box=out']
    const { out } = await cli(argv)
    expect(out).toMatch(/transfer allowed, at most 1 GiB a role, 1 GiB headroom, gpu-box ruled out/)
  })

  test('- reads it from standard input', async () => {
    const { out } = await cli(['plan', ...SAMPLE, '--scenario', '-'], { stdin: saved(TRANSFER) })
    expect(out).toContain('transfer allowed')
    const { code, err } = await cli(['plan', ...SAMPLE, '--scenario', '-', '--overlay', '-'])
    expect(err).toContain('standard input can be read once only')
    expect(code).toBe(64)
  })

  test('a file with a fault is reported with its place, and nothing is planned', async () => {
    const file = await scenarioFile('{"schema": "lab-planner.scenario.v1",\n "speed": 9}\n')
    const { code, out, err } = await cli(['plan', ...SAMPLE, '--scenario', file])
    expect(err).toContain('scenario.json:2:2')
    expect(err).toContain('`speed` is no key of a scenario')
    expect([code, out]).toEqual([3, ''])
  })

  test('a file that is not there is reported', async () => {
    const { code, err } = await cli(['explain', 'hermes', ...SAMPLE, '--scenario', 'nowhere.json'])
    expect(err).toContain('Cannot read the scenario')
    expect(code).toBe(3)
  })
})

test('a role that has no place beside the others makes plan and explain exit 2', async () => {
  const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }
  const off = new Set(['planner'])
  const file = await scenarioFile(saved({ policy, offRoles: off, awayNodes: new Set(['mac-mini']) }))
  const plan = await cli(['plan', ...SAMPLE, '--scenario', file])
  expect(plan.out).toMatch(/coder-small +On mac-studio: 'coder-small' needs/)
  expect(plan.code).toBe(2)
  const explain = await cli(['explain', 'coder-small', ...SAMPLE, '--scenario', file])
  expect(explain.out).toContain('Cannot run: beside the other roles there is no place for it on mac-studio.')
  expect(explain.code).toBe(2)
  const fine = await scenarioFile(saved({ policy, offRoles: new Set([...off, 'coder-compact']) }))
  expect((await cli(['plan', ...SAMPLE, '--scenario', fine])).code).toBe(0)
})

/** A copy of the sample lab that keeps two scenarios, one of them with an error. */
async function labWithScenarios(): Promise<string> {
  const lab = await tempFolder()
  await cp('examples/sample-lab', lab, { recursive: true })
  await writeTree(lab, {
    'docs/models/scenarios/night.yaml': 'schema: lab-planner.scenario.v1\nallow_weight_transfer: true\n',
    'docs/models/scenarios/day.yaml': 'schema: lab-planner.scenario.v1\noff_roles: [hermes]\n',
    'docs/models/scenarios/broken.yaml': 'schema: lab-planner.scenario.v1\noffroles: [hermes]\n',
  })
  return lab
}

describe('a scenario that the lab keeps', () => {
  test('is planned with by its name', async () => {
    const lab = await labWithScenarios()
    const { out, err } = await cli(['plan', '--lab', lab, '--scenario', 'night'])
    expect(out).toContain('transfer allowed')
    expect(err).toBe('')
    const file = join(lab, 'docs/models/scenarios/night.yaml')
    expect((await cli(['plan', '--lab', lab, '--scenario', file])).out).toBe(out)
  })

  test('is named with the others when there is none of that name', async () => {
    const { code, err } = await cli(['plan', '--lab', await labWithScenarios(), '--scenario', 'dawn'])
    expect(err.replace(/\s+/g, ' ')).toContain('The lab keeps broken, day, night.')
    expect(code).toBe(3)
  })

  test('has its faults reported with their places: by the plan that uses it, and by check', async () => {
    const lab = await labWithScenarios()
    const broken = await cli(['plan', '--lab', lab, '--scenario', 'broken'])
    expect(broken.err).toMatch(/broken\.yaml:2:1: error: `offroles` is no key of a scenario/)
    expect(broken.code).toBe(3)
    const check = await cli(['check', '--lab', lab])
    expect(check.err).toMatch(/broken\.yaml:2:1: error/)
    expect(check.code).toBe(3)
    expect((await cli(['plan', '--lab', lab])).err).toBe('')
  })

  test('is compared with another one, with what did it', async () => {
    const lab = await labWithScenarios()
    const { code, out } = await cli(['diff', '--lab', lab, '--scenario', 'night', '--scenario', 'day'])
    expect(out).toMatch(/^--- night\n\+\+\+ day\n/)
    expect(out).toMatch(/~ hermes\n/)
    expect(out).toContain('switched off')
    expect(code).toBe(1)
    expect((await cli(['diff', '--lab', lab, '--scenario', 'day', '--scenario', 'day'])).code).toBe(0)
    expect((await cli(['diff', '--lab', lab, '--scenario', 'day'])).code).toBe(64)
    expect((await cli(['plan', '--lab', lab, '--scenario', 'day', '--scenario', 'night'])).code).toBe(64)
  })
})

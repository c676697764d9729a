import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SuggestionReport } from '../../../../shared/report/suggestion-json.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'
import { cli, SAMPLE, type CliRun } from './fake-io.ts'

const SOLVER = { solverFile: createRequire(import.meta.url).resolve('highs/runtime') }

function suggest(...args: readonly string[]): Promise<CliRun> {
  return cli(['suggest', ...args], SOLVER)
}

/** A scenario of the sample lab in which placing one by one leaves an interactive role without a node. */
async function tightScenario(): Promise<string> {
  const folder = await tempFolder()
  await writeTree(folder, {
    'tight.json': '{"schema": "lab-planner.scenario.v1", "memory": {"mac-studio": "60129542144"}}',
  })
  return join(folder, 'tight.json')
}

describe('suggest', () => {
  test('says that nothing is better, and exits 2 for the role that cannot run', async () => {
    const { code, out, err } = await suggest(...SAMPLE, '--allow-transfer')
    expect(out.replace(/\s+/g, ' ')).toContain(
      'Nothing better was found. The plan stays as it is: 7 of 8 roles can run, 21.1 GB move, 3 sticky roles stay. Proved: nothing is better.',
    )
    expect(err).toBe('')
    expect(code).toBe(2)
  })

  test('finds nodes for roles that have none one by one, and has them as a scenario', async () => {
    const args = [...SAMPLE, '--scenario', await tightScenario(), '--time', '2']
    const { code, out } = await suggest(...args)
    expect(out.replace(/\s+/g, ' ')).toMatch(/^\d of 8 roles can run, .* \(now: \d of 8 roles can run/)
    expect(out).toMatch(/\ncoder-small +mac-studio +-\n/)
    expect(out).toContain('`suggest --json` has it as a scenario')
    expect(code).toBe(2)
    const json = JSON.parse((await suggest(...args, '--json')).out) as SuggestionReport
    expect(json).toMatchObject({ isBetter: true, isProved: true })
    expect(json.scenario).toMatchObject({ pinned: { 'coder-small': 'mac-studio' }, now_secs: null })
    expect(json.roles).toHaveLength(8)
  })

  test('takes a time of 1 to 3600 seconds', async () => {
    const { code, err } = await suggest(...SAMPLE, '--time', '0')
    expect(err).toContain('It must be a number of seconds from 1 to 3600.')
    expect(code).toBe(64)
  })
})

import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { suggestFromTexts, type SuggestJob } from '../../../../../electron/host/suggest/suggest-from-texts.ts'
import { DEFAULT_SCENARIO } from '../../../../../shared/scenario/scenario.ts'
import { scenarioToJson } from '../../../../../shared/scenario/scenario-json.ts'
import { readSampleLab } from '../../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: true })
const overlay = files.files.find((file) => file.kind === 'overlay')?.text ?? ''
const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }

function job(changes: Partial<SuggestJob> = {}): SuggestJob {
  return {
    lab: files,
    observed: [],
    overlayText: overlay,
    scenario: scenarioToJson({ ...DEFAULT_SCENARIO, policy }),
    seconds: 10,
    wasmPath: createRequire(import.meta.url).resolve('highs/runtime'),
    ...changes,
  }
}

describe('a suggestion made from a lab’s texts', () => {
  test('places what the sample lab’s memory allows, and says what moves and how sure it is', async () => {
    const memory = new Map([['mac-studio', 60_129_542_144n]])
    const scenario = scenarioToJson({ ...DEFAULT_SCENARIO, policy, memory })
    const answer = await suggestFromTexts(job({ scenario }))
    if (!answer.ok) throw new Error(answer.message)
    const { report } = answer
    expect(report).toMatchObject({ isProved: true, isBetter: true })
    const nodes = new Map(report.roles.map(({ role, nodeId }) => [role, nodeId]))
    expect(nodes.get('coder-small')).toBe('mac-mini')
    expect(report.roles.find(({ role }) => role === 'planner')?.reason).toContain(
      'not marked redistributable',
    )
    const placed = [...nodes].filter(([, nodeId]) => nodeId !== null)
    expect(report.scenario.pinned).toEqual(Object.fromEntries(placed))
    expect(report.cannotRun).toBe(8 - placed.length)
    expect(report.scenario.now_secs).toBeNull()
    expect(report.scenario.allow_weight_transfer).toBe(true)
  })

  test('says why there is none for an overlay or a roster that cannot be read', async () => {
    expect(await suggestFromTexts(job({ overlayText: 'nonsense: 1\n' }))).toMatchObject({ ok: false })
    const noRoster = { ...files, files: files.files.filter(({ kind }) => kind !== 'roster') }
    expect(await suggestFromTexts(job({ lab: noRoster }))).toMatchObject({ ok: false })
  })
})

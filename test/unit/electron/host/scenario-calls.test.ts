import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HostCallArgs, HostCallName, HostCallResult } from '../../../../shared/host-api.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import { scenarioToJson } from '../../../../shared/scenario/scenario-json.ts'
import { runHost } from '../../../support/running-host.ts'

async function opened() {
  const host = await runHost()
  const ask = async <K extends HostCallName>(name: K, args: HostCallArgs<K>): Promise<HostCallResult<K>> => {
    const result = await host.dispatch(name, args)
    if (!result.ok) throw new Error(result.error.message)
    return result.value as HostCallResult<K>
  }
  await ask('openLab', { by: 'default' })
  const path = (name: string): string => join(host.home, 'llm/docs/models/scenarios', `${name}.yaml`)
  const fault = async <K extends HostCallName>(name: K, args: HostCallArgs<K>): Promise<string> => {
    const result = await host.dispatch(name, args)
    return result.ok ? '' : result.error.message
  }
  return { ...host, ask, path, fault }
}

const OFF = scenarioToJson({ ...DEFAULT_SCENARIO, offRoles: new Set(['hermes']) })
const VETO = scenarioToJson({ ...DEFAULT_SCENARIO, sharingVeto: true })

describe('a scenario kept beside the lab', () => {
  test('is made under a free name only, and is one of the lab’s files then', async () => {
    const { ask, path } = await opened()
    const saved = await ask('saveScenario', { name: 'night', scenario: OFF, baseHash: null })
    expect(saved.kind).toBe('saved')
    const text = await readFile(path('night'), 'utf8')
    expect(text).toContain('schema: lab-planner.scenario.v1\noff_roles:\n  - hermes\n')
    expect(await ask('saveScenario', { name: 'night', scenario: VETO, baseHash: null })).toMatchObject({
      kind: 'conflict',
      disk: { text },
    })
    expect(await readFile(path('night'), 'utf8')).toBe(text)
    const { lab } = await ask('reload', {})
    expect(lab.files.find(({ kind }) => kind === 'scenario')?.file).toBe(
      '~/llm/docs/models/scenarios/night.yaml',
    )
  })

  test('keeps its comments, and is not written over a version that was not read', async () => {
    const { ask, path } = await opened()
    await ask('saveScenario', { name: 'night', scenario: OFF, baseHash: null })
    await writeFile(path('night'), '# mine\nschema: lab-planner.scenario.v1\n')
    const again = await ask('saveScenario', { name: 'night', scenario: VETO, baseHash: 'another' })
    expect(again.kind).toBe('conflict')
    const hash = again.kind === 'conflict' ? (again.disk?.hash ?? '') : ''
    expect(await ask('saveScenario', { name: 'night', scenario: VETO, baseHash: hash })).toMatchObject({
      kind: 'saved',
    })
    expect(await readFile(path('night'), 'utf8')).toBe(
      '# mine\nschema: lab-planner.scenario.v1\nsharing_veto: true\n',
    )
  })

  test('is renamed to a free name only, and never in the place of another', async () => {
    const { ask, path, fault } = await opened()
    const first = await ask('saveScenario', { name: 'night', scenario: OFF, baseHash: null })
    await ask('saveScenario', { name: 'day', scenario: VETO, baseHash: null })
    const baseHash = first.kind === 'saved' ? first.hash : ''
    expect(await fault('renameScenario', { name: 'night', to: 'day', baseHash })).toContain('already')
    expect(await readFile(path('day'), 'utf8')).toContain('sharing_veto')
    expect(await ask('renameScenario', { name: 'night', to: 'dawn', baseHash: 'old' })).toMatchObject({
      kind: 'conflict',
    })
    expect(await ask('renameScenario', { name: 'night', to: 'dawn', baseHash })).toMatchObject({
      kind: 'saved',
    })
    expect(await readFile(path('dawn'), 'utf8')).toContain('hermes')
    await expect(readFile(path('night'))).rejects.toThrow('ENOENT')
  })

  test('is deleted only as it was read', async () => {
    const { ask, path, fault } = await opened()
    const saved = await ask('saveScenario', { name: 'night', scenario: OFF, baseHash: null })
    const baseHash = saved.kind === 'saved' ? saved.hash : ''
    expect(await fault('deleteScenario', { name: 'night', baseHash: 'old' })).toContain('changed')
    await readFile(path('night'))
    await ask('deleteScenario', { name: 'night', baseHash })
    await expect(readFile(path('night'))).rejects.toThrow('ENOENT')
    expect(await fault('deleteScenario', { name: 'night', baseHash })).toContain('Cannot delete')
  })

  test.each(['../out', 'a/b', '.hidden', 'con', '..'])('has a plain name, unlike %j', async (name) => {
    const { fault } = await opened()
    expect(await fault('saveScenario', { name, scenario: OFF, baseHash: null })).toContain(
      'A name begins with',
    )
  })
})

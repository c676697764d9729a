import { describe, expect, test } from 'vitest'
import { failed } from '../../../../electron/host/answers.ts'
import { createDispatcher, type HostImplementation } from '../../../../electron/host/dispatch.ts'

const SETTINGS = { theme: 'dark', zoom: 1, layout: {} } as const

/** Only what a test calls is there: anything else would fail as a fault of the host. */
function dispatcher(calls: Partial<HostImplementation>) {
  const log: unknown[] = []
  return { log, dispatch: createDispatcher(calls as HostImplementation, (error) => log.push(error)) }
}

describe('createDispatcher', () => {
  test('hands checked arguments to the host and its answer back', async () => {
    const seen: unknown[] = []
    const { dispatch } = dispatcher({
      changeSettings: (patch) => {
        seen.push(patch)
        return Promise.resolve({ ok: true, value: SETTINGS })
      },
    })
    expect(await dispatch('changeSettings', { zoom: 2 })).toEqual({ ok: true, value: SETTINGS })
    expect(seen).toEqual([{ zoom: 2 }])
  })

  test('calls nothing when the arguments do not fit, and says where', async () => {
    const { dispatch, log } = dispatcher({})
    const wrong = await dispatch('saveOverlay', { text: 5, baseHash: null })
    expect(wrong).toMatchObject({ ok: false, error: { code: 'bad_arguments' } })
    expect(JSON.stringify(wrong)).toContain('text: ')
    for (const args of [undefined, null, 'x', [], { extra: 1 }]) {
      expect(await dispatch('settings', args), JSON.stringify(args)).toMatchObject({
        error: { code: 'bad_arguments' },
      })
    }
    expect(log).toEqual([])
  })

  test('keeps its words short, whatever it was sent', async () => {
    const { dispatch } = dispatcher({})
    const answer = await dispatch('settings', { ['x'.repeat(100_000)]: 1 })
    expect(JSON.stringify(answer).length).toBeLessThan(600)
  })

  test('knows no calls but those of the contract', async () => {
    const { dispatch } = dispatcher({})
    for (const name of [
      'nothing',
      'toString',
      '__proto__',
      'constructor',
      '',
      5,
      null,
      undefined,
      ['settings'],
    ]) {
      expect(await dispatch(name, {}), String(name)).toMatchObject({ error: { code: 'unknown_call' } })
    }
  })

  test('reports a fault to the log in full, and to the caller without what it says', async () => {
    const fault = new Error('cannot read /home/ada/secret')
    const { dispatch, log } = dispatcher({
      settings: () => Promise.reject(fault),
      recentLabs: () => {
        throw fault
      },
    })
    for (const name of ['settings', 'recentLabs']) {
      const answer = await dispatch(name, {})
      expect(answer).toMatchObject({ ok: false, error: { code: 'internal' } })
      expect(JSON.stringify(answer)).not.toMatch(/secret|home|Error|\.ts:/)
    }
    expect(log).toEqual([fault, fault])
  })

  test('hands on what the host foresaw as it is', async () => {
    const { dispatch } = dispatcher({ reload: () => Promise.resolve(failed('no_lab', 'No lab.')) })
    expect(await dispatch('reload', {})).toEqual({ ok: false, error: { code: 'no_lab', message: 'No lab.' } })
  })
})

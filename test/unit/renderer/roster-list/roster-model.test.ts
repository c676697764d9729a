import { describe, expect, test } from 'vitest'
import {
  activeFilters,
  rolesWithProblems,
  summarize,
  visibleRoles,
} from '../../../../renderer/roster-list/roster-model.ts'
import { START_VIEW } from '../../../../renderer/store/view-state.ts'
import type { Problem } from '../../../../shared/problem.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { plan } = await readSampleLab({ allowTransfer: true })
const NONE = new Set<string>()
const ids = (...args: Parameters<typeof visibleRoles>): string[] =>
  visibleRoles(...args).map((role) => role.role)

describe('the roster list', () => {
  test('counts each role once, by what becomes of it, and every byte that moves', () => {
    expect(summarize(plan)).toEqual({
      counts: { all: 8, in_place: 4, after_fetching: 2, elsewhere: 1, cannot_run: 1, switched_off: 0 },
      bytesToMove: 4_300_009_904n + 7_390_001_712n + 9_400_007_520n,
      skipped: 5,
      displaced: { count: 1, bytes: 9_400_007_520n },
    })
  })

  test('finds roles by id, role text, model, repo and runtime, whatever the case', () => {
    expect(ids(plan, 'HERMES', START_VIEW.filter, NONE)).toEqual(['hermes'])
    expect(ids(plan, 'realtime', START_VIEW.filter, NONE)).toEqual(['voice-llm'])
    expect(ids(plan, 'granite', START_VIEW.filter, NONE)).toEqual(['swarm-worker'])
    expect(ids(plan, 'infer.ollama', START_VIEW.filter, NONE)).toEqual(['coder-compact'])
    expect(ids(plan, 'no such thing', START_VIEW.filter, NONE)).toEqual([])
  })

  test('filters by outcome, runtime, latency and problems, all at once', () => {
    const only = (patch: Partial<typeof START_VIEW.filter>): typeof START_VIEW.filter => ({
      ...START_VIEW.filter,
      ...patch,
    })
    expect(ids(plan, '', only({ outcome: 'after_fetching' }), NONE)).toEqual(['hermes', 'swarm-worker'])
    expect(ids(plan, '', only({ latency: 'interactive' }), NONE)).toEqual(['coder-small', 'voice-llm'])
    expect(ids(plan, '', only({ latency: 'interactive', runtime: 'infer.llamacpp' }), NONE)).toEqual([
      'voice-llm',
    ])
    expect(ids(plan, '', only({ withProblems: true }), new Set(['planner']))).toEqual(['planner'])
    expect(ids(plan, '', only({ displaced: true }), NONE)).toEqual(['coder-small'])
    expect(activeFilters(only({ runtime: 'infer.ollama', withProblems: true }))).toBe(2)
  })

  test('a role that is switched off is one that is off, not one without a place', async () => {
    const { plan: without } = await readSampleLab({ allowTransfer: true, offRoles: new Set(['coder-small']) })
    expect(summarize(without)).toMatchObject({
      counts: { in_place: 4, elsewhere: 0, switched_off: 1 },
      displaced: { count: 0, bytes: 0n },
    })
    expect(ids(without, '', { ...START_VIEW.filter, outcome: 'switched_off' }, NONE)).toEqual(['coder-small'])
  })

  test('marks a role for errors and warnings, not for information', () => {
    const problem = (severity: Problem['severity'], role: string): Problem => {
      return { severity, code: 'c', message: 'm', file: null, range: null, role }
    }
    const troubled = rolesWithProblems([problem('info', 'a'), problem('warning', 'b'), problem('error', 'c')])
    expect([...troubled]).toEqual(['b', 'c'])
  })
})

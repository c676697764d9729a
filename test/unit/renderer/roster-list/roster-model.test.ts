import { describe, expect, test } from 'vitest'
import {
  activeFilters,
  decisionGroup,
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
  test('sums up what is in place, to fetch and unplaceable', () => {
    expect(summarize(plan)).toEqual({
      counts: { all: 8, in_place: 5, fetch: 2, unplaceable: 1 },
      bytesToMove: 4_300_009_904n + 7_390_001_712n,
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

  test('filters by decision, runtime, latency and problems, all at once', () => {
    const only = (patch: Partial<typeof START_VIEW.filter>): typeof START_VIEW.filter => ({
      ...START_VIEW.filter,
      ...patch,
    })
    expect(ids(plan, '', only({ decision: 'fetch' }), NONE)).toEqual(['hermes', 'swarm-worker'])
    expect(ids(plan, '', only({ latency: 'interactive' }), NONE)).toEqual(['coder-small', 'voice-llm'])
    expect(ids(plan, '', only({ latency: 'interactive', runtime: 'infer.llamacpp' }), NONE)).toEqual([
      'voice-llm',
    ])
    expect(ids(plan, '', only({ withProblems: true }), new Set(['planner']))).toEqual(['planner'])
    expect(ids(plan, '', only({ displaced: true }), NONE)).toEqual(['coder-small'])
    expect(activeFilters(only({ runtime: 'infer.ollama', withProblems: true }))).toBe(2)
  })

  test('counts a role without a manifest among those that cannot be placed', () => {
    expect(decisionGroup({ kind: 'no_manifest', model: 'M' })).toBe('unplaceable')
  })

  test('marks a role for errors and warnings, not for information', () => {
    const problem = (severity: Problem['severity'], role: string): Problem => {
      return { severity, code: 'c', message: 'm', file: null, range: null, role }
    }
    const troubled = rolesWithProblems([problem('info', 'a'), problem('warning', 'b'), problem('error', 'c')])
    expect([...troubled]).toEqual(['b', 'c'])
  })
})

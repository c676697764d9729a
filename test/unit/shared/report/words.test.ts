import { expect, test } from 'vitest'
import type { ConstraintFailure } from '../../../../shared/eligibility/types.ts'
import { forcedWord, nodeSummary, roleNotes } from '../../../../shared/report/words.ts'
import { able, firstRole, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const A = model('model-a')
const NAS = node('nas', [whole('model-a')])
const PC = node('pc', able())

function roleOf(nodes = [NAS, PC], changes: Parameters<typeof planned>[1] = {}) {
  return firstRole(planned(lab({ manifests: [A], nodes }), changes))
}

test('a node in one line: eligible, every failure, or forced in against them', () => {
  const summaries = (changes = {}) => roleOf([node('bare', []), PC], changes).nodes.map(nodeSummary)
  expect(summaries()).toEqual([
    'runtime.infer.llamacpp is not installed on, or not reported by, this node; ' +
      'format.gguf is not installed on, or not reported by, this node; ' +
      'needs 10.0 GB, the node reports no GPU or unified memory',
    'eligible',
  ])
  const forcedNodes = new Map([
    ['bare', 'in'],
    ['pc', 'in'],
  ] as const)
  expect(summaries({ forcedNodes })[0]).toMatch(/^treated as eligible, although runtime\.infer/)
  expect(summaries({ forcedNodes })[1]).toBe('treated as eligible')
})

test('a role without a manifest has no notes', () => {
  expect(roleNotes(firstRole(planned(lab())))).toEqual([])
})

test('says whose word puts a node in or out', () => {
  const out = (failure: ConstraintFailure) => forcedWord({ forced: 'out', failures: [failure] })
  expect(forcedWord({ forced: null, failures: [] })).toBeNull()
  expect(forcedWord({ forced: 'in', failures: [] })).toBe('treated as eligible')
  expect(out({ constraint: 'override', by: 'operator' })).toBe('ruled out')
  expect(out({ constraint: 'override', by: 'declaration' })).toBe('ruled out')
  expect(out({ constraint: 'override', by: 'pin', pinnedTo: 'gpu-box' })).toBe('pinned elsewhere')
  expect(out({ constraint: 'override', by: 'away' })).toBe('treated as offline')
})

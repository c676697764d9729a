import { describe, expect, test } from 'vitest'
import { GB } from '../../../../shared/bytes.ts'
import type { Unplaceable } from '../../../../shared/locality/types.ts'
import type { ConstraintFailure } from '../../../../shared/eligibility/types.ts'
import type { RoleDecision } from '../../../../shared/plan/types.ts'
import {
  forcedWord,
  nodeSummary,
  roleNotes,
  shortVerdict,
  verdictHeadline,
  verdictSentence,
} from '../../../../shared/report/words.ts'
import { bytesToMove, decidedNode, isPlaced } from '../../../../shared/plan/outcome.ts'
import { able, declaredNode, entry, firstRole, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const A = model('model-a')
const NAS = node('nas', [whole('model-a')])
const PC = node('pc', able())

function roleOf(nodes = [NAS, PC], changes: Parameters<typeof planned>[1] = {}) {
  return firstRole(planned(lab({ manifests: [A], nodes }), changes))
}

describe('the verdict in a sentence', () => {
  test('says where a role runs', () => {
    expect(verdictHeadline(roleOf([node('own', [...able(), whole('model-a')])]))).toBe(
      'Run on own: it already holds the whole model, nothing is copied.',
    )
  })

  test('says what is fetched, with rounded and exact bytes and all sources', () => {
    const sources = [NAS, node('nas-2', [whole('model-a')]), PC]
    expect(verdictSentence(roleOf(sources, { transfer: true }))).toBe(
      'Fetch 2 shards (10.0 GB) to pc from nas and nas-2, then run there. ' +
        '10,000,000,000 bytes would move; any of the sources can serve them.',
    )
  })

  const none: readonly [string, Parameters<typeof roleOf>, RegExp][] = [
    ['no node holds it', [[PC]], /no node holds the whole model.*Adopt the model/],
    ['no node can run it', [[NAS]], /no node passes the constraints\. 1 node looked at/],
    ['transfer is off', [], /weight transfer is off\. nas holds the model\. Allow weight transfer/],
    [
      'sharing is vetoed',
      [[NAS, PC], { transfer: true, sharingVeto: true }],
      /nas holds the model, but sharing is vetoed/,
    ],
  ]
  test.each(none)('says why not: %s', (_name, args, sentence) => {
    expect(verdictSentence(roleOf(...args))).toMatch(sentence)
  })

  test('says why not: over the ceiling, and no space, with both operands', () => {
    const policy = { allowWeightTransfer: true, maxBytes: 9n * GB, freeHeadroomBytes: 0n }
    expect(verdictSentence(roleOf(undefined, { policy }))).toContain(
      '10.0 GB would have to move, over the ceiling of 9.0 GB',
    )
    const roomy = { ...policy, maxBytes: null, freeHeadroomBytes: 100n * GB }
    expect(verdictSentence(roleOf(undefined, { policy: roomy }))).toContain(
      'needs 110.0 GB free and has 100.0 GB',
    )
    const unknown = declaredNode('pc', { eligible: true })
    expect(verdictSentence(roleOf([NAS, unknown], { transfer: true }))).toContain('its free space is unknown')
  })

  test('says why not: no manifest, by name and without one', () => {
    const roles = planned(lab({ entries: [entry('a'), entry('b', { name: '"x y"', port: '1' })] })).roles
    expect(roles.map(verdictHeadline)).toEqual([
      'Cannot be placed: no manifest is named model-a; adopt the model or add its manifest.',
      'Cannot be placed: the roster’s name for it is not a plain token, so no manifest can be named by it.',
    ])
  })
})

test('a decision in a few words, its node and its bytes', () => {
  const fetch: RoleDecision = {
    kind: 'fetch_then_place',
    target: 'pc',
    sources: ['nas'],
    bytes: 7n,
    missingShards: 1,
  }
  const decisions: RoleDecision[] = [
    { kind: 'place_at_holder', nodeId: 'own' },
    fetch,
    { kind: 'unplaceable', unplaceable: { reason: 'no_holder' } },
    { kind: 'no_manifest', model: null },
  ]
  expect(decisions.map(shortVerdict)).toEqual(['in place', 'fetch', 'no holder', 'no manifest'])
  expect(decisions.map(decidedNode)).toEqual(['own', 'pc', null, null])
  expect(decisions.map(isPlaced)).toEqual([true, true, false, false])
  expect(decisions.map(bytesToMove)).toEqual([0n, 7n, 0n, 0n])
})

test('every reason has its few words', () => {
  const reasons: Unplaceable[] = [
    { reason: 'no_holder' },
    { reason: 'no_eligible_node' },
    { reason: 'transfer_disabled' },
    { reason: 'not_redistributable' },
    { reason: 'over_ceiling', bytes: 2n, max: 1n },
    { reason: 'no_space', needed: 1n, free: null },
  ]
  const words = reasons.map((unplaceable) => shortVerdict({ kind: 'unplaceable', unplaceable }))
  expect(new Set(words).size).toBe(reasons.length)
})

test('a node in one line: eligible, every failure, or forced in against them', () => {
  const summaries = (changes = {}) => roleOf([node('bare', []), PC], changes).nodes.map(nodeSummary)
  expect(summaries()).toEqual([
    'runtime.infer.llamacpp is not advertised; format.gguf is not advertised; ' +
      'needs 10.0 GB, the node tells of no accelerator or unified memory',
    'eligible',
  ])
  const forcedNodes = new Map([
    ['bare', 'in'],
    ['pc', 'in'],
  ] as const)
  expect(summaries({ forcedNodes })[0]).toMatch(/^eligible \(forced in, although runtime\.infer.*\)$/)
  expect(summaries({ forcedNodes })[1]).toBe('eligible (forced in)')
})

test('a role without a manifest has no notes', () => {
  expect(roleNotes(firstRole(planned(lab())))).toEqual([])
})

test('says whose word puts a node in or out', () => {
  const out = (failure: ConstraintFailure) => forcedWord({ forced: 'out', failures: [failure] })
  expect(forcedWord({ forced: null, failures: [] })).toBeNull()
  expect(forcedWord({ forced: 'in', failures: [] })).toBe('forced in')
  expect(out({ constraint: 'override', by: 'operator' })).toBe('forced out')
  expect(out({ constraint: 'override', by: 'declaration' })).toBe('forced out')
  expect(out({ constraint: 'override', by: 'pin', pinnedTo: 'gpu-box' })).toBe('pinned elsewhere')
  expect(out({ constraint: 'override', by: 'away' })).toBe('away')
})

import { describe, expect, test } from 'vitest'
import { GB } from '../../../../shared/bytes.ts'
import { decidedBytes, decidedNode } from '../../../../shared/locality/decided.ts'
import type { Unplaceable } from '../../../../shared/locality/types.ts'
import type { RoleDecision } from '../../../../shared/plan/types.ts'
import { outcomeHeadline, outcomeSentence, shortReason } from '../../../../shared/report/outcome-words.ts'
import { able, declaredNode, entry, firstRole, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const A = model('model-a')
const NAS = node('nas', [whole('model-a')])
const PC = node('pc', able())

function roleOf(nodes = [NAS, PC], changes: Parameters<typeof planned>[1] = {}) {
  return firstRole(planned(lab({ manifests: [A], nodes }), changes))
}

describe('the outcome in a sentence', () => {
  test('says where a role runs', () => {
    expect(outcomeHeadline(roleOf([node('own', [...able(), whole('model-a')])]))).toBe(
      'Run on own: it already holds the whole model, nothing is copied.',
    )
  })

  test('says what is fetched, with rounded and exact bytes and all sources', () => {
    const sources = [NAS, node('nas-2', [whole('model-a')]), PC]
    expect(outcomeSentence(roleOf(sources, { transfer: true }))).toBe(
      'Fetch 2 shards (10.0 GB) to pc from nas and nas-2, then run there. ' +
        '10,000,000,000 bytes would move; any of the sources can serve them.',
    )
  })

  const none: readonly [string, Parameters<typeof roleOf>, RegExp][] = [
    ['no node holds it', [[PC]], /no node holds the whole model.*Adopt the model/],
    ['no node can run it', [[NAS]], /no node passes the constraints\. 1 node looked at/],
    ['transfer is off', [], /weight transfer is off\. nas holds the model\.$/],
    [
      'copying weights is forbidden',
      [[NAS, PC], { transfer: true, sharingVeto: true }],
      /nas holds the model\. Copying weights is forbidden/,
    ],
  ]
  test.each(none)('says why not: %s', (_name, args, sentence) => {
    expect(outcomeSentence(roleOf(...args))).toMatch(sentence)
  })

  test('says when a role is pinned to a node that the lab does not have', () => {
    const pinned = (to: string) =>
      outcomeSentence(roleOf([NAS, PC], { pinned: new Map([[roleOf().role, to]]) }))
    expect(pinned('nowhere')).toContain('It is pinned to nowhere, which is not in the lab.')
    expect(pinned('pc')).not.toContain('not in the lab')
  })

  test('says why not: over the ceiling, and no space, with both operands', () => {
    const policy = { allowWeightTransfer: true, maxBytes: 9n * GB, freeHeadroomBytes: 0n }
    expect(outcomeSentence(roleOf(undefined, { policy }))).toContain(
      '10.0 GB would have to move, over the ceiling of 9.0 GB',
    )
    const roomy = { ...policy, maxBytes: null, freeHeadroomBytes: 100n * GB }
    expect(outcomeSentence(roleOf(undefined, { policy: roomy }))).toContain(
      'needs 110.0 GB free and has 100.0 GB',
    )
    const unknown = declaredNode('pc', { eligible: true })
    expect(outcomeSentence(roleOf([NAS, unknown], { transfer: true }))).toContain('its free space is unknown')
  })

  test('says why not: no manifest, by name and without one', () => {
    const roles = planned(lab({ entries: [entry('a'), entry('b', { name: '"x y"', port: '1' })] })).roles
    expect(roles.map(outcomeHeadline)).toEqual([
      'Cannot run: no manifest is named model-a; adopt the model or add its manifest.',
      'Cannot run: no manifest can have the roster’s name for it; rename it: only letters, digits and . _ + : -.',
    ])
  })
})

test('says that allowing transfer is not enough where the manifest does not allow copying', () => {
  const role = firstRole(
    planned(lab({ manifests: [{ ...A, body: { ...A.body, redistributable: false } }], nodes: [NAS, PC] })),
  )
  expect(outcomeSentence(role)).toMatch(
    /weight transfer is off\. nas holds the model\. Its manifest is not marked redistributable/,
  )
})

test('a decision’s node and bytes', () => {
  const decisions: RoleDecision[] = [
    { kind: 'place_at_holder', nodeId: 'own' },
    { kind: 'fetch_then_place', target: 'pc', sources: ['nas'], bytes: 7n, missingShards: 1 },
    { kind: 'unplaceable', unplaceable: { reason: 'no_holder' } },
    { kind: 'no_manifest', model: null },
  ]
  expect(decisions.map(decidedNode)).toEqual(['own', 'pc', null, null])
  expect(decisions.map(decidedBytes)).toEqual([0n, 7n, 0n, 0n])
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
  const words = reasons.map((unplaceable) =>
    shortReason({ kind: 'by_itself', decision: { kind: 'unplaceable', unplaceable } }),
  )
  expect(new Set(words).size).toBe(reasons.length)
})

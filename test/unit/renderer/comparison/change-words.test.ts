import { describe, expect, test } from 'vitest'
import { fieldLine, furtherFields, unchangedSentence } from '../../../../renderer/comparison/change-words.ts'
import { diffPlans, planOutline, type RoleChange } from '../../../../shared/report/plan-diff.ts'
import { standingText } from '../../../../shared/report/diff-text.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

async function changesOfTransfer(): Promise<ReadonlyMap<string, RoleChange>> {
  const before = await readSampleLab({ allowTransfer: false })
  const after = await readSampleLab({ allowTransfer: true })
  const { roles } = diffPlans(planOutline(before.plan), planOutline(after.plan))
  return new Map(roles.map((change) => [change.role, change]))
}

function lines(change: RoleChange | undefined): readonly string[] {
  return change === undefined ? [] : furtherFields(change).map(fieldLine)
}

describe('the fields of a changed role', () => {
  test('leave out what the two outcomes in words say already', async () => {
    const changes = await changesOfTransfer()
    expect(lines(changes.get('hermes'))).toEqual([
      'shards to fetch: none → 1',
      'fetched from: none → archive-nas',
    ])
    expect(lines(changes.get('planner'))).toEqual([])
  })

  test('leave the node and the bytes of another outcome to its words', async () => {
    const change = (await changesOfTransfer()).get('coder-small')
    expect(standingText(change?.to ?? { kind: 'absent' })).toMatch(/9\.4 GB.*mac-mini|mac-mini.*9\.4 GB/)
    expect(lines(change)).toEqual([])
  })

  test('show exact bytes where the decisions read the same', async () => {
    const { plan } = await readSampleLab({ allowTransfer: true })
    const outline = planOutline(plan)
    const roles = outline.roles.map((role) =>
      role.role === 'hermes' && role.decision.kind === 'fetch_then_place'
        ? { ...role, decision: { ...role.decision, bytes: role.decision.bytes + 1n } }
        : role,
    )
    const [change] = diffPlans(outline, { ...outline, roles }).roles
    expect(lines(change)).toEqual(['bytes on its own: 4,300,009,904 bytes → 4,300,009,905 bytes'])
  })
})

describe('the sentence when no role differs', () => {
  test.each([
    [0, 'Nothing differs from the baseline.'],
    [1, '1 input differs, without effect on any role.'],
    [2, '2 inputs differ, without effect on any role.'],
  ])('%i differences', (count, sentence) => {
    expect(unchangedSentence(count)).toBe(sentence)
  })
})

import { describe, expect, test } from 'vitest'
import { planMarkdown, roleMarkdown } from '../../../../shared/report/plan-markdown.ts'
import { able, entry, firstRole, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const OF = lab({
  entries: [
    entry('role-a'),
    entry('role-b', { port: '1', name: 'model-b' }),
    entry('"a|b*<c>\\nd"', { port: '2' }),
  ],
  manifests: [model('model-a'), model('model-b')],
  nodes: [node('nas', [whole('model-a')]), node('pc', [...able(), whole('model-b')])],
})

const SOURCE = { lab: '~/l*b', scenario: 'busy-night' }

describe('a plan as Markdown', () => {
  const text = planMarkdown(planned(OF, { transfer: true, nowSecs: 1_764_579_600 }), SOURCE)

  test('sums up, reports its terms and tabulates every role', () => {
    expect(text).toContain(
      '2 of 2 roles run, 10.0 GB (10,000,000,000 bytes) would move, 1 entry skipped.\n\n' +
        '- lab: \\~/l\\*b\n- files read: 2025-12-01 09:00 UTC\n- scenario: busy-night\n' +
        '- weight transfer: on\n- ceiling: none\n- headroom: 1 GiB\n\n' +
        '| Role | Runtime | Latency | Outcome | Bytes to move | Where |\n' +
        '| --- | --- | --- | --- | ---: | --- |\n' +
        '| role-a | infer.llamacpp | batch | fetch | 10000000000 | pc |\n' +
        '| role-b | infer.llamacpp | batch | in place | 0 | pc |\n',
    )
  })

  test('takes every character of a file literally, on one line', () => {
    expect(text).toContain('- a\\|b\\*\\<c\\> d: id is not a plain token\n')
  })

  test('explains what moves or is not placed, and every role when asked', () => {
    expect(text).toContain('\n## role-a\n')
    expect(text).not.toContain('\n## role-b\n')
    expect(planMarkdown(planned(OF, { transfer: true }), SOURCE, 'every')).toContain('\n## role-b\n')
  })

  test('lists problems with their places', () => {
    const withProblem = planMarkdown(planned(OF, { overlay: 'sticky: {ghost: true}\n' }), SOURCE)
    expect(withProblem).toContain(
      '- warning: sticky names ghost, which is no role of the roster; it has no effect (overlay.yaml:1:10)\n',
    )
  })
})

test('one role as Markdown: verdict, facts, notes to the letter and every node', () => {
  const text = roleMarkdown(firstRole(planned(OF, { transfer: true })))
  expect(text).toMatch(/^# role-a\n\nFetch 2 shards \(10\.0 GB\) to pc from nas, then run there\./)
  expect(text).toContain('- memory: 10.0 GB (10,000,000,000 bytes)\n')
  expect(text).toContain('```text\nmodel model-a (2 shards, 10000000000 bytes)\nnode nas: ')
  expect(text).toContain('| pc | eligible | holds nothing, misses 10.0 GB | 100.0 GB free for weights |  |\n')
  expect(text).toContain('memory: needs 10.0 GB, the node reports no GPU or unified memory |')
})

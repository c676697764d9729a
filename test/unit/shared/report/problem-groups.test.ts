import { expect, test } from 'vitest'
import type { Problem, Severity } from '../../../../shared/problem.ts'
import { groupProblems, worstProblemText } from '../../../../shared/report/problem-groups.ts'

function some(count: number, severity: Severity, code: string): Problem[] {
  return Array.from({ length: count }, (_, i) => ({
    ...{ severity, code, message: `${code} ${i}`, file: null, range: null },
  }))
}

test('problems of one kind are one group that says how many there are; few stand for themselves', () => {
  const groups = groupProblems([
    ...some(254, 'warning', 'ram-below-manifest'),
    ...some(3, 'info', 'exclude-one-sided'),
    ...some(5, 'warning', 'other'),
  ])
  expect(groups.map(({ headline, problems }) => [headline, problems.length])).toEqual([
    ['254 roles: `ram_gb` is below the shards’ size', 254],
    ['5 problems of one kind, such as: other 0', 5],
    [null, 1],
    [null, 1],
    [null, 1],
  ])
})

test('the worst is the worst by severity, not the first', () => {
  const problems = [...some(9, 'info', 'a'), ...some(1, 'warning', 'b'), ...some(1, 'error', 'c')]
  expect(worstProblemText(problems)).toBe('c 0')
  expect(worstProblemText(problems.slice(0, 10))).toBe('b 0')
  expect(worstProblemText([])).toBeNull()
})

import { expect, test } from 'vitest'
import { looksLikeRoster } from '../../../../shared/roster/looks-like-roster.ts'

test.each([
  'roster: []',
  '\uFEFFroster:\n- id: [',
  '# mine\nmeta: 1\nroster :\n',
  '"roster": []',
  "{a: 1, 'roster': []}",
  '{"roster": []}',
  '? roster\n: []',
])('%j means to be a roster', (text) => {
  expect(looksLikeRoster(text)).toBe(true)
})

test.each(['', 'password: x', 'the roster: none', 'rosters: []', '# roster: x\npassword: y'])(
  '%j does not',
  (text) => {
    expect(looksLikeRoster(text)).toBe(false)
  },
)

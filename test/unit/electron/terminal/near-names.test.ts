import { expect, test } from 'vitest'
import { nearNames } from '../../../../electron/terminal/near-names.ts'

const ROLES = ['coder-daily', 'coder-compact', 'planner', 'hermes', 'tts']

test('a slip of the keyboard finds its name, whatever the case', () => {
  expect(nearNames('hermse', ROLES)).toEqual(['hermes'])
  expect(nearNames('PLANER', ROLES)).toEqual(['planner'])
})

test('a part of a name finds the names that have it', () => {
  expect(nearNames('coder', ROLES)).toEqual(['coder-daily', 'coder-compact'])
})

test('the nearest comes first, and no more than three come', () => {
  expect(nearNames('role-1', ['role-22', 'role-2', 'role-1x', 'role-3', 'role-11'])).toHaveLength(3)
  expect(nearNames('planer', ['planet-9', 'planner'])[0]).toBe('planner')
})

test('a name that resembles none finds none', () => {
  expect(nearNames('zzzzzz', ROLES)).toEqual([])
  expect(nearNames('x', ROLES)).toEqual([])
})

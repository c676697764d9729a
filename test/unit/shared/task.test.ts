import { expect, test } from 'vitest'
import { runSync, Lazy } from '../../../shared/task.ts'

function counted(): { readonly later: Lazy<string>; readonly parts: () => number } {
  let parts = 0
  const later = new Lazy(function* () {
    for (let i = 0; i < 3; i++) {
      parts++
      yield
    }
    return 'made'
  })
  return { later, parts: () => parts }
}

test('works nothing out before somebody asks, and then once', () => {
  const { later, parts } = counted()
  expect(parts()).toBe(0)
  expect([later.value(), later.value(), runSync(later.precompute())]).toEqual(['made', 'made', 'made'])
  expect(parts()).toBe(3)
})

test('is there at once when it was worked out ahead, and as good when that was given up half way', () => {
  const ahead = counted()
  const steps = ahead.later.precompute()
  steps.next()
  expect(ahead.parts()).toBe(1)
  expect(runSync(steps)).toBe('made')
  expect([ahead.later.value(), ahead.parts()]).toEqual(['made', 3])

  const givenUp = counted()
  givenUp.later.precompute().next()
  expect(givenUp.later.value()).toBe('made')
})

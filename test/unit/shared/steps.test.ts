import { expect, it } from 'vitest'
import { atOnce, Later } from '../../../shared/steps.ts'

function counted(): { readonly later: Later<string>; readonly parts: () => number } {
  let parts = 0
  const later = new Later(function* () {
    for (let i = 0; i < 3; i++) {
      parts++
      yield
    }
    return 'made'
  })
  return { later, parts: () => parts }
}

it('works nothing out before somebody asks, and then once', () => {
  const { later, parts } = counted()
  expect(parts()).toBe(0)
  expect([later.now(), later.now(), atOnce(later.ahead())]).toEqual(['made', 'made', 'made'])
  expect(parts()).toBe(3)
})

it('is there at once when it was worked out ahead, and as good when that was given up half way', () => {
  const ahead = counted()
  const steps = ahead.later.ahead()
  steps.next()
  expect(ahead.parts()).toBe(1)
  expect(atOnce(steps)).toBe('made')
  expect([ahead.later.now(), ahead.parts()]).toEqual(['made', 3])

  const givenUp = counted()
  givenUp.later.ahead().next()
  expect(givenUp.later.now()).toBe('made')
})

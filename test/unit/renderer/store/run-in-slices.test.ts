import { expect, test } from 'vitest'
import { runInSlices } from '../../../../renderer/store/run-in-slices.ts'

/** Task that each take so many milliseconds. */
function* busySteps(count: number, ms: number): Generator<void, string> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + ms
    while (performance.now() < end);
    yield
  }
  return 'done'
}

test('returns the result of the steps', async () => {
  expect(await runInSlices(busySteps(3, 0), () => false)).toEqual({ value: 'done' })
})

test('lets others have their turn in between', async () => {
  let turns = 0
  const other = setInterval(() => turns++, 0)
  let told = 0
  await runInSlices(
    busySteps(20, 5),
    () => false,
    () => told++,
  )
  clearInterval(other)
  expect(told).toBeGreaterThanOrEqual(5)
  expect(turns).toBeGreaterThan(0)
})

test('stops at a turn once it is given up', async () => {
  let isGivenUp = false
  const steps = busySteps(1000, 5)
  const running = runInSlices(
    steps,
    () => isGivenUp,
    () => {
      isGivenUp = true
    },
  )
  expect(await running).toBeNull()
  expect(steps.next().done).toBe(false)
})

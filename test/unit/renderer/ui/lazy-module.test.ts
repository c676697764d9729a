import { expect, test, vi } from 'vitest'
import { createLazyModule } from '../../../../renderer/ui/lazy-module.ts'

test('is fetched once, and notifies its listeners when it is there', async () => {
  const load = vi.fn(() => Promise.resolve('the panes'))
  const arrival = createLazyModule(load)
  const heard = vi.fn()
  const stop = arrival.subscribe(heard)
  expect(arrival.now()).toBeNull()
  arrival.fetch()
  arrival.fetch()
  await expect.poll(() => arrival.now()).toEqual({ value: 'the panes' })
  expect(heard).toHaveBeenCalledTimes(1)
  stop()
  arrival.fetch()
  expect(load).toHaveBeenCalledTimes(1)
})

test('keeps why it did not arrive, and tries again when it is asked again', async () => {
  const gone = new Error('the host is gone')
  let isGone = true
  const arrival = createLazyModule(() => (isGone ? Promise.reject(gone) : Promise.resolve('the panes')))
  arrival.fetch()
  await expect.poll(() => arrival.now()).toEqual({ error: gone })
  isGone = false
  arrival.forgive()
  expect(arrival.now()).toBeNull()
  arrival.fetch()
  await expect.poll(() => arrival.now()).toEqual({ value: 'the panes' })
})

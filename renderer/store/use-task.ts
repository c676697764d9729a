import { useEffect, useState } from 'react'
import type { Task } from '../../shared/task.ts'
import { runInSlices } from './run-in-slices.ts'

/**
 * The result of the task that `make` makes, run in slices; null until it is there, and while there is none to run. Another
 * `make` gives up the one before: keep it the same for as long as the question is.
 */
export function useTask<T>(make: (() => Task<T>) | null): T | null {
  const [answer, setAnswer] = useState<{ readonly of: typeof make; readonly value: T } | null>(null)
  useEffect(() => {
    if (make === null) return undefined
    let isGivenUp = false
    const run = async (): Promise<void> => {
      const done = await runInSlices(make(), () => isGivenUp)
      if (done !== null && !isGivenUp) setAnswer({ of: make, value: done.value })
    }
    void run()
    return () => {
      isGivenUp = true
    }
  }, [make])
  return answer?.of === make ? answer.value : null
}

import type { Page } from '@playwright/test'
import type {
  HostCallArgs,
  HostCallName,
  HostCallResult,
  HostClient,
  HostResult,
} from '../../shared/host-api.ts'

/** Makes a call from inside the page, by the way the page itself has. */
export async function callHost<K extends HostCallName>(
  page: Page,
  name: K,
  args: HostCallArgs<K>,
): Promise<HostResult<HostCallResult<K>>> {
  const result = await page.evaluate(
    async ([callName, callArgs]) => {
      const bridge = (window as unknown as { readonly labPlanner?: HostClient }).labPlanner
      if (bridge) return (bridge.call[callName] as (args: unknown) => Promise<unknown>)(callArgs)
      const response = await fetch(`/api/${callName}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('lab-planner-key') ?? ''}`,
        },
        body: JSON.stringify(callArgs),
      })
      return (await response.json()) as unknown
    },
    [name, args] as const,
  )
  return result as HostResult<HostCallResult<K>>
}

/** The value of a call that must succeed. */
export async function askHost<K extends HostCallName>(
  page: Page,
  name: K,
  args: HostCallArgs<K>,
): Promise<HostCallResult<K>> {
  const result = await callHost(page, name, args)
  if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`)
  return result.value
}

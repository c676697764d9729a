import type { z } from 'zod'
import { HOST_CALLS, type HostCallName, type HostCallResult, type HostResult } from '../../shared/host-api.ts'
import { failed } from './answers.ts'

/** The arguments of a call after its schema accepted them. */
type CheckedArgs<K extends HostCallName> = z.output<(typeof HOST_CALLS)[K]['args']>

/** What a host implements: every call, with arguments that are known to be right. */
export type HostImplementation = {
  readonly [K in HostCallName]: (args: CheckedArgs<K>) => Promise<HostResult<HostCallResult<K>>>
}

/** Carries out a call that came from outside; never throws. */
export type Dispatch = (name: unknown, args: unknown) => Promise<HostResult<unknown>>

/**
 * The one door to a host: names and arguments are checked by {@link HOST_CALLS} before anything happens. A
 * failure that the host did not foresee goes to `log` in full and to the caller without paths or stack.
 */
export function createDispatcher(host: HostImplementation, log: (error: unknown) => void): Dispatch {
  return async (name, args) => {
    if (!isCallName(name)) return failed('unknown_call', 'There is no such call.')
    try {
      return await checkedCall(host, name, args)
    } catch (error) {
      log(error)
      return failed('internal', 'Lab Planner failed at this. Its own output says more.')
    }
  }
}

function isCallName(name: unknown): name is HostCallName {
  return typeof name === 'string' && Object.hasOwn(HOST_CALLS, name)
}

/**
 * Every call's schema, seen as one type: a name and its arguments belong together, which TypeScript cannot
 * follow.
 */
const SCHEMAS: Readonly<Record<HostCallName, { readonly args: z.ZodType }>> = HOST_CALLS

async function checkedCall(
  host: HostImplementation,
  name: HostCallName,
  args: unknown,
): Promise<HostResult<unknown>> {
  const checked = SCHEMAS[name].args.safeParse(args)
  if (!checked.success) return failed('bad_arguments', argumentsMessage(name, checked.error))
  const call = host[name] as (args: unknown) => Promise<HostResult<unknown>>
  return call(checked.data)
}

/** Names the first few faults by their place; values are not repeated, they may be long or private. */
function argumentsMessage(name: HostCallName, error: z.ZodError): string {
  const faults = error.issues.slice(0, 3).map(({ path, message }) => {
    const place = path.map(String).join('.').slice(0, 100)
    return place === '' ? message : `${place}: ${message}`
  })
  return `The arguments of ${name} do not fit: ${faults.join('; ').slice(0, 400)}.`
}

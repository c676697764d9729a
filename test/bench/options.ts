import { parseArgs } from 'node:util'

/** What `npm run bench` is asked for. */
export interface BenchOptions {
  readonly json: boolean
  readonly page: boolean
  readonly electron: boolean
  /** How many times slower Chromium makes the page's processor; 1 leaves it as it is. */
  readonly throttle: number
  /** What a case's name must have in it; empty for all. */
  readonly only: string
}

/** Reads the arguments; throws on one that is unknown, and on a throttle that is not a number from 1 on. */
export function benchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      electron: { type: 'boolean', default: false },
      throttle: { type: 'string', default: '1' },
    },
  })
  const throttle = Number(values.throttle)
  if (!Number.isFinite(throttle) || throttle < 1)
    throw new Error(`--throttle takes a number from 1 on, not “${values.throttle}”`)
  const { json, page, electron } = values
  return { json, page, electron, throttle, only: positionals.join(' ') }
}

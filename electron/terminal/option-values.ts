import { InvalidArgumentError } from 'commander'
import { gibToBytes } from '../../shared/bytes.ts'
import { MAX_HASH_THREADS } from '../../shared/scan/walk-rules.ts'
import { parseNodeArgument } from '../../shared/node/node-argument.ts'
import type { DeclaredNode } from '../../shared/node/types.ts'

/* What the values of options mean; a value that means nothing is commander's own kind of error. */

export function parseGib(text: string): bigint {
  const bytes = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? gibToBytes(Number(text)) : null
  if (bytes === null) throw new InvalidArgumentError('It must be a number of GiB from 0, such as 40 or 0.5.')
  return bytes
}

export function parseLimit(text: string): number {
  const seconds = /^(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN
  if (!(seconds >= 1 && seconds <= 3600))
    throw new InvalidArgumentError('It must be a number of seconds from 1 to 3600.')
  return seconds
}

/** What `--threads` is for. */
export const THREADS_WORDS = 'how many threads hash weights (default: half of the cores)'

export function parseThreads(text: string): number {
  const threads = /^\d{1,3}$/.test(text) ? Number(text) : NaN
  if (!(threads >= 1 && threads <= MAX_HASH_THREADS))
    throw new InvalidArgumentError(`It must be a number of threads from 1 to ${MAX_HASH_THREADS}.`)
  return threads
}

export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a port, 0 to 65535; 0 is any free one.')
  return port
}

export function parseSeconds(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(seconds)) {
    throw new InvalidArgumentError('It must be whole unix seconds, such as 1790000000.')
  }
  return seconds
}

export function addNode(spec: string, before: readonly DeclaredNode[] = []): readonly DeclaredNode[] {
  const read = parseNodeArgument(spec)
  if (!read.ok) throw new InvalidArgumentError(read.problems.map(({ message }) => message).join('; '))
  return [...before, read.value]
}

export function addForcedNode(
  text: string,
  before: ReadonlyMap<string, 'in' | 'out'> = new Map(),
): ReadonlyMap<string, 'in' | 'out'> {
  const [, id, way] = /^(.+)=(in|out)$/.exec(text) ?? []
  if (id === undefined || (way !== 'in' && way !== 'out')) {
    throw new InvalidArgumentError('It must be ID=in or ID=out, such as gpu-box=out.')
  }
  const known = before.get(id)
  if (known !== undefined && known !== way) {
    throw new InvalidArgumentError(`${id} cannot be forced both in and out.`)
  }
  return new Map([...before, [id, way]])
}

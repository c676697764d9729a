/** The texts of one control group's files. */
export interface ControlGroupTexts {
  /** `memory.max`, or `memory.limit_in_bytes` of the first version. */
  readonly limit: string
  /** `memory.current`, or `memory.usage_in_bytes`. */
  readonly used: string
  /** `memory.stat`. */
  readonly stat: string
}

/** What a control group lets its processes have, in bytes. */
export interface MemoryLimit {
  readonly total: bigint
  readonly free: bigint
}

/** The most that is a limit; the first version writes a figure next to 2^63 for none. */
const MOST = 2n ** 60n

/**
 * The memory of a control group; null where it has no limit. Pages of files that were read count as used there though
 * they are given up when memory is wanted, so that they are free here: hashing weights fills a container with them.
 */
export function memoryLimitOf({ limit, used, stat }: ControlGroupTexts): MemoryLimit | null {
  const total = bytesIn(limit)
  if (total === null || total >= MOST) return null
  const held = (bytesIn(used) ?? 0n) - filePages(stat)
  const free = total - (held < 0n ? 0n : held)
  return { total, free: free < 0n ? 0n : free }
}

/** The figures of a machine within `limit`, where that is less. */
export function withinLimit(
  total: bigint,
  free: bigint,
  limit: MemoryLimit | null,
): { readonly total: bigint; readonly free: bigint; readonly limited?: boolean } {
  if (limit === null || limit.total >= total) return { total, free }
  return { total: limit.total, free: limit.free < free ? limit.free : free, limited: true }
}

function bytesIn(text: string): bigint | null {
  return /^\d{1,19}$/.test(text.trim()) ? BigInt(text.trim()) : null
}

/** Bytes of files in memory, that can be given up; `total_` in the first version, whose own figures lack the groups below. */
function filePages(stat: string): bigint {
  const figures = new Map(
    [...stat.matchAll(/^(\w+) (\d{1,19})$/gm)].map(([, name, bytes]) => [name, BigInt(bytes ?? 0)]),
  )
  const figure = (name: string): bigint => figures.get(`total_${name}`) ?? figures.get(name) ?? 0n
  return figure('inactive_file') + figure('active_file')
}

/** A folder of a control group, and what its files are called there. */
export interface ControlGroupFolder {
  readonly folder: string
  readonly limit: string
  readonly used: string
}

const ROOT = '/sys/fs/cgroup'

/**
 * The folders of the control groups that a process is in, each with those around it, by the text of its
 * `/proc/self/cgroup`.
 */
export function controlGroupFolders(text: string): readonly ControlGroupFolder[] {
  return text.split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) return []
    const second = controllers === ''
    if (!second && !controllers.split(',').includes('memory')) return []
    const [root, limit, used] = second
      ? [ROOT, 'memory.max', 'memory.current']
      : [`${ROOT}/memory`, 'memory.limit_in_bytes', 'memory.usage_in_bytes']
    const parts = path.split('/').filter((part) => part !== '' && part !== '..')
    return [...parts.keys(), parts.length].map((length) => {
      return { folder: [root, ...parts.slice(0, length)].join('/'), limit, used }
    })
  })
}

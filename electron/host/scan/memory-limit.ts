import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { controlGroupFolders, memoryLimitOf, type MemoryLimit } from '../../../shared/scan/control-group.ts'

/**
 * What the control groups that this process is in let it have of the memory; null without a limit.
 *
 * @param root where the system's files are; a test has others.
 */
export async function linuxMemoryLimit(root = '/'): Promise<MemoryLimit | null> {
  const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8').catch(() => '')
  const folders = controlGroupFolders(await read('/proc/self/cgroup'))
  const limits = await Promise.all(
    folders.map(async ({ folder, limit, used }) => {
      const texts = [limit, used, 'memory.stat'].map((name) => read(join(folder, name)))
      const [limitText = '', usedText = '', stat = ''] = await Promise.all(texts)
      return memoryLimitOf({ limit: limitText, used: usedText, stat })
    }),
  )
  return limits.reduce((least, each) => {
    if (least === null || each === null) return least ?? each
    return {
      total: each.total < least.total ? each.total : least.total,
      free: each.free < least.free ? each.free : least.free,
    }
  }, null)
}

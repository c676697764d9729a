import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { readSshConfig } from '../../../shared/gather/ssh-config.ts'
import { realDisk, type Disk } from '../disk.ts'
import { expandHome } from '../paths.ts'
import { readTextFile } from '../read-text-file.ts'

const MAX_CONFIG_BYTES = 1024 * 1024
/** More files than any configuration has; `Include` may lead in a circle. */
const MAX_FILES = 64

/** The hosts that the operator's ssh configuration names, its included files too; none where there is none. */
export async function sshConfigHosts(home = homedir(), disk: Disk = realDisk): Promise<readonly string[]> {
  const seen = new Set<string>()
  const hosts = new Set<string>()
  const queue = [join(home, '.ssh', 'config')]
  for (let path = queue.shift(); path !== undefined && seen.size < MAX_FILES; path = queue.shift()) {
    if (seen.has(path)) continue
    seen.add(path)
    const read = await readTextFile(path, MAX_CONFIG_BYTES, disk)
    if (!read.ok) continue
    const part = readSshConfig(read.text)
    for (const host of part.hosts) hosts.add(host)
    for (const pattern of part.includes) queue.push(...(await matching(pattern, home, disk)))
  }
  return [...hosts]
}

/** The files of an `Include` pattern; a star stands in the name of the file only. */
async function matching(pattern: string, home: string, disk: Disk): Promise<readonly string[]> {
  const expanded = expandHome(pattern, home)
  const path = isAbsolute(expanded) ? expanded : join(home, '.ssh', expanded)
  const name = basename(path)
  if (!/[*?]/.test(name)) return [path]
  const rule = new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  )
  const names = await disk.readdir(dirname(path)).catch((): string[] => [])
  return names
    .filter((each) => rule.test(each) && !each.startsWith('.'))
    .sort()
    .map((each) => join(dirname(path), each))
}

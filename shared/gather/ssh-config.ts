/** What one file of an ssh configuration says of hosts. */
export interface SshConfigPart {
  /** Names that can be given to ssh, in the order of the text: no patterns. */
  readonly hosts: readonly string[]
  /** The patterns of `Include` lines, as written. */
  readonly includes: readonly string[]
}

const HOST_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,253}$/

/** Reads the `Host` and `Include` lines of an ssh configuration. Nothing else of it is looked at, and no key is. */
export function readSshConfig(text: string): SshConfigPart {
  const hosts: string[] = []
  const includes: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const [, keyword = '', rest = ''] = /^\s*([A-Za-z]+)(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? []
    switch (keyword.toLowerCase()) {
      case 'host':
        hosts.push(...words(rest).filter((word) => HOST_NAME.test(word)))
        break
      case 'include':
        includes.push(...words(rest))
        break
    }
  }
  return { hosts: [...new Set(hosts)], includes }
}

/** Words of a line, quoted or not, up to a comment. */
function words(text: string): readonly string[] {
  const found: string[] = []
  for (const [word, quoted] of text.matchAll(/"([^"]*)"|\S+/g)) {
    if (word.startsWith('#')) break
    found.push(quoted ?? word)
  }
  return found
}

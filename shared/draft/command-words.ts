/**
 * The words of a command as a POSIX shell would split it: quotes and backslashes taken out, nothing expanded. A
 * backslash at the end of a line continues it; a line that begins with `#` is a comment.
 */
export function commandWords(command: string): readonly string[] {
  const words: string[] = []
  const lines = command.replace(/\\\r?\n/g, ' ').replace(/^\s*#.*$/gm, '')
  for (const [word] of lines.matchAll(/(?:"(?:\\[^]|[^"\\])*"|'[^']*'|\\[^]|[^\s"'\\])+/g)) {
    words.push(
      word.replace(/"((?:\\[^]|[^"\\])*)"|'([^']*)'|\\([^])/g, (_all, double, single, escaped) =>
        typeof double === 'string'
          ? double.replace(/\\(["\\$`])/g, '$1')
          : typeof single === 'string'
            ? single
            : String(escaped),
      ),
    )
  }
  return words
}

/** The value that follows the first of `names` in `words`, or stands behind its `=`; null without one. */
export function optionValue(words: readonly string[], ...names: readonly string[]): string | null {
  for (const [i, word] of words.entries()) {
    const name = names.find((each) => word === each || word.startsWith(`${each}=`))
    if (name === undefined) continue
    const value = word === name ? words[i + 1] : word.slice(name.length + 1)
    if (value !== undefined && value !== '') return value
  }
  return null
}

/** `text` as a port from 1 to 65535, else null. */
export function portOf(text: string | null): number | null {
  const port = text !== null && /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

/** `text` as a number of tokens from 1, else null: 0 is "as trained". */
export function contextOf(text: string | null): number | null {
  const context = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0
  return context >= 1 ? context : null
}

/** The port of an address and whether it is on this machine; null when `text` is none. Users and passwords are dropped. */
export function addressOf(text: unknown): { readonly port: number; readonly isOwn: boolean } | null {
  if (typeof text !== 'string') return null
  const [, scheme, host, port] =
    /^(https?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:@]+)(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(text) ?? []
  if (scheme === undefined || host === undefined) return null
  const number = portOf(port ?? (scheme.toLowerCase() === 'https' ? '443' : '80'))
  const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/i.test(host)
  return number === null ? null : { port: number, isOwn }
}

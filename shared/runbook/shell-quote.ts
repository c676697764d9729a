/** `text` as one word of a POSIX shell: in single quotes, a quote in it written as `'\''`. */
export function shellQuote(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Why `text` cannot be carried through every shell on the way, or null. A line break or a tab would end a record of the
 * script, and shells do not agree on what a backslash in quotes is.
 */
export function unsafeForShell(text: string): string | null {
  if (/\p{Cc}/u.test(text)) return 'it has a control character in it'
  if (text.includes('\\')) return 'it has a backslash in it'
  return null
}

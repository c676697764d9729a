/** `3 roles`, `1 role`; `words` where the plural is not the word with an s. */
export function plural(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1) ?? ''}`
}

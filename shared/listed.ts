/** `3 roles`, `1 role`; `words` where the plural is not the word with an s. */
export function plural(count: number, word: string, words = `${word}s`): string {
  return `${count} ${count === 1 ? word : words}`
}

/** `a`, `a and b`, `a, b and c`; with more than `most`, `a, b and 3 more`. */
export function listed(
  names: readonly string[],
  {
    conjunction = 'and',
    most = Infinity,
  }: { readonly conjunction?: 'and' | 'or'; readonly most?: number } = {},
): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1) ?? ''}`
}

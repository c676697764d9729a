/** Whether `text` means to be a roster, right or wrong: it has a key `roster`. */
export function looksLikeRoster(text: string): boolean {
  return /(?:^\uFEFF?|[{,?])[ \t]*["']?roster["']?[ \t]*(?::|$)/m.test(text)
}

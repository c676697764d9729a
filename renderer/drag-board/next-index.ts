/** The index that a key goes to from `at` in a list of `length`; -1 for every other key and beyond the ends. */
export function nextIndex(key: string, at: number, length: number): number {
  switch (key) {
    case 'ArrowDown':
      return at + 1 < length ? at + 1 : -1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return -1
  }
}

/** Something that is made when it is first asked for, once. */
export interface Lazy<T> {
  readonly get: () => Promise<T>
  /** What was made; null while nothing asked for it. */
  readonly made: () => Promise<T> | null
}

export function lazily<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | null = null
  return {
    get: () => (made ??= make()),
    made: () => made,
  }
}

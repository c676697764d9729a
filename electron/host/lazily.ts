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

type Call = (args: never) => Promise<unknown>

/** The calls `names` of what `made` makes; the first of them makes it. */
export function callsOf<Name extends string, Calls extends Readonly<Record<Name, Call>>>(
  made: Lazy<Calls>,
  names: readonly Name[],
): Pick<Calls, Name> {
  const calls = names.map((name) => [name, async (args: never) => (await made.get())[name](args)])
  return Object.fromEntries(calls) as Pick<Calls, Name>
}

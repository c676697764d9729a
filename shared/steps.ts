/**
 * Work that stops after each small part of itself (`yield`), for who must not be kept waiting: a page takes as many
 * steps as fit between two frames, a command all {@link atOnce}.
 */
export type Steps<T> = Generator<void, T>

/** Takes all of `steps` and gives what they come to. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/** A value that is worked out once: ahead, in steps, by whoever has the time, or else when it is needed. */
export class Later<T> {
  readonly #make: () => Steps<T>
  #made: { readonly value: T } | null = null

  constructor(make: () => Steps<T>) {
    this.#make = make
  }

  *ahead(): Steps<T> {
    this.#made ??= { value: yield* this.#make() }
    return this.#made.value
  }

  now(): T {
    return atOnce(this.ahead())
  }
}

/**
 * Work that pauses after each small part of itself (`yield`), so that a page can run as many parts as fit between two
 * frames, while a command runs all of them at once ({@link runSync}).
 */
export type Task<T> = Generator<void, T>

/** Runs a task to completion and returns its result. */
export function runSync<T>(task: Task<T>): T {
  let step = task.next()
  while (step.done !== true) step = task.next()
  return step.value
}

/** A lazy value that can also be precomputed in slices. */
export class Lazy<T> {
  readonly #make: () => Task<T>
  #made: { readonly value: T } | null = null

  constructor(make: () => Task<T>) {
    this.#make = make
  }

  /** Computes the value unless that has been done; its result is the value. */
  *precompute(): Task<T> {
    this.#made ??= { value: yield* this.#make() }
    return this.#made.value
  }

  value(): T {
    return runSync(this.precompute())
  }
}

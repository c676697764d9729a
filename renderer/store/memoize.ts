/** Remembers the answers for the last arguments, so that selectors return stable references. */
export function memoize<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
  most = 1,
): (...args: Args) => Result {
  /** Newest first. */
  let kept: readonly { readonly args: Args; readonly result: Result }[] = []
  return (...args) => {
    const known = kept.find((one) => one.args.every((arg, i) => Object.is(arg, args[i])))
    const now = known ?? { args, result: compute(...args) }
    if (kept[0] !== now) kept = [now, ...kept.filter((one) => one !== now)].slice(0, most)
    return now.result
  }
}

/** The longest context that is offered for a model that does not say what it was trained for. */
const MOST_UNTOLD = 1_048_576

/**
 * Contexts to choose from, in tokens, rising: powers of two and what lies halfway between, up to what the model was trained
 * for, and `current`, whatever it is.
 */
export function contextSteps(trained: number | null, current: number): readonly number[] {
  const most = trained ?? Math.max(MOST_UNTOLD, current)
  const steps = new Set([Math.min(512, most), most, current])
  for (let step = 1024; step < most; step *= 2) {
    steps.add(step)
    if (step >= 4096 && step * 1.5 < most) steps.add(step * 1.5)
  }
  return [...steps].sort((a, b) => a - b)
}

/** A linear constraint: the sum of `coefficient` × column is at most `upper` and at least `lower`. */
export interface MipRow {
  readonly entries: readonly (readonly [column: number, coefficient: number])[]
  /** Null: no bound on that side. */
  readonly lower: number | null
  readonly upper: number | null
}

/** A mixed-integer program whose columns are all 0 or 1. */
export interface Mip {
  readonly sense: 'maximize' | 'minimize'
  /** What each column counts for in the objective. */
  readonly costs: readonly number[]
  readonly rows: readonly MipRow[]
  /** Two objectives closer to each other than this are the same: no search is needed to tell them apart. */
  readonly gap: number
  /** Column values known to satisfy the rows: where the search may start. */
  readonly start: readonly number[]
}

export interface MipAnswer {
  /** `optimal`: proved. `stopped`: the best found within the time. `failed`: nothing usable. */
  readonly status: 'optimal' | 'stopped' | 'failed'
  /** One a column; null when none were found. */
  readonly values: readonly number[] | null
  /** No solution is better than this; null when not known. */
  readonly bound: number | null
  /** How long it took. */
  readonly seconds: number
}

/** Solves mixed-integer programs. Injected: the core knows the mathematics, its surroundings have the solver. */
export type Solver = (mip: Mip, timeLimitSecs: number) => Promise<MipAnswer>

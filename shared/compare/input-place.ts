/** A line of an input's file. */
export interface InputPlace {
  readonly file: string
  /** 1-based; null when the whole file is meant. */
  readonly line: number | null
}

/**
 * The lines of an answer among whatever else a machine prints. A line of ours is `@MARK ` and then its text; the mark is
 * a new random one for each run. Everything else (a banner, a message of the day, a shell's greeting) is passed over.
 */
export class FrameReader {
  readonly #start: string
  readonly #maxLine: number
  #rest = ''

  constructor(mark: string, maxLine: number) {
    this.#start = `@${mark} `
    this.#maxLine = maxLine
  }

  /** Whether a line was longer than may be; nothing more is read then. */
  get isTooLong(): boolean {
    return this.#rest.length > this.#maxLine
  }

  /** Takes the next part of the output; returns the texts of our lines that it completes. */
  push(part: string): readonly string[] {
    if (this.isTooLong) return []
    const lines = (this.#rest + part).split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => {
      // A banner without an end of its line stands before ours.
      const at = line.indexOf(this.#start)
      return at < 0 ? [] : [line.slice(at + this.#start.length).replace(/\r$/, '')]
    })
  }
}

/** One line of an answer. */
export function frame(mark: string, text: string): string {
  return `@${mark} ${text}\n`
}

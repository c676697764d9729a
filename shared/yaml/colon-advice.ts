import type { TokenPlace } from './possible-keys.ts'
import { fault, type ScanFault } from './scan-fault.ts'

/** What stands on the line that is read, to say what a `:` that makes no key of anything should have been. */
export class ColonAdvice {
  #lastScalar: TokenPlace = { at: 0, line: -1, column: 0 }
  #lastColonLine = -1
  #lastStrayLine = -1

  scalar(place: TokenPlace): void {
    this.#lastScalar = place
  }

  colon(line: number): void {
    this.#lastColonLine = line
  }

  /** The fault of a `:` at `place` where no key can stand. */
  stray({ at, line }: TokenPlace): ScanFault {
    const isFirst = this.#lastStrayLine !== line
    this.#lastStrayLine = line
    const isInText = this.#lastScalar.line === line
    if (isInText && isFirst && this.#lastColonLine === line) {
      const message = 'a second `:` on one line: put quotes around the text, or begin a new line'
      return fault(this.#lastScalar.at, message, 'nearby')
    }
    // Where the text began on a line above, all of it is a text to the reference, which stops only here.
    const message = 'a `:` with a space behind it cannot stand in a text: put quotes around it'
    return fault(at, message, isFirst && isInText ? 'nearby' : 'rest')
  }
}

import pc from 'picocolors'
import type { CliIo } from './io.ts'

/** Colours by what they mean; without colour each gives its text back. */
export interface Style {
  readonly heading: (text: string) => string
  readonly faint: (text: string) => string
  readonly strong: (text: string) => string
  /** What is held where it is needed. */
  readonly held: (text: string) => string
  /** What moves. */
  readonly moves: (text: string) => string
  readonly no: (text: string) => string
  readonly yes: (text: string) => string
  readonly warning: (text: string) => string
  readonly info: (text: string) => string
}

/** The style of a stream: colours on a terminal only, and never with `NO_COLOR` or on a dumb terminal. */
export function styleFor(stream: 'stdout' | 'stderr', io: CliIo): Style {
  const isTty = stream === 'stdout' ? io.stdoutIsTty : io.stderrIsTty
  const refused = (io.env['NO_COLOR'] ?? '') !== '' || io.env['TERM'] === 'dumb'
  return makeStyle(isTty && !refused)
}

/** A style without colours. */
export function plainStyle(): Style {
  return makeStyle(false)
}

function makeStyle(colour: boolean): Style {
  const colours = pc.createColors(colour)
  return {
    heading: colours.bold,
    faint: colours.dim,
    strong: colours.bold,
    held: colours.blue,
    moves: colours.yellow,
    no: colours.red,
    yes: colours.green,
    warning: colours.yellow,
    info: colours.cyan,
  }
}

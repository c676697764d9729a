/** What a command may touch of the process it runs in, so that it runs as well in a test. */
export interface CliIo {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** All of standard input; an implementation may stop after `maxBytes + 1` bytes. */
  readonly readStdin: (maxBytes: number) => Promise<Uint8Array>
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty: boolean
  readonly stderrIsTty: boolean
  /** Width of the terminal in cells; null when standard output is none. */
  readonly columns: number | null
  readonly homeDir: string
  /** Unix seconds. */
  readonly nowSecs: number
  /** The solver's WebAssembly; the installed program's own where it is left out. */
  readonly solverFile?: string
  /** Calls `stop` when the person interrupts the command (Ctrl-C). Returns the way to stop listening. */
  readonly onInterrupt?: (stop: () => void) => () => void
}

/** What a command exits with. */
export const EXIT = {
  fine: 0,
  /** `diff` and `export --check`: something is not the same. */
  differs: 1,
  /** `plan`, `explain` and `suggest`: a role cannot run. */
  unplaceable: 2,
  /** An input that was asked for has an error. */
  badInput: 3,
  /** The command line itself makes no sense. */
  usage: 64,
  /** `scan`: stopped by the person. */
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const DEFAULT_COLUMNS = 80
const MIN_COLUMNS = 40

/**
 * The width to write for: the terminal's, else what `COLUMNS` says, else 80. A terminal may say 0 for
 * unknown.
 */
export function outputWidth(io: CliIo): number {
  const columns = io.columns ?? Number(/^\d{1,4}$/.exec(io.env['COLUMNS'] ?? '')?.[0] ?? 0)
  return columns > 0 ? Math.max(MIN_COLUMNS, columns) : DEFAULT_COLUMNS
}

import { runCli, type CliIo } from '../../../../electron/cli.ts'

/** What a command said and how it ended. */
export interface CliRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Within the lifetime of the sample lab's facts. */
export const FRESH_NOW = 1_790_000_100

export const SAMPLE = ['--lab', 'examples/sample-lab'] as const

/**
 * Runs the command line in this process, 80 columns wide and not on a terminal unless `io` says otherwise.
 */
export async function cli(
  argv: readonly string[],
  io: Partial<CliIo> & { readonly stdin?: string } = {},
): Promise<CliRun> {
  let out = ''
  let err = ''
  const code = await runCli(argv, {
    stdout: (text) => {
      out += text
    },
    stderr: (text) => {
      err += text
    },
    readStdin: () => Promise.resolve(new TextEncoder().encode(io.stdin ?? '')),
    cwd: process.cwd(),
    env: {},
    stdoutIsTty: false,
    stderrIsTty: false,
    columns: null,
    homeDir: '/nowhere/home',
    nowSecs: FRESH_NOW,
    ...io,
  })
  return { code, out, err }
}

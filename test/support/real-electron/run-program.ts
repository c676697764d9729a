import { spawnSync } from 'node:child_process'

/** How a program that was run to its end did. */
export interface ProgramRun {
  readonly ok: boolean
  readonly stdout: string
  /** The last line it wrote to its error output, or why it did not start. */
  readonly lastError: string
}

/** Runs a program to its end, for at most `ms` milliseconds. */
export function runProgram(
  program: string,
  args: readonly string[],
  options: { readonly ms: number; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): ProgramRun {
  const { ms, cwd, env = process.env } = options
  const run = spawnSync(program, args, { cwd, env, timeout: ms, encoding: 'utf8', killSignal: 'SIGKILL' })
  if (run.error) return { ok: false, stdout: '', lastError: run.error.message }
  const lastError = run.stderr.trim().split('\n').at(-1) ?? ''
  return {
    ok: run.status === 0,
    stdout: run.stdout,
    lastError: lastError === '' ? `it ended with ${run.status ?? run.signal ?? 'nothing'}` : lastError,
  }
}

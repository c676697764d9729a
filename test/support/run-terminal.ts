import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What a command of the terminal printed, and how it ended. */
export interface TerminalRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Runs the built `lab-planner` as a program of its own, in plain text whatever colours the tests have. */
export function runTerminal(args: readonly string[], env: NodeJS.ProcessEnv): Promise<TerminalRun> {
  const plain = { ...env, FORCE_COLOR: undefined, NO_COLOR: '1' }
  const options = { cwd: ROOT, env: plain, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['bin/lab-planner.js', ...args], options, (error, out, err) => {
      if (error === null) resolve({ code: 0, out, err })
      else if (typeof error.code === 'number') resolve({ code: error.code, out, err })
      else reject(new Error('lab-planner did not run to its end', { cause: error }))
    })
  })
}

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A running `lab-planner serve`. */
export interface RunningServer {
  readonly process: ChildProcess
  /** The address it printed, with the key. */
  readonly url: string
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly stop: () => Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Starts the built browser host on a free port with `args` added, and waits for the address it prints. `within` is a
 * program and its arguments that runs the command behind them.
 */
export async function launchServer(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  within: readonly string[] = [],
): Promise<RunningServer> {
  const command = [process.execPath, 'bin/lab-planner.js', 'serve', '--port', '0', ...args]
  const [program = '', ...rest] = [...within, ...command]
  const child = spawn(program, rest, { cwd: ROOT, env })
  let text = ''
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const url = new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      text += chunk.toString()
      const found = /http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]+/.exec(text)?.[0]
      if (found) resolve(found)
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    void exited.then((code) => reject(new Error(`it ended with ${code} before it listened: ${text}`)))
  })
  return {
    process: child,
    url: await url,
    output: () => text,
    exited,
    stop: async () => {
      child.kill('SIGTERM')
      const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(killer)
    },
  }
}

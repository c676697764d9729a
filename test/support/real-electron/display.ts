import { spawn } from 'node:child_process'
import { hasProgram } from './debian-packages.ts'

/** A display of a test's own. */
export interface Display {
  readonly env: NodeJS.ProcessEnv
  readonly stop: () => Promise<void>
}

const SCREEN = '1920x1080x24'
const START_MS = 30_000

/**
 * Starts a display that no one sees, so that windows neither disturb a person nor take the focus from each other. Where
 * there is no `Xvfb` the person's own display is used.
 */
export async function openDisplay(): Promise<Display> {
  if (process.platform !== 'linux' || !hasProgram('Xvfb')) {
    return { env: process.env, stop: () => Promise.resolve() }
  }
  // `-ac`: another user's programs may show themselves on it, which only this machine can reach.
  const args = ['-displayfd', '3', '-screen', '0', SCREEN, '-ac', '-nolisten', 'tcp', '-noreset']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const exited = new Promise<void>((resolve) => {
    server.once('exit', () => resolve())
    server.once('error', () => resolve())
  })
  const name = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Xvfb did not name its display in time.')), START_MS)
    server.stdio[3]?.once('data', (data: Buffer) => {
      clearTimeout(timer)
      resolve(`:${data.toString().trim()}`)
    })
    void exited.then(() => reject(new Error('Xvfb ended before it showed anything.')))
  })
  const { WAYLAND_DISPLAY: _, ...others } = process.env
  return {
    env: { ...others, DISPLAY: name, XDG_SESSION_TYPE: 'x11' },
    stop: async () => {
      server.kill()
      await exited
    },
  }
}

/** Does `work` on a display of its own. */
export async function withDisplay<T>(work: (env: NodeJS.ProcessEnv) => T | Promise<T>): Promise<T> {
  const display = await openDisplay()
  try {
    return await work(display.env)
  } finally {
    await display.stop()
  }
}

import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import type { ControlRequest, DoubleState } from './control.ts'

/** The built program under the double, as a test drives it. */
export interface RunningDouble {
  readonly process: ChildProcess
  /** The window's page, once there is one. */
  readonly page: () => Promise<Page>
  readonly ask: (request: ControlRequest) => Promise<unknown>
  readonly state: () => Promise<DoubleState>
  /** Everything it printed. */
  readonly output: () => string
  readonly exited: Promise<number | null>
  readonly stop: () => Promise<void>
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const REGISTER = pathToFileURL(join(import.meta.dirname, 'register.ts')).href

/** Starts the built main process with `args` under the double of Electron. */
export function launchDouble(args: readonly string[], env: NodeJS.ProcessEnv): RunningDouble {
  const child = fork(join(ROOT, 'dist/host/main.js'), [...args], {
    cwd: ROOT,
    env,
    execArgv: ['--import', 'tsx', '--import', REGISTER],
    silent: true,
  })
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const endpoint = new Promise<string>((resolve, reject) => {
    child.on('message', (message: { kind: string; endpoint: string }) => {
      if (message.kind === 'browser') resolve(message.endpoint)
    })
    void exited.then((code) => reject(new Error(`it ended with ${code} and no window: ${text}`)))
  })
  endpoint.catch(() => undefined)

  let browser: Browser | null = null
  let lastId = 0
  const ask = async (request: ControlRequest): Promise<unknown> => {
    const id = ++lastId
    child.send({ ...request, id })
    return new Promise((resolve, reject) => {
      const onMessage = (message: { kind: string; id: number; result: unknown }): void => {
        if (message.kind !== 'answer' || message.id !== id) return
        child.off('message', onMessage)
        resolve(message.result)
      }
      child.on('message', onMessage)
      void exited.then(() => reject(new Error(`it ended before it answered: ${text}`)))
    })
  }
  return {
    process: child,
    exited,
    ask,
    state: async () => (await ask({ ask: 'state' })) as DoubleState,
    output: () => text,
    page: async () => {
      browser ??= await chromium.connectOverCDP(await endpoint)
      const page = browser.contexts()[0]?.pages()[0]
      if (!page) throw new Error('The program’s browser has no page.')
      await page.waitForURL((url) => url.protocol === 'https:')
      return page
    },
    stop: async () => {
      await browser?.close().catch(() => undefined)
      // Its own way out first: that it ends cleanly is part of what is tested.
      if (child.exitCode === null && child.connected) child.send({ ask: 'quit', id: 0 })
      const killer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(killer)
    },
  }
}

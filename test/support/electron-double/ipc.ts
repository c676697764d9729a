/** A frame as `ipcMain` handlers see it. */
export interface DoubleFrame {
  readonly url: string
  readonly parent: DoubleFrame | null
}

interface DoubleSender {
  readonly sender: object
  readonly senderFrame: DoubleFrame | null
}

type Handler = (event: DoubleSender, ...args: unknown[]) => unknown

const handlers = new Map<string, Handler>()
const listeners = new Map<string, Set<Handler>>()

/** The part of Electron's `ipcMain` that the planner uses. */
export const ipcMain = {
  handle: (channel: string, handler: Handler): void => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    handlers.set(channel, handler)
  },
  on: (channel: string, listener: Handler): void => {
    listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
  },
}

/** Brings a message of the page to the program; a channel without a handler is an error, as in Electron. */
export async function deliver(
  kind: 'invoke' | 'send',
  channel: string,
  from: DoubleSender,
  args: readonly unknown[],
): Promise<unknown> {
  if (kind === 'send') {
    for (const listener of listeners.get(channel) ?? []) listener(from, ...args)
    return undefined
  }
  const handler = handlers.get(channel)
  if (!handler) throw new Error(`No handler registered for '${channel}'`)
  return structuredClone(await handler(from, ...args))
}

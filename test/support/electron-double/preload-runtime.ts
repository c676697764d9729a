/// <reference lib="dom" />
/**
 * What a preload script sees of Electron, as a function that runs in the page. It is sent there as text, so
 * that it may use nothing from outside itself. Values cross by structured clone only, as they do in Electron.
 */
export function runPreload(preload: (require: (name: string) => unknown, exports: object) => void): void {
  // Electron runs the preload in the top frame only.
  if (window.top !== window) return
  type Listener = (event: object, ...args: unknown[]) => void
  type Ipc = (kind: 'invoke' | 'send' | 'close', channel: string, args: unknown[]) => Promise<unknown>
  const page = window as unknown as { electronDoubleIpc: Ipc; electronDoubleDeliver: unknown }
  const listeners = new Map<string, Set<Listener>>()
  const ipc = page.electronDoubleIpc

  page.electronDoubleDeliver = (channel: string, args: unknown[]) => {
    for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...args)
  }
  window.close = () => void ipc('close', '', [])

  const ipcRenderer = {
    invoke: (channel: string, ...args: unknown[]) => ipc('invoke', channel, structuredClone(args)),
    send: (channel: string, ...args: unknown[]) => void ipc('send', channel, structuredClone(args)),
    on: (channel: string, listener: Listener) => {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
    },
    off: (channel: string, listener: Listener) => listeners.get(channel)?.delete(listener),
  }
  /** Functions cross as functions that clone what they are given and give back; everything else is copied. */
  const crossing = (value: unknown): unknown => {
    if (typeof value === 'function') {
      const target = value as (...args: unknown[]) => unknown
      return (...args: unknown[]) => {
        const result = target(...args.map(crossing))
        return result instanceof Promise ? result.then(crossing) : crossing(result)
      }
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Object.freeze(value.map(crossing))
    const isPlain = Object.getPrototypeOf(value) === Object.prototype
    if (!isPlain) return structuredClone(value)
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([key, part]) => [key, crossing(part)])),
    )
  }
  const contextBridge = {
    exposeInMainWorld: (name: string, api: unknown) => {
      Object.defineProperty(window, name, { value: crossing(api), writable: false, configurable: false })
    },
  }
  /** Playwright's dropped files have a path when their name says so; files made by script have none. */
  const webUtils = { getPathForFile: (file: File) => (/^([/\\]|[A-Z]:)/i.test(file.name) ? file.name : '') }
  const require = (name: string) => {
    if (name === 'electron') return { contextBridge, ipcRenderer, webUtils }
    throw new Error(`module not found: ${name}`)
  }
  preload(require, {})
}

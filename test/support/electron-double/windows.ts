/// <reference lib="dom" />
import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Frame, Page, Route } from '@playwright/test'
import { app, DoubleEvent } from './app.ts'
import { openChromium } from './chromium.ts'
import { deliver, type DoubleFrame } from './ipc.ts'
import { runPreload } from './preload-runtime.ts'
import { answerRequest, realUrl, standInUrl } from './protocol.ts'

interface WindowOptions {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly webPreferences: Readonly<Record<string, unknown>> & { readonly preload: string }
}

type OpenHandler = (details: { readonly url: string }) => { readonly action: 'allow' | 'deny' }

let lastId = 0

/** The part of Electron's `WebContents` that the planner uses. */
export class DoubleContents extends EventEmitter {
  readonly id = ++lastId
  readonly #preload: string
  #page: Page | null = null
  #openHandler: OpenHandler = () => ({ action: 'allow' })
  /** The program's own navigation, which is not asked about. */
  #loading: string | null = null
  #sending: Promise<unknown> = Promise.resolve()

  constructor(preload: string) {
    super()
    this.#preload = preload
  }

  isDestroyed(): boolean {
    return this.#page?.isClosed() ?? false
  }

  isCrashed(): boolean {
    return false
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.#openHandler = handler
  }

  /** Cloned at once: what the program changes afterwards does not show. */
  send(channel: string, ...args: unknown[]): void {
    const copy = structuredClone(args)
    this.#sending = this.#sending.then(() =>
      this.#page
        ?.evaluate(
          ([name, values]) => {
            const page = window as unknown as {
              electronDoubleDeliver?: (name: string, args: unknown[]) => void
            }
            page.electronDoubleDeliver?.(name, values)
          },
          [channel, copy] as const,
        )
        .catch(() => undefined),
    )
  }

  async load(url: string, onClose: () => void): Promise<void> {
    const context = await openChromium(app.getPath('userData'))
    const page = context.pages()[0] ?? (await context.newPage())
    this.#page = page
    await page.exposeBinding(
      'electronDoubleIpc',
      ({ frame }, kind: string, channel: string, args: unknown[]) => {
        if (kind === 'close') {
          onClose()
          return undefined
        }
        const sender = { sender: this, senderFrame: frameOf(frame) }
        return deliver(kind === 'invoke' ? 'invoke' : 'send', channel, sender, structuredClone(args))
      },
    )
    const preload = readFileSync(this.#preload, 'utf8')
    // The loader of TypeScript names functions with a helper, which the page has not.
    const name = '(target) => target'
    await page.addInitScript(
      `((__name) => (${runPreload.toString()})((require, exports) => {${preload}\n}))(${name})`,
    )
    page.on('pageerror', (error) => console.error(error))
    await page.route('**/*', (route) => this.#answer(route))
    // What no page of ours asks for is the first request of a new window.
    await context.route('**/*', (route) => this.#judgeNewWindow(route))
    context.on('page', (popup) => void popup.close())
    this.#loading = standInUrl(url)
    await page.goto(this.#loading)
    this.#loading = null
    this.emit('did-finish-load')
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const url = request.url()
    if (request.isNavigationRequest() && url !== this.#loading && this.#isPrevented(url, request.frame())) {
      return route.abort('aborted')
    }
    const response = await answerRequest(url, request.method())
    if (response === null) return route.abort('blockedbyclient')
    const headers = Object.fromEntries(response.headers)
    return route.fulfill({
      status: response.status,
      headers,
      body: Buffer.from(await response.arrayBuffer()),
    })
  }

  #isPrevented(url: string, frame: Frame): boolean {
    const event = Object.assign(new DoubleEvent(), {
      url: realUrl(url),
      isMainFrame: frame.parentFrame() === null,
    })
    this.emit('will-frame-navigate', event)
    return event.defaultPrevented
  }

  /** The page is denied new windows; one that the program allows is no use to the double. */
  async #judgeNewWindow(route: Route): Promise<void> {
    const { action } = this.#openHandler({ url: realUrl(route.request().url()) })
    if (action === 'allow') throw new Error('The double of Electron opens no further windows.')
    await route.abort('aborted').catch(() => undefined)
  }

  async reload(): Promise<void> {
    this.#loading = this.#page?.url() ?? null
    await this.#page?.reload()
    this.#loading = null
  }

  async closePage(): Promise<void> {
    // The browser would end with its last page: an empty one keeps it for the next window.
    await this.#page?.goto('about:blank').catch(() => undefined)
    this.emit('destroyed')
  }
}

function frameOf(frame: Frame): DoubleFrame {
  const parent = frame.parentFrame()
  return { url: realUrl(frame.url()), parent: parent && frameOf(parent) }
}

interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The part of Electron's `BrowserWindow` that the planner uses. */
export class BrowserWindow extends EventEmitter {
  static readonly opened: BrowserWindow[] = []
  readonly options: WindowOptions
  readonly webContents: DoubleContents
  isShown = false
  focusCount = 0
  #isMaximized = false
  #isDestroyed = false
  #bounds: Bounds

  constructor(options: WindowOptions) {
    super()
    this.options = options
    const { x, y, width, height } = options
    this.#bounds = { x, y, width, height }
    this.webContents = new DoubleContents(options.webPreferences.preload)
    BrowserWindow.opened.push(this)
    app.windows.add(this)
    app.emit('web-contents-created', new DoubleEvent(), this.webContents)
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url, () => this.close())
    this.emit('ready-to-show')
  }

  show(): void {
    this.isShown = true
  }

  focus(): void {
    this.focusCount++
  }

  isMinimized(): boolean {
    return false
  }

  restore(): void {
    this.isShown = true
  }

  maximize(): void {
    this.#isMaximized = true
  }

  isMaximized(): boolean {
    return this.#isMaximized
  }

  getNormalBounds(): Bounds {
    return this.#bounds
  }

  setBounds(bounds: Bounds): void {
    this.#bounds = bounds
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  close(): void {
    if (this.#isDestroyed) return
    const event = new DoubleEvent()
    this.emit('close', event)
    if (!event.defaultPrevented) this.destroy()
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    void this.webContents.closePage().then(() => {
      this.emit('closed')
      app.windowClosed(this)
    })
  }
}

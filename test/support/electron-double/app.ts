import { EventEmitter } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { closeChromium } from './chromium.ts'

// As when Electron is given the folder of a program: the program's own arguments begin after it.
Object.assign(process, { defaultApp: true })

/** What the app needs of a window to quit. */
interface ClosableWindow {
  readonly close: () => void
}

/** Can be prevented, as Electron's events can. */
export class DoubleEvent {
  defaultPrevented = false
  preventDefault(): void {
    this.defaultPrevented = true
  }
}

/** The part of Electron's `app` that the planner uses. */
class DoubleApp extends EventEmitter {
  readonly isPackaged = false
  readonly windows = new Set<ClosableWindow>()
  readonly #paths = new Map<string, string>()
  #isQuitting = false

  setPath(name: string, path: string): void {
    this.#paths.set(name, path)
  }

  getPath(name: string): string {
    return this.#paths.get(name) ?? ''
  }

  enableSandbox(): void {
    // Chromium has its own.
  }

  whenReady(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** A file per running instance; a second one leaves a note for the first. */
  requestSingleInstanceLock(data: unknown): boolean {
    const folder = this.getPath('userData')
    mkdirSync(join(folder, 'notes'), { recursive: true })
    const lock = join(folder, 'lock')
    try {
      closeSync(openSync(lock, 'wx'))
    } catch {
      writeFileSync(join(folder, 'notes', `${process.pid}.json`), JSON.stringify(data))
      return false
    }
    process.on('exit', () => {
      if (existsSync(lock)) unlinkSync(lock)
    })
    const notes = watch(join(folder, 'notes'), { persistent: false }, () =>
      this.#readNotes(join(folder, 'notes')),
    )
    this.on('quit', () => notes.close())
    return true
  }

  #readNotes(folder: string): void {
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8')
      // Seen while it is being written: another event follows.
      if (text === '') continue
      unlinkSync(join(folder, name))
      this.emit('second-instance', new DoubleEvent(), [], '', JSON.parse(text))
    }
  }

  windowClosed(window: ClosableWindow): void {
    this.windows.delete(window)
    if (this.windows.size > 0) return
    if (this.#isQuitting) this.quit()
    else if (this.listenerCount('window-all-closed') > 0) this.emit('window-all-closed')
    else this.quit()
  }

  quit(): void {
    this.#isQuitting = true
    this.emit('before-quit', new DoubleEvent())
    for (const window of [...this.windows]) window.close()
    if (this.windows.size > 0) {
      this.#isQuitting = false
      return
    }
    const event = new DoubleEvent()
    this.emit('will-quit', event)
    if (!event.defaultPrevented) this.exit(0)
  }

  exit(code: number): void {
    this.emit('quit')
    void closeChromium().then(() => process.exit(code))
  }
}

export const app = new DoubleApp()

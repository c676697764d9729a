import { BrowserWindow, dialog, screen } from 'electron'
import { APP_URL } from './app-scheme.ts'
import type { AssembledHost } from './assemble-host.ts'
import type { Host } from './host/create-host.ts'
import type { SettingsStore, WindowState } from './host/settings.ts'
import { passEvents } from './ipc.ts'
import { MIN_WINDOW_SIZE, restoredBounds, type Area } from './window-bounds.ts'

export interface WindowParts {
  readonly preload: string
  /** What the page talks to: it may still be loading, since the page starts in a process of its own meanwhile. */
  readonly planner: Promise<Pick<AssembledHost, 'host' | 'settings'>>
}

/** Opens the planner's window with the page in it, and shows it where it was last once there is something to see. */
export function openPlannerWindow({ preload, planner }: WindowParts): BrowserWindow {
  const window = new BrowserWindow({
    ...boundsNow(null),
    minWidth: MIN_WINDOW_SIZE.width,
    minHeight: MIN_WINDOW_SIZE.height,
    show: false,
    title: 'Lab Planner',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  })
  reviveAfterCrash(window)
  const painted = new Promise<void>((resolve) => window.once('ready-to-show', () => resolve()))
  void planner.then(({ host, settings }) => {
    if (window.isDestroyed()) return
    const saved = settings.current().window
    window.setBounds(boundsNow(saved))
    passEvents(host.events, window.webContents)
    rememberPlace(window, settings)
    askBeforeClosing(window, host)
    void painted.then(() => show(window, saved?.maximized ?? false))
  })
  void window.loadURL(APP_URL)
  return window
}

/** Where the window would be now that was at `saved`. */
function boundsNow(saved: WindowState | null): Area {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  return restoredBounds(
    saved,
    [main, ...others].map(({ workArea }) => workArea),
  )
}

function show(window: BrowserWindow, maximized: boolean): void {
  if (window.isDestroyed()) return
  if (maximized) window.maximize()
  window.show()
}

function rememberPlace(window: BrowserWindow, settings: SettingsStore): void {
  window.on('close', () => {
    const state = { ...window.getNormalBounds(), maximized: window.isMaximized() }
    void settings.change((before) => ({ ...before, window: state }))
  })
}

/** Unsaved edits hold the window until the page has asked; a page that cannot ask is asked for here. */
function askBeforeClosing(window: BrowserWindow, host: Host): void {
  let isAnswering = true
  window.on('unresponsive', () => (isAnswering = false))
  window.on('responsive', () => (isAnswering = true))
  window.on('close', (event) => {
    if (!host.isUnsaved() || window.webContents.isCrashed()) return
    if (!isAnswering && closesAnyway(window)) return
    event.preventDefault()
    host.events.tell({ name: 'menuCommand', payload: 'close-requested' })
  })
}

function closesAnyway(window: BrowserWindow): boolean {
  const close = 1
  return (
    dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: 'The window does not answer, and its overlay has unsaved edits.',
      detail: 'Closing it now loses them.',
      buttons: ['Wait', 'Close without saving'],
      defaultId: 0,
      cancelId: 0,
    }) === close
  )
}

function reviveAfterCrash(window: BrowserWindow): void {
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const question = {
      type: 'error',
      message: 'The window failed and must be loaded again.',
      detail: 'Files on disk are as they were last saved.',
      buttons: ['Load again', 'Close'],
    } as const
    void dialog
      .showMessageBox(window, { ...question, buttons: [...question.buttons] })
      .then(({ response }) => {
        if (window.isDestroyed()) return
        if (response === 0) window.webContents.reload()
        else window.destroy()
      })
  })
}

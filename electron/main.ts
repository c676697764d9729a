import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, type BrowserWindow, ipcMain, Menu, nativeTheme, protocol, session, shell } from 'electron'
import { APP_SCHEME, serveAppScheme } from './app-scheme.ts'
import type { AssembledHost } from './assemble-host.ts'
import { nativeDialogs } from './dialogs.ts'
import { hardenContents, hardenSession } from './harden.ts'
import { configDirOf } from './host/config-dir.ts'
import { shortenHome } from './host/paths.ts'
import { installedFiles } from './installed-files.ts'
import { connectIpc } from './ipc.ts'
import { labArgument, ownArguments } from './launch-arguments.ts'
import { menuTemplate } from './menu.ts'
import { openPlannerWindow } from './window.ts'

const home = homedir()
const installed = installedFiles(import.meta.dirname, app.isPackaged ? process.resourcesPath : null)
const log = (line: string): void => console.error(`lab-planner: ${line}`)

/** The path that this launch was asked to open, or null. macOS names it by an event, before Electron is ready. */
let asked = labArgument(ownArguments(process.argv, process.defaultApp), process.cwd())
let openAsked = (path: string): void => void (asked = path)
let window: BrowserWindow | null = null

app.setPath('userData', join(configDirOf({ env: process.env, platform: process.platform, home }), 'electron'))
app.enableSandbox()
protocol.registerSchemesAsPrivileged([APP_SCHEME])

if (app.requestSingleInstanceLock({ asked })) {
  app.on('second-instance', (_event, _args, _cwd, other) => {
    focusWindow()
    const path = (other as { readonly asked?: unknown } | undefined)?.asked
    if (typeof path === 'string') openAsked(path)
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    openAsked(path)
  })
  hardenContents(app)
  app
    .whenReady()
    .then(boot)
    .catch((error: unknown) => {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error))
      app.exit(1)
    })
} else {
  app.quit()
}

/** The window first: its page starts in a process of its own while this one loads the host. */
async function boot(): Promise<void> {
  hardenSession(session.defaultSession)
  serveAppScheme(protocol, installed.renderer)
  let loaded: (planner: AssembledHost) => void = () => undefined
  const planner = new Promise<AssembledHost>((resolve) => (loaded = resolve))
  connectIpc({
    ipcMain,
    dispatch: async (name, args) => (await planner).dispatch(name, args),
    contents: () => window?.webContents ?? null,
    onDrop: (path) => openAsked(path),
  })
  showWindow(planner)
  app.on('activate', () => {
    if (window === null) showWindow(planner)
  })
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  const assembled = await loadPlanner()
  loaded(assembled)
  closeHostBeforeQuitting(assembled)
}

async function loadPlanner(): Promise<AssembledHost> {
  const [{ assembleHost }, { labPathsAt }] = await Promise.all([
    import('./assemble-host.ts'),
    import('./host/lab-source.ts'),
  ])
  const first = asked
  const planner = await assembleHost({
    kind: 'electron',
    installed,
    env: process.env,
    home,
    lab: first === null ? null : await labPathsAt(first, home),
    dialogs: nativeDialogs(() => window),
    reveal: (path) => shell.showItemInFolder(path),
    log,
  })
  openAsked = (path) => {
    void planner.host
      .offer(path)
      .then((payload) => planner.host.events.tell({ name: 'openRequested', payload }))
  }
  // Asked for while the host was loading.
  if (asked !== null && asked !== first) openAsked(asked)
  showMenu(planner)
  return planner
}

function showWindow(planner: Promise<AssembledHost>): void {
  const opened = openPlannerWindow({ preload: installed.preload, planner })
  window = opened
  opened.on('closed', () => (window = null))
}

function focusWindow(): void {
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

/** Shows the menu in the planner's theme, and again whenever what it shows has changed. */
function showMenu({ host, settings }: AssembledHost): void {
  const show = (): void => {
    const { recentLabs, theme, zoom } = settings.current()
    // The menu and the frame are the system's to paint: macOS and Windows then paint them as the page is, GTK does not.
    nativeTheme.themeSource = theme
    const template = menuTemplate({
      isMac: process.platform === 'darwin',
      isPackaged: app.isPackaged,
      theme,
      recent: recentLabs.map((path) => ({ path, label: shortenHome(path, home) })),
      send: (payload) => host.events.tell({ name: 'menuCommand', payload }),
      openRecent: (path) => openAsked(path),
      clearRecent: () => void settings.change((before) => ({ ...before, recentLabs: [] })),
      zoom: (step) => void host.api.changeSettings({ zoom: zoomed(zoom, step) }),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
  settings.listen(show)
  show()
}

function zoomed(zoom: number, step: 'in' | 'out' | 'reset'): number {
  if (step === 'reset') return 1
  const next = Math.round((zoom + (step === 'in' ? 0.1 : -0.1)) * 10) / 10
  return Math.min(3, Math.max(0.5, next))
}

/** Quitting waits until the settings are written and nothing is watched any more. */
function closeHostBeforeQuitting({ host, settings }: AssembledHost): void {
  let isClosed = false
  app.on('will-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    void Promise.allSettled([host.close(), settings.change((before) => before)]).then(() => {
      isClosed = true
      app.quit()
    })
  })
}

import type { MenuItemConstructorOptions } from 'electron'
import type { Theme } from '../shared/host-api.ts'
import { MENU_KEYS, type MenuCommand } from '../shared/menu-commands.ts'

/** What the menu shows and does. */
export interface MenuParts {
  readonly isMac: boolean
  readonly isPackaged: boolean
  readonly theme: Theme
  /** Labels and paths of Open Recent, the last opened first. */
  readonly recent: readonly { readonly label: string; readonly path: string }[]
  /** Sends a command to the page. */
  readonly send: (command: MenuCommand) => void
  readonly openRecent: (path: string) => void
  readonly clearRecent: () => void
  readonly zoom: (step: 'in' | 'out' | 'reset') => void
}

/**
 * The application's menu as data. Most items are commands of the page, which knows what they mean just now.
 */
export function menuTemplate(parts: MenuParts): MenuItemConstructorOptions[] {
  const { isMac } = parts
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    fileMenu(parts),
    editMenu(parts),
    viewMenu(parts),
    { role: 'windowMenu' },
    helpMenu(parts),
  ]
}

function fileMenu({ isMac, send, ...parts }: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&File',
    submenu: [
      command('Open Lab…', 'open-lab', send),
      recentMenu(parts),
      command('Open Sample Lab', 'open-sample', send),
      SEPARATOR,
      command('Save Overlay', 'save-overlay', send),
      command('Export Specs…', 'export-specs', send),
      SEPARATOR,
      command('Reload lab', 'reload', send),
      SEPARATOR,
      isMac ? { role: 'close' } : { role: 'quit' },
    ],
  }
}

function recentMenu({
  recent,
  openRecent,
  clearRecent,
}: Pick<MenuParts, 'recent' | 'openRecent' | 'clearRecent'>): MenuItemConstructorOptions {
  const entries = recent.map(({ label, path }): MenuItemConstructorOptions => {
    // An ampersand would be taken for the mark of a key.
    return { label: label.replaceAll('&', '&&'), click: () => openRecent(path) }
  })
  return {
    label: 'Open Recent',
    submenu: [
      ...(entries.length === 0 ? [{ label: 'None yet', enabled: false }] : entries),
      SEPARATOR,
      { label: 'Clear Recent', enabled: entries.length > 0, click: clearRecent },
    ],
  }
}

function editMenu({ send }: MenuParts): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      command('Undo', 'undo', send),
      command('Redo', 'redo', send),
      SEPARATOR,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
      SEPARATOR,
      command('Find Role', 'find-role', send),
    ],
  }
}

function viewMenu({ theme, isPackaged, send, zoom }: MenuParts): MenuItemConstructorOptions {
  const themes = (['light', 'dark', 'system'] as const).map((name): MenuItemConstructorOptions => {
    const label = { light: 'Light', dark: 'Dark', system: 'Like the System' }[name]
    return { label, type: 'radio', checked: theme === name, click: () => send(`theme-${name}`) }
  })
  return {
    label: '&View',
    submenu: [
      command('Allow Weight Transfer', 'toggle-transfer', send),
      SEPARATOR,
      { label: 'Theme', submenu: themes },
      SEPARATOR,
      { label: 'Zoom In', accelerator: 'CmdOrCtrl+Plus', click: () => zoom('in') },
      // The same key without Shift, as browsers take it.
      { label: 'Zoom In', accelerator: 'CmdOrCtrl+=', visible: false, click: () => zoom('in') },
      { label: 'Zoom Out', accelerator: 'CmdOrCtrl+-', click: () => zoom('out') },
      { label: 'Actual Size', accelerator: 'CmdOrCtrl+0', click: () => zoom('reset') },
      SEPARATOR,
      { role: 'togglefullscreen' },
      ...(isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
    ],
  }
}

function helpMenu({ send }: MenuParts): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      command('Search Commands', 'command-palette', send),
      command('Keyboard Shortcuts', 'shortcuts', send),
      command('About and Licenses', 'about', send),
    ],
  }
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }

/**
 * An item that the page carries out. Its key is shown and not taken where the system allows that: the page
 * has the same keys and knows whether a text field wants them first. Keys that a field would type are not shown.
 */
function command(label: string, id: MenuCommand, send: MenuParts['send']): MenuItemConstructorOptions {
  const keys: string | null = MENU_KEYS[id]
  return {
    id,
    label,
    ...(keys?.includes('+') && { accelerator: keys.replace('Mod', 'CmdOrCtrl'), registerAccelerator: false }),
    click: () => send(id),
  }
}

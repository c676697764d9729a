/**
 * The commands that a menu or a second launch sends to the page, with their keys: the page decides what they do. `Mod` is
 * Command on a Mac and Ctrl elsewhere; null: no key.
 */
export const MENU_KEYS = {
  'open-lab': 'Mod+O',
  'open-sample': null,
  reload: 'Mod+Shift+R',
  'save-overlay': 'Mod+S',
  'export-specs': 'Mod+E',
  undo: 'Mod+Z',
  redo: 'Mod+Shift+Z',
  'find-role': '/',
  'command-palette': 'Mod+K',
  shortcuts: '?',
  about: null,
  'toggle-transfer': 'Alt+T',
  'theme-light': null,
  'theme-dark': null,
  'theme-system': null,
  'close-requested': null,
} as const satisfies Readonly<Record<string, string | null>>

export type MenuCommand = keyof typeof MENU_KEYS

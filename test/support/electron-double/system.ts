/** What the program asked of the system, and what a test wants it to answer. */
export const system = {
  openedOutside: [] as string[],
  revealed: [] as string[],
  dialogs: [] as { readonly kind: string; readonly options: unknown }[],
  /** Taken one by one; without one a dialog is cancelled. */
  pickAnswers: [] as string[],
  menu: [] as MenuItem[],
}

/** A menu item as its template gives it. */
export interface MenuItem {
  readonly id?: string
  readonly label?: string
  readonly role?: string
  readonly accelerator?: string
  readonly checked?: boolean
  readonly submenu?: readonly MenuItem[]
  readonly click?: () => void
}

export const shell = {
  openExternal: (url: string): Promise<void> => {
    system.openedOutside.push(url)
    return Promise.resolve()
  },
  showItemInFolder: (path: string): void => {
    system.revealed.push(path)
  },
}

export const dialog = {
  // Electron takes the parent window first, or no parent.
  showOpenDialog: (...args: unknown[]): Promise<{ canceled: boolean; filePaths: string[] }> => {
    system.dialogs.push({ kind: 'open', options: structuredClone(args.at(-1)) })
    const answer = system.pickAnswers.shift()
    return Promise.resolve({
      canceled: answer === undefined,
      filePaths: answer === undefined ? [] : [answer],
    })
  },
  showMessageBox: (
    _window: unknown,
    options: { readonly cancelId?: number },
  ): Promise<{ response: number }> => {
    system.dialogs.push({ kind: 'message', options: structuredClone(options) })
    return Promise.resolve({ response: options.cancelId ?? 0 })
  },
  showMessageBoxSync: (_window: unknown, options: { readonly cancelId?: number }): number => {
    system.dialogs.push({ kind: 'message', options: structuredClone(options) })
    return options.cancelId ?? 0
  },
}

export const Menu = {
  buildFromTemplate: (template: MenuItem[]): MenuItem[] => template,
  setApplicationMenu: (menu: MenuItem[]): void => {
    system.menu = menu
  },
}

interface Display {
  readonly id: number
  readonly workArea: {
    readonly x: number
    readonly y: number
    readonly width: number
    readonly height: number
  }
}

const DISPLAYS: readonly [Display, ...Display[]] = [
  { id: 1, workArea: { x: 0, y: 25, width: 1600, height: 975 } },
  { id: 2, workArea: { x: 1600, y: 0, width: 1920, height: 1080 } },
]

export const screen = {
  getPrimaryDisplay: (): Display => DISPLAYS[0],
  getAllDisplays: (): readonly Display[] => DISPLAYS,
}

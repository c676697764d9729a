import { app } from './app.ts'
import { BrowserWindow } from './windows.ts'
import { system, type MenuItem } from './system.ts'

/** What a test can ask of the process under test, over the channel of its child process. */
export type ControlRequest =
  | { readonly ask: 'state' }
  | { readonly ask: 'answerPick'; readonly path: string }
  | { readonly ask: 'clickMenu'; readonly label: string }
  | { readonly ask: 'reload' }
  | { readonly ask: 'quit' }
  | { readonly ask: 'permission'; readonly name: string; readonly url: string }

/** What the program did, and what it shows, outside its page. */
export interface DoubleState {
  readonly menu: readonly MenuLine[]
  readonly openedOutside: readonly string[]
  readonly revealed: readonly string[]
  readonly dialogs: readonly { readonly kind: string; readonly options: unknown }[]
  readonly windows: readonly WindowFacts[]
}

export interface MenuLine {
  readonly label: string
  readonly accelerator: string | null
  readonly items: readonly MenuLine[]
}

export interface WindowFacts {
  readonly bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
  readonly webPreferences: Readonly<Record<string, unknown>>
  readonly isShown: boolean
  readonly isMaximized: boolean
  readonly focusCount: number
}

interface Extras {
  readonly permission: (name: string, url: string) => Promise<unknown>
}

/** Answers the test's requests for as long as the process lives. */
export function answerControl(extras: Extras): void {
  process.on('message', (message: ControlRequest & { readonly id: number }) => {
    void answer(message, extras).then((result) => process.send?.({ kind: 'answer', id: message.id, result }))
  })
}

async function answer(request: ControlRequest, { permission }: Extras): Promise<unknown> {
  switch (request.ask) {
    case 'state':
      return state()
    case 'answerPick':
      system.pickAnswers.push(request.path)
      return null
    case 'clickMenu': {
      const item = itemsOf(system.menu).find(({ label }) => label === request.label)
      item?.click?.()
      return item !== undefined
    }
    case 'reload':
      await BrowserWindow.opened.at(-1)?.webContents.reload()
      return null
    case 'quit':
      app.quit()
      return null
    case 'permission':
      return permission(request.name, request.url)
  }
}

function state(): DoubleState {
  const { openedOutside, revealed, dialogs, menu } = system
  const windows = BrowserWindow.opened.map((window): WindowFacts => {
    const { webPreferences } = window.options
    return {
      bounds: window.getNormalBounds(),
      webPreferences: JSON.parse(JSON.stringify(webPreferences)) as WindowFacts['webPreferences'],
      isShown: window.isShown,
      isMaximized: window.isMaximized(),
      focusCount: window.focusCount,
    }
  })
  return { menu: menu.map(lineOf), openedOutside, revealed, dialogs, windows }
}

function lineOf(item: MenuItem): MenuLine {
  return {
    label: item.label ?? item.role ?? '',
    accelerator: item.accelerator ?? null,
    items: (item.submenu ?? []).map(lineOf),
  }
}

function itemsOf(menu: readonly MenuItem[]): MenuItem[] {
  return menu.flatMap((item) => [item, ...itemsOf(item.submenu ?? [])])
}

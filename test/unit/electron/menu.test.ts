import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test } from 'vitest'
import { menuTemplate, type MenuParts } from '../../../electron/menu.ts'
import { MENU_KEYS } from '../../../shared/menu-commands.ts'

function parts(changes: Partial<MenuParts> = {}): MenuParts & { readonly sent: string[] } {
  const sent: string[] = []
  return {
    isMac: false,
    isPackaged: true,
    theme: 'dark',
    recent: [],
    send: (command) => sent.push(command),
    openRecent: (path) => sent.push(path),
    clearRecent: () => sent.push('clear'),
    zoom: (step) => sent.push(step),
    sent,
    ...changes,
  }
}

function all(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
}

const click = (item: MenuItemConstructorOptions | undefined) => (item?.click as (() => void) | undefined)?.()

describe('menuTemplate', () => {
  test('every command of the page is in the menu once, but for the question before closing', () => {
    const menu = parts()
    for (const item of all(menuTemplate(menu))) if (item.label !== 'Clear Recent') click(item)
    const commands = menu.sent.filter((sent) => !['in', 'out', 'reset'].includes(sent))
    expect(commands.toSorted()).toEqual(
      Object.keys(MENU_KEYS)
        .filter((name) => name !== 'close-requested')
        .toSorted(),
    )
  })

  test('shows the keys and leaves them to the page', () => {
    const save = all(menuTemplate(parts())).find(({ id }) => id === 'save-overlay')
    expect(save).toMatchObject({ accelerator: 'CmdOrCtrl+S', registerAccelerator: false })
  })

  test('lists recent labs, with an ampersand that is no key', () => {
    const menu = parts({ recent: [{ label: '~/R&D', path: '/home/ada/R&D' }] })
    click(all(menuTemplate(menu)).find(({ label }) => label === '~/R&&D'))
    expect(menu.sent).toEqual(['/home/ada/R&D'])
    const empty = all(menuTemplate(parts()))
    expect(empty.find(({ label }) => label === 'None yet')?.enabled).toBe(false)
    expect(empty.find(({ label }) => label === 'Clear Recent')?.enabled).toBe(false)
  })

  test('follows the platform: an application menu on a Mac, Quit under File elsewhere', () => {
    const roles = (isMac: boolean) => all(menuTemplate(parts({ isMac }))).map(({ role }) => role)
    expect(roles(true)).toContain('appMenu')
    expect(roles(true)).not.toContain('quit')
    expect(roles(false)).toContain('quit')
    expect(roles(false)).not.toContain('appMenu')
  })

  test('marks the theme in force, and has developer tools in development only', () => {
    const items = all(menuTemplate(parts()))
    expect(items.filter(({ checked }) => checked).map(({ label }) => label)).toEqual(['Dark'])
    expect(items.some(({ role }) => role === 'toggleDevTools')).toBe(false)
    expect(
      all(menuTemplate(parts({ isPackaged: false }))).some(({ role }) => role === 'toggleDevTools'),
    ).toBe(true)
  })
})

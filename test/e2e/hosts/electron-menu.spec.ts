import { join } from 'node:path'
import { askHost } from '../../support/call-host.ts'
import { SAMPLE_LAB } from '../../support/planner-home.ts'
import { CAN_PRESS_KEYS, expect, test, windowFacts } from '../../support/real-electron/desktop-test.ts'
import { windowPage } from '../../support/window-page.ts'

/** The menu, keys, a second launch and files from outside, on a real Electron. */

test('menu items do what the palette’s commands do', async ({ start }) => {
  const { page, chooseMenu, electron } = await start()
  const window = windowPage(page)
  await chooseMenu('Keyboard Shortcuts')
  await expect(window.dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await chooseMenu('Search Commands')
  await expect(page.getByPlaceholder('Find a role or run a command')).toBeVisible()
  await page.keyboard.press('Escape')
  await chooseMenu('Export Specs…')
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  await page.keyboard.press('Escape')
  await chooseMenu('Allow Weight Transfer')
  await expect(window.allowTransfer).toBeChecked()
  await chooseMenu('Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await chooseMenu('Zoom In')
  await expect.poll(async () => (await askHost(page, 'settings', {})).zoom).toBe(1.1)
  const accelerators = await electron.evaluate(({ Menu }) => {
    const all = (items: Electron.MenuItem[]): Electron.MenuItem[] =>
      items.flatMap((item) => [item, ...all(item.submenu?.items ?? [])])
    return Object.fromEntries(
      all(Menu.getApplicationMenu()?.items ?? []).map(({ label, accelerator }) => [label, accelerator]),
    )
  })
  expect(accelerators).toMatchObject({ 'Save Overlay': 'CmdOrCtrl+S', 'Open Lab…': 'CmdOrCtrl+O' })
})

test('the menu’s shortcuts work when their keys are pressed', async ({ start }) => {
  test.skip(!CAN_PRESS_KEYS, 'pressing real keys needs xdotool on Linux: install it')
  const { page, pressKeys } = await start()
  const window = windowPage(page)
  const zoom = async () => (await askHost(page, 'settings', {})).zoom
  pressKeys('ctrl+k')
  await expect(page.getByPlaceholder('Find a role or run a command')).toBeVisible()
  pressKeys('Escape')
  await expect(window.dialog).toBeHidden()
  pressKeys('alt+t')
  await expect(window.allowTransfer).toBeChecked()
  pressKeys('ctrl+plus')
  await expect.poll(zoom).toBe(1.1)
  // The same key without Shift, as browsers take it.
  pressKeys('ctrl+equal')
  await expect.poll(zoom).toBe(1.2)
  pressKeys('ctrl+minus')
  await expect.poll(zoom).toBe(1.1)
  pressKeys('ctrl+0')
  await expect.poll(zoom).toBe(1)
})

test('the menu’s undo and redo mean what is being typed into: a text field’s own, else the overlay’s', async ({
  start,
}) => {
  const { page, chooseMenu } = await start()
  const window = windowPage(page)
  await window.editorReady()
  await window.replaceYaml('sticky:\n  hermes: true\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()

  const search = window.roster.getByRole('searchbox').or(window.roster.getByRole('textbox')).first()
  await search.click()
  await page.keyboard.type('hermes')
  await chooseMenu('Undo')
  await expect(search).not.toHaveValue('hermes')
  await expect.poll(window.shownYaml).toContain('hermes: true')
  await chooseMenu('Redo')
  await expect(search).toHaveValue('hermes')

  await window.yaml.focus()
  await chooseMenu('Undo')
  await expect(page.getByText('Unsaved overlay')).toBeHidden()
  await chooseMenu('Redo')
  await expect.poll(window.shownYaml).toBe('sticky:\n  hermes: true\n')
  await expect(search).toHaveValue('hermes')
})

test('Open Recent lists the labs that were opened, opens them and forgets them', async ({ start }) => {
  const { page, chooseMenu } = await start({ args: ['--lab', SAMPLE_LAB] })
  await chooseMenu('Open Sample Lab')
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.origin).toBe('sample')
  await chooseMenu(SAMPLE_LAB)
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.lab.name).toBe(SAMPLE_LAB)
  await chooseMenu('Clear Recent')
  await expect.poll(async () => askHost(page, 'recentLabs', {})).toEqual([])
})

test('a second launch hands its lab to the first window, brings it to the front and ends', async ({
  start,
}) => {
  const { page, launchAgain, electron } = await start()
  await electron.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    if (window) window.focus = () => void Object.assign(globalThis, { wasFocused: true })
  })
  expect(await launchAgain(['--lab', SAMPLE_LAB])).toBe(0)
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.lab.name).toBe(SAMPLE_LAB)
  expect(await electron.evaluate(() => 'wasFocused' in globalThis)).toBe(true)
  expect((await windowFacts({ electron })).count).toBe(1)
})

test('opens the roster file it is launched with', async ({ start }) => {
  const { page } = await start({ lab: 'none', args: [join(SAMPLE_LAB, 'docs/models/queue.yaml')] })
  const snapshot = await askHost(page, 'currentLab', {})
  expect(snapshot).toMatchObject({ origin: 'argument', lab: { name: SAMPLE_LAB } })
})

test('opens a roster file dropped on the window, and nothing that script made up', async ({ start }) => {
  const { page } = await start()
  const before = (await askHost(page, 'currentLab', {}))?.lab.name
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['x'], 'queue.yaml'))
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [join(SAMPLE_LAB, 'docs/models/queue.yaml')], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  }
  await expect.poll(async () => (await askHost(page, 'currentLab', {}))?.lab.name).toBe(SAMPLE_LAB)
  expect(before).not.toBe(SAMPLE_LAB)
})

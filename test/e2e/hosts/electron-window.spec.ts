import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askHost } from '../../support/call-host.ts'
import { expect, test, windowFacts } from '../../support/real-electron/desktop-test.ts'
import { windowPage } from '../../support/window-page.ts'

/** The life of the window on a real Electron: where it opens, how it closes, and what happens when its page dies. */

const OVERLAY = 'docs/models/overlay.yaml'

test('asks before closing and before quitting with unsaved edits, and ends when they are given up', async ({
  start,
}) => {
  const { page, electron, exited, labDir } = await start()
  const overlay = await readFile(join(labDir, OVERLAY), 'utf8')
  await windowPage(page).replaceYaml('sticky: {}\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  const question = page.getByRole('dialog')
  await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect((await windowFacts({ electron })).count).toBe(1)

  await electron.evaluate(({ app }) => app.quit())
  await question.getByRole('button', { name: 'Discard' }).click()
  expect(await exited).toBe(0)
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe(overlay)
})

test('saves on quitting when that is chosen', async ({ start }) => {
  const { page, electron, exited, labDir } = await start()
  await windowPage(page).replaceYaml('sticky: {}\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await electron.evaluate(({ app }) => app.quit())
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  expect(await exited).toBe(0)
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe('sticky: {}\n')
})

test('opens where it was closed, as large and as magnified', async ({ start }) => {
  const first = await start({
    settings: { zoom: 1.2, window: { x: 210, y: 120, width: 1000, height: 700, maximized: false } },
  })
  expect((await windowFacts(first)).bounds).toEqual({ x: 210, y: 120, width: 1000, height: 700 })
  await expect(first.page.locator('html')).toHaveCSS('zoom', '1.2')
  const moved = { x: 160, y: 90, width: 1100, height: 640 }
  await first.electron.evaluate(
    ({ BrowserWindow }, bounds) => BrowserWindow.getAllWindows()[0]?.setBounds(bounds),
    moved,
  )
  await expect.poll(async () => (await windowFacts(first)).bounds).toEqual(moved)
  await first.stop()
  const second = await start({ home: first })
  expect(await windowFacts(second)).toEqual({ count: 1, bounds: moved, isVisible: true })
  await expect(second.page.locator('html')).toHaveCSS('zoom', '1.2')
})

test('a page that was killed comes back with what was saved, and closes freely', async ({ start }) => {
  const { page, electron, labDir, exited, answerMessages, shownMessages } = await start()
  const window = windowPage(page)
  await window.replaceYaml('# kept\nsticky: {}\n')
  await page.keyboard.press('ControlOrMeta+S')
  await expect(page.getByText('Overlay saved')).toBeVisible()
  await window.replaceYaml('# lost\n')
  await expect(page.getByText('Unsaved overlay')).toBeVisible()
  await answerMessages(0)
  await electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  )
  await expect.poll(shownMessages).toEqual(['The window failed and must be loaded again.'])
  const shown = (): Promise<string> =>
    electron.evaluate(async ({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents
      const text: unknown = await contents?.executeJavaScript('document.body.innerText')
      return String(text)
    })
  await expect.poll(shown).toContain('coder-daily')
  await expect.poll(async () => (await shown()).replaceAll('\u00a0', ' ')).toContain('# kept')
  expect(await readFile(join(labDir, OVERLAY), 'utf8')).toBe('# kept\nsticky: {}\n')
  await electron.evaluate(({ app }) => app.quit()).catch(() => undefined)
  expect(await exited).toBe(0)
})

test('follows the system’s light and dark, until a theme is chosen', async ({ start }) => {
  const { page, electron } = await start()
  const system = (source: 'light' | 'dark') =>
    electron.evaluate(({ nativeTheme }, wanted) => void (nativeTheme.themeSource = wanted), source)
  const html = page.locator('html')
  await system('dark')
  await expect(html).toHaveAttribute('data-theme', 'dark')
  await system('light')
  await expect(html).toHaveAttribute('data-theme', 'light')
  await askHost(page, 'changeSettings', { theme: 'dark' })
  await expect(html).toHaveAttribute('data-theme', 'dark')
})

/** Takes the README's pictures of the built planner in a real Electron: `npm run build`, then `npm run screenshots`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { makeHome } from '../test/support/planner-home.ts'
import { withDisplay } from '../test/support/real-electron/display.ts'
import { electronForTests } from '../test/support/real-electron/electron-for-tests.ts'
import { launchElectron } from '../test/support/real-electron/launch.ts'
import { chooseFolder, windowPage } from '../test/support/window-page.ts'

const IMAGES = fileURLToPath(new URL('../docs/images', import.meta.url))
const THEMES = ['light', 'dark'] as const

/** A picture without a caret that blinks, and without the pointer over anything. */
async function picture(what: Page | Locator, name: string): Promise<void> {
  const path = join(IMAGES, `${name}.png`)
  await what.screenshot({ path, animations: 'disabled', caret: 'hide' })
  console.log(path)
}

async function takePictures(
  electron: ElectronApplication,
  theme: (typeof THEMES)[number],
  home: Parameters<typeof chooseFolder>[0],
) {
  const { page } = home
  const window = windowPage(page)
  await window.run(`Use the ${theme} theme`)
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  await window.editorReady()
  await page.mouse.move(0, 0)
  await windowPicture(electron, `window-${theme}`)
  if (theme !== 'light') return
  await picture(window.explanation, 'explanation')
  await page.keyboard.press('Alt+2')
  await window.matrix.getByRole('grid', { name: 'Lab matrix' }).waitFor()
  await picture(window.matrix, 'lab-view')
  await page.keyboard.press('Alt+1')
  await page.keyboard.press('ControlOrMeta+E')
  await chooseFolder(home, 'specs')
  await window.dialog.getByRole('button', { name: 'Preview' }).click()
  await window.dialog
    .getByRole('list', { name: 'Files' })
    .getByRole('button', { name: 'hermes.json' })
    .click()
  await picture(window.dialog, 'export')
  await page.keyboard.press('Escape')
}

/** The whole window on its display, menu and all. */
async function windowPicture(electron: ElectronApplication, name: string): Promise<void> {
  const png = await electron.evaluate(async ({ BrowserWindow, desktopCapturer, screen }) => {
    const { size } = screen.getPrimaryDisplay()
    const sources = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: size })
    const bounds = BrowserWindow.getAllWindows()[0]?.getBounds()
    const image = sources[0]?.thumbnail
    return bounds && image ? image.crop(bounds).toPNG().toString('base64') : ''
  })
  if (png === '') throw new Error('The display shows no window.')
  const path = join(IMAGES, `${name}.png`)
  await writeFile(path, Buffer.from(png, 'base64'))
  console.log(path)
}

const found = electronForTests()
if (!found.ok) throw new Error(`Pictures need a real Electron: ${found.reason}`)
await mkdir(IMAGES, { recursive: true })
const home = await makeHome({
  settings: { window: { x: 0, y: 0, width: 1440, height: 900, maximized: false } },
})
await withDisplay(async (display) => {
  const { page, electron, stop } = await launchElectron([], home, display)
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const window = windowPage(page)
    await window.role('hermes').click()
    await window.allowTransfer.click()
    const answerPick = (path: string): Promise<void> =>
      electron.evaluate(({ dialog }, picked) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [picked] })
      }, path)
    for (const theme of THEMES) await takePictures(electron, theme, { ...home, page, answerPick })
  } finally {
    await stop()
  }
})
await home.remove()

/** Takes the README's pictures of the built planner: `npm run build`, then `npm run screenshots`. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Locator, type Page } from '@playwright/test'
import { launchServer } from '../test/support/browser-host.ts'
import { BROWSER_ARGS, findBrowser } from '../test/support/find-browser.ts'
import { makeHome } from '../test/support/planner-home.ts'
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
  page: Page,
  theme: (typeof THEMES)[number],
  home: Parameters<typeof chooseFolder>[0],
) {
  const window = windowPage(page)
  await window.run(`Use the ${theme} theme`)
  await page.locator(`html[data-theme=${theme}]`).waitFor()
  await window.editorReady()
  await page.mouse.move(0, 0)
  await picture(page, `window-${theme}`)
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

const found = findBrowser()
if (!found.ok) throw new Error(`Pictures need a browser: ${found.reason}`)
await mkdir(IMAGES, { recursive: true })
const home = await makeHome()
const server = await launchServer([], home.env)
const browser = await chromium.launch({ executablePath: found.path, args: [...BROWSER_ARGS] })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await page.goto(server.url)
  const window = windowPage(page)
  await window.role('hermes').click()
  await window.allowTransfer.click()
  for (const theme of THEMES) await takePictures(page, theme, { ...home, page, answerPick: null })
} finally {
  await browser.close()
  await server.stop()
  await home.remove()
}

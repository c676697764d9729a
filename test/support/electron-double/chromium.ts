import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { BROWSER_ARGS, findBrowser } from '../find-browser.ts'

let launched: Promise<BrowserContext> | null = null

/** The browser behind all windows of this process; its profile is in `userData`. */
export function openChromium(userData: string): Promise<BrowserContext> {
  launched ??= launch(join(userData, 'chromium'))
  return launched
}

async function launch(profile: string): Promise<BrowserContext> {
  const found = findBrowser()
  if (!found.ok) throw new Error(found.reason)
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    headless: true,
    viewport: { width: 1440, height: 900 },
    ignoreHTTPSErrors: true,
    // The test connects to the same browser by this port.
    args: [...BROWSER_ARGS, '--remote-debugging-port=0'],
  })
  const [port = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n')
  process.send?.({ kind: 'browser', endpoint: `http://127.0.0.1:${port}` })
  return context
}

export async function closeChromium(): Promise<void> {
  const context = await launched?.catch(() => null)
  await context?.close().catch(() => undefined)
}

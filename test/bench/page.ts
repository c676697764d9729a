import { chromium, type Browser, type Page } from '@playwright/test'
import { launchServer, type RunningServer } from '../support/browser-host.ts'
import { BROWSER_ARGS, findBrowser } from '../support/find-browser.ts'
import { writeLab } from '../support/lab-builder.ts'
import { makeHome } from '../support/planner-home.ts'
import { bigLab, EDITED_LAB, SCROLLED_LAB, type BigLabSize } from './big-lab.ts'
import { firstScriptKilobytes } from './first-script.ts'
import { resultOf } from './measure.ts'
import { editing } from './page-editing.ts'
import { largeLab } from './page-large.ts'
import type { PageResult } from './page-probes.ts'

const MOST_SCRIPT_KB = 200

/** Measures the built window in a browser, in labs of 256 roles with 200 and with 10,000 nodes. */
export async function* pageResults(): AsyncGenerator<PageResult> {
  yield {
    result: resultOf('first script, gzipped kB', await firstScriptKilobytes(), MOST_SCRIPT_KB),
    against: 'the most there may be',
  }
  const found = findBrowser()
  if (!found.ok) throw new Error(found.reason)
  const browser = await chromium.launch({ executablePath: found.path, args: [...BROWSER_ARGS] })
  try {
    yield* withLab(browser, EDITED_LAB, editing)
    yield* withLab(browser, SCROLLED_LAB, largeLab)
  } finally {
    await browser.close()
  }
}

type Measuring = (page: Page, server: RunningServer) => AsyncGenerator<PageResult>

async function* withLab(
  browser: Browser,
  size: BigLabSize,
  measuring: Measuring,
): AsyncGenerator<PageResult> {
  const home = await makeHome({ lab: (folder) => writeLab(folder, bigLab(size)) })
  const server = await launchServer([], home.env)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The transpiler names the functions that are sent to the page with a helper that is not there.
  await context.addInitScript('globalThis.__name = (named) => named')
  try {
    yield* measuring(await context.newPage(), server)
  } finally {
    await context.close()
    await server.stop()
    await home.remove()
  }
}

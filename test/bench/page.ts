import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test'
import { launchServer, type RunningServer } from '../support/browser-host.ts'
import { BROWSER_ARGS, findBrowser } from '../support/find-browser.ts'
import { writeLab } from '../support/lab-builder.ts'
import { makeHome } from '../support/planner-home.ts'
import { drag, windowPage } from '../support/window-page.ts'
import { bigLab, EDITED_LAB, SCROLLED_LAB, type BigLabSize } from './big-lab.ts'
import { firstScriptKilobytes } from './first-script.ts'
import { resultOf, type BenchResult } from './measure.ts'
import { longTasksSoFar, measureFrames, measureRepaints, p95, startRepaints, type Scroll } from './page-probes.ts'

/** A result of the page, and what it is measured against. */
export interface PageResult {
  readonly result: BenchResult
  readonly against: string
}

const TYPED = 200
const DRAGGED = 20
const MB = 1024 * 1024
/** What is measured in units of its own: kB of script, MB of heap, milliseconds of a task. */
const MOST = { scriptKb: 200, heapMb: 200, taskMs: 50 } as const

/** Measures the built window in a browser, in labs of 256 roles with 200 and with 10,000 nodes. */
export async function* pageResults(): AsyncGenerator<PageResult> {
  yield {
    result: resultOf('first script, gzipped kB', await firstScriptKilobytes(), MOST.scriptKb),
    against: 'the most there may be',
  }
  const found = findBrowser()
  if (!found.ok) throw new Error(found.reason)
  const browser = await chromium.launch({ executablePath: found.path, args: [...BROWSER_ARGS] })
  try {
    yield* withLab(browser, EDITED_LAB, editing)
    yield* withLab(browser, SCROLLED_LAB, scrolling)
  } finally {
    await browser.close()
  }
}

type Measuring = (page: Page, server: RunningServer) => AsyncGenerator<PageResult>

async function* withLab(browser: Browser, size: BigLabSize, measuring: Measuring): AsyncGenerator<PageResult> {
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

async function* editing(page: Page, server: RunningServer): AsyncGenerator<PageResult> {
  const blank = await page.context().newPage()
  const start = performance.now()
  await blank.goto(new URL('/no-such-page', server.url).href)
  const blankMs = performance.now() - start
  await blank.setContent('<textarea autofocus></textarea>')
  await blank.locator('textarea').focus()
  await startRepaints(blank, 'keydown')
  await blank.keyboard.type('a'.repeat(TYPED), { delay: 30 })
  const idle = await measureRepaints(blank)
  await blank.close()

  const opening = performance.now()
  await page.goto(server.url)
  const window = windowPage(page)
  await window.roster.getByRole('option').first().waitFor()
  yield {
    result: resultOf('window usable', performance.now() - opening, blankMs),
    against: 'a blank page of the same server',
  }

  await window.editorReady()
  await window.yaml.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await startRepaints(page, 'keydown')
  await page.keyboard.type(`# ${'typed by hand '.repeat(20)}`.slice(0, TYPED), { delay: 60 })
  const typed = await measureRepaints(page)
  yield { result: resultOf('type to repaint, p95', p95(typed.repaints), p95(idle.repaints)), against: BLANK_TYPING }
  yield {
    result: resultOf('longest task while typing', Math.max(0, ...typed.longTasks), MOST.taskMs),
    against: 'the most there may be',
  }

  const role = 'role-00001'
  await window.board.getByRole('textbox', { name: 'Filter the board' }).fill(role)
  await startRepaints(page, 'pointerup')
  for (let i = 0; i < DRAGGED; i++) {
    await drag(window.chip(role), window.column(i % 2 === 0 ? 'Interactive' : 'Batch'))
  }
  const dragged = await measureRepaints(page)
  yield { result: resultOf('drop to repaint, p95', p95(dragged.repaints), p95(idle.repaints)), against: BLANK_TYPING }

  await window.yaml.focus()
  await startRepaints(page, 'keydown')
  for (let i = 0; i < TYPED / 2; i++) {
    await page.keyboard.press(i % 2 === 0 ? 'ControlOrMeta+Z' : 'ControlOrMeta+Shift+Z', { delay: 30 })
  }
  const undone = await measureRepaints(page)
  yield { result: resultOf('undo to repaint, p95', p95(undone.repaints), p95(idle.repaints)), against: BLANK_TYPING }
}

const BLANK_TYPING = 'typing into a blank page'

const SCROLLS: Readonly<Record<string, Scroll>> = {
  down: { left: 0, top: 120 },
  across: { left: 60, top: 0 },
  diagonally: { left: 40, top: 80 },
}

async function* scrolling(page: Page, server: RunningServer): AsyncGenerator<PageResult> {
  const blank = await page.context().newPage()
  await blank.setContent('<p>Nothing moves here.</p>')
  const idle = await measureFrames(blank, null, null)
  await blank.close()

  const opening = performance.now()
  await page.goto(server.url)
  const window = windowPage(page)
  await window.roster.getByRole('option').first().waitFor({ timeout: 120_000 })
  const openMs = performance.now() - opening
  const tasks = await longTasksSoFar(page)
  yield {
    result: resultOf('longest task while opening 10000 nodes', Math.max(0, ...tasks), MOST.taskMs),
    against: `the most there may be (open after ${Math.round(openMs)} ms)`,
  }
  const grid = window.matrix.getByRole('grid', { name: 'Shard matrix' })
  await grid.waitFor()
  for (const [way, scroll] of Object.entries(SCROLLS)) {
    const frames = await measureFrames(page, grid, scroll)
    yield { result: resultOf(`frame while scrolling ${way}, p95`, p95(frames), p95(idle)), against: 'a page at rest' }
  }
  const session = await page.context().newCDPSession(page)
  yield {
    result: resultOf('heap with 10000 nodes, MB', await heapMegabytes(session), MOST.heapMb),
    against: 'the most there may be',
  }
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / MB
}

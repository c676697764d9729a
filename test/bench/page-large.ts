import type { CDPSession, Page } from '@playwright/test'
import type { RunningServer } from '../support/browser-host.ts'
import { windowPage } from '../support/window-page.ts'
import { resultOf } from './measure.ts'
import {
  longestTask,
  longTasksBetween,
  longTasksDuring,
  measureFrames,
  openWindow,
  p95,
  type PageResult,
  type Scroll,
} from './page-probes.ts'

const MB = 1024 * 1024
const MOST_HEAP_MB = 200

const SCROLLS: Readonly<Record<string, Scroll>> = {
  down: { left: 0, top: 120 },
  across: { left: 60, top: 0 },
  diagonally: { left: 40, top: 80 },
}

/** What {@link largeLab} measures. */
export const LARGE_LAB_CASES = [
  'longest task while opening 10000 nodes',
  'longest task while the editor arrives',
  ...Object.keys(SCROLLS).map((way) => `frame while scrolling ${way}, p95`),
  'longest task while the policy changes, 10000 nodes',
  'longest task while advice is made, 10000 nodes',
  'heap with 10000 nodes, MB',
]

/** A lab of 10,000 nodes under the hand: opened, scrolled, planned under another policy, explained. */
export async function* largeLab(
  newPage: () => Promise<Page>,
  server: RunningServer,
): AsyncGenerator<PageResult> {
  const blank = await newPage()
  await blank.setContent('<p>Nothing moves here.</p>')
  const idle = await measureFrames(blank, null, null)
  await blank.close()

  const page = await newPage()
  const { usableMs, openedAt, longTasks } = await openWindow(page, server.url)
  const whileOpening = longestTask('longest task while opening 10000 nodes', longTasks)
  yield { ...whileOpening, against: `${whileOpening.against} (open after ${Math.round(usableMs)} ms)` }
  const window = windowPage(page)
  await window.editorReady()
  yield longestTask('longest task while the editor arrives', await longTasksBetween(page, openedAt))

  const grid = window.matrix.getByRole('grid', { name: 'Shard matrix' })
  for (const [way, scroll] of Object.entries(SCROLLS)) {
    const frames = await measureFrames(page, grid, scroll)
    yield {
      result: resultOf(`frame while scrolling ${way}, p95`, p95(frames), p95(idle)),
      against: 'a page at rest',
    }
  }

  const changing = await longTasksDuring(page, async () => {
    // The facts are older than the machine's clock allows: every role is decided otherwise.
    await page.getByRole('switch', { name: 'Require fresh facts' }).click()
    await window.roster.getByRole('button', { name: 'Can’t run 256' }).waitFor({ timeout: 120_000 })
  })
  yield longestTask('longest task while the policy changes, 10000 nodes', changing)
  const advising = await longTasksDuring(page, async () => {
    await window.roster.getByRole('option').nth(3).click()
    const advice = window.explanation.getByRole('region', { name: 'What would change this' })
    await advice.getByRole('definition').filter({ hasNotText: '…' }).nth(5).waitFor({ timeout: 120_000 })
  })
  yield longestTask('longest task while advice is made, 10000 nodes', advising)

  const session = await page.context().newCDPSession(page)
  yield {
    result: resultOf('heap with 10000 nodes, MB', await heapMegabytes(session), MOST_HEAP_MB),
    against: 'the most there may be',
  }
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / MB
}

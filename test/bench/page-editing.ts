import type { Page } from '@playwright/test'
import type { RunningServer } from '../support/browser-host.ts'
import { drag, windowPage } from '../support/window-page.ts'
import { resultOf } from './measure.ts'
import {
  framesPainted,
  longestTask,
  measureRepaints,
  openWindow,
  p95,
  startRepaints,
  type PageResult,
  type Repaints,
} from './page-probes.ts'

const TYPED = 200
const DRAGGED = 100
const BLANK_TYPING = 'typing into a blank page'

/** What {@link editing} measures. */
export const EDITING_CASES = [
  'window usable',
  'type to repaint, p95',
  'longest task while typing',
  'drop to repaint, p95',
  'longest task while dragging',
  'undo to repaint, p95',
]

/** What an operator with 256 roles and 200 nodes feels: how soon the window is there, and follows the hand. */
export async function* editing(
  newPage: () => Promise<Page>,
  server: RunningServer,
): AsyncGenerator<PageResult> {
  const { blankMs, idle } = await blankPage(await newPage(), server)
  const page = await newPage()
  const { usableMs } = await openWindow(page, server.url)
  yield { result: resultOf('window usable', usableMs, blankMs), against: 'a blank page of the same server' }
  yield* followsTheHand(page, idle)
}

/** How soon an open window paints what is typed, dragged and undone, against `idle`: typing into a page without anything. */
export async function* followsTheHand(page: Page, idle: Repaints, where = ''): AsyncGenerator<PageResult> {
  const against = (name: string, { repaints }: Repaints): PageResult => ({
    result: resultOf(`${name}${where}`, p95(repaints), p95(idle.repaints)),
    against: BLANK_TYPING,
  })
  const window = windowPage(page)
  await window.editorReady()
  await window.yaml.focus()
  // Above all that is named: below it a comment leaves the plan as it is, and the planning of each key would go unmeasured.
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await startRepaints(page, 'keydown')
  await page.keyboard.type(`# ${'typed by hand '.repeat(20)}`.slice(0, TYPED), { delay: 60 })
  const typed = await measureRepaints(page)
  yield against('type to repaint, p95', typed)
  yield longestTask(`longest task while typing${where}`, typed.longTasks)

  const role = 'role-00001'
  await startRepaints(page, 'pointerup')
  for (let i = 0; i < DRAGGED; i++) {
    await drag(window.chip(role), window.column(i % 2 === 0 ? 'Interactive' : 'Batch'))
    // Looking for what is dragged next would take the page's time from painting.
    await framesPainted(page)
  }
  const dragged = await measureRepaints(page)
  yield against('drop to repaint, p95', dragged)
  yield longestTask(`longest task while dragging${where}`, dragged.longTasks)

  await window.yaml.focus()
  await startRepaints(page, 'keydown')
  for (let i = 0; i < TYPED / 2; i++) {
    await page.keyboard.press(i % 2 === 0 ? 'ControlOrMeta+Z' : 'ControlOrMeta+Shift+Z', { delay: 30 })
  }
  yield against('undo to repaint, p95', await measureRepaints(page))
}

/** What the machine itself takes: to load a page that has nothing, and to paint a key typed into it. */
async function blankPage(blank: Page, server: RunningServer): Promise<{ blankMs: number; idle: Repaints }> {
  const start = performance.now()
  await blank.goto(new URL('/no-such-page', server.url).href)
  const blankMs = performance.now() - start
  const idle = await typingIntoNothing(blank)
  await blank.close()
  return { blankMs, idle }
}

/** What the machine itself takes to paint a key: `blank` gets a text area and nothing else. */
export async function typingIntoNothing(blank: Page): Promise<Repaints> {
  await blank.setContent('<textarea autofocus></textarea>')
  await blank.locator('textarea').focus()
  await startRepaints(blank, 'keydown')
  await blank.keyboard.type('a'.repeat(TYPED), { delay: 30 })
  return measureRepaints(blank)
}

import type { Locator, Page } from '@playwright/test'
import { resultOf, type BenchResult } from './measure.ts'

/** A result of the page, and what it is measured against. */
export interface PageResult {
  readonly result: BenchResult
  readonly against: string
}

/** What was seen between {@link startRepaints} and {@link measureRepaints}, in milliseconds. */
export interface Repaints {
  /** From each event to the end of the frame that shows what it did. */
  readonly repaints: readonly number[]
  /** The page's tasks of more than 50 ms. */
  readonly longTasks: readonly number[]
}

/** Pixels scrolled in each frame. */
export interface Scroll {
  readonly left: number
  readonly top: number
}

const SCROLL_MS = 3000
/** A task as long as this keeps the page from answering for so long that a person feels it. */
const MOST_TASK_MS = 50

declare global {
  /** Where the page keeps what is measured in it until it is fetched. */
  var benchRepaints: { repaints: number[]; longTasks: number[]; stop: () => void } | undefined
  /** When the roster's first row was painted, in the page's own time. */
  var benchOpened: Promise<number> | undefined
  /** Times between frames since {@link startFrames}, in milliseconds, and how to stop. */
  var benchFrames: { frames: number[]; isOver: boolean } | undefined
}

/** The value below which 95 of 100 are. */
export function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}

/** How a lab was opened, in milliseconds. */
export interface Opening {
  /** From asking for the page until the roster's first row was painted. */
  readonly usableMs: number
  /** When that was, in the page's own time. */
  readonly openedAt: number
  /** The page's tasks of more than 50 ms that began before. */
  readonly longTasks: readonly number[]
}

/** Opens the planner and sees by itself when its roster is there: asking the page from outside waits for its turn. */
export async function openWindow(page: Page, url: string): Promise<Opening> {
  await page.addInitScript(() => {
    globalThis.benchOpened = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('[role=option]') === null) return
        observer.disconnect()
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
      })
      observer.observe(document, { childList: true, subtree: true })
    })
  })
  const asked = Date.now()
  await page.goto(url)
  // The address leads on to another one, so that the page that is asked may be gone by then.
  await page.getByRole('option').first().waitFor({ timeout: 120_000 })
  const { timeOrigin, opened } = await page.evaluate(async () => ({
    timeOrigin: performance.timeOrigin,
    opened: (await globalThis.benchOpened) ?? Infinity,
  }))
  return {
    usableMs: timeOrigin + opened - asked,
    openedAt: opened,
    longTasks: await longTasksBetween(page, 0, opened),
  }
}

/** The longest of the tasks that were noticed; only those of more than 50 ms are. */
export function longestTask(name: string, longTasks: readonly number[]): PageResult {
  return { result: resultOf(name, Math.max(0, ...longTasks), MOST_TASK_MS), against: 'the most there may be' }
}

/** From now on the page measures how long after each event of that name it has painted. */
export function startRepaints(page: Page, event: 'keydown' | 'pointerup'): Promise<void> {
  return page.evaluate((name) => {
    const repaints: number[] = []
    const longTasks: number[] = []
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration)
    })
    observer.observe({ type: 'longtask' })
    const onEvent = ({ timeStamp }: Event): void => {
      // A message sent in a frame's callback is handled when that frame has been painted.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => {
          repaints.push(performance.now() - timeStamp)
          port1.close()
        }
        port2.postMessage(null)
      })
    }
    window.addEventListener(name, onEvent, true)
    globalThis.benchRepaints = {
      repaints,
      longTasks,
      stop: () => {
        observer.disconnect()
        window.removeEventListener(name, onEvent, true)
      },
    }
  }, event)
}

/** Waits until the page has painted what it was doing. */
export function framesPainted(page: Page): Promise<unknown> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

/** What was measured since {@link startRepaints}, once the last event is painted. */
export function measureRepaints(page: Page): Promise<Repaints> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const measured = globalThis.benchRepaints
    if (measured === undefined) throw new Error('Nothing was being measured.')
    measured.stop()
    return { repaints: measured.repaints, longTasks: measured.longTasks }
  })
}

/** The frame times of 3 s in which the grid (or nothing) is scrolled, back and forth at its ends. */
export async function measureFrames(
  page: Page,
  grid: Locator | null,
  scroll: Scroll | null,
): Promise<readonly number[]> {
  const measure = (
    element: Element | null,
    { by, ms }: { by: Scroll | null; ms: number },
  ): Promise<number[]> =>
    new Promise((resolve) => {
      const frames: number[] = []
      let left = by?.left ?? 0
      let top = by?.top ?? 0
      let before = 0
      const end = performance.now() + ms
      const frame = (now: number): void => {
        if (before !== 0) frames.push(now - before)
        before = now
        if (now >= end) {
          resolve(frames)
          return
        }
        if (element !== null) {
          const [wasLeft, wasTop] = [element.scrollLeft, element.scrollTop]
          element.scrollBy(left, top)
          if (left !== 0 && element.scrollLeft === wasLeft) left = -left
          if (top !== 0 && element.scrollTop === wasTop) top = -top
        }
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
  const how = { by: scroll, ms: SCROLL_MS }
  if (grid === null) return page.locator('body').evaluate(measure, { by: null, ms: SCROLL_MS })
  return grid.evaluate(measure, how)
}

/** From now on, a time of the page's own, it measures the time between its frames. */
export function startFrames(page: Page): Promise<number> {
  return page.evaluate(() => {
    const measured = { frames: [] as number[], isOver: false }
    globalThis.benchFrames = measured
    let before = performance.now()
    const frame = (now: number): void => {
      measured.frames.push(now - before)
      before = now
      if (!measured.isOver) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
    return before
  })
}

/** The times between the frames since {@link startFrames}, in milliseconds. */
export function stopFrames(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const measured = globalThis.benchFrames
    if (measured === undefined) throw new Error('No frames were being measured.')
    measured.isOver = true
    return measured.frames
  })
}

/** The page's tasks of more than 50 ms while `work` is done. */
export async function longTasksDuring(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  const from = await page.evaluate(() => performance.now())
  await work()
  return longTasksBetween(page, from)
}

/** The page's tasks of more than 50 ms that began between two times of its own. */
export function longTasksBetween(page: Page, from: number, to = Infinity): Promise<readonly number[]> {
  return page.evaluate(
    ([start, end]) =>
      new Promise<number[]>((resolve) => {
        const tasks: number[] = []
        const observer = new PerformanceObserver((list) => {
          for (const { startTime, duration } of list.getEntries())
            if (startTime >= start && startTime < end) tasks.push(duration)
        })
        observer.observe({ type: 'longtask', buffered: true })
        // What was buffered is reported before the next frame but one.
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            observer.disconnect()
            resolve(tasks)
          }),
        )
      }),
    [from, to] as const,
  )
}

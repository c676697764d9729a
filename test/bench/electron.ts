import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writeLab } from '../support/lab-builder.ts'
import { makeHome, type HomeOptions, type PlannerHome } from '../support/planner-home.ts'
import { withDisplay } from '../support/real-electron/display.ts'
import { electronForTests } from '../support/real-electron/electron-for-tests.ts'
import { launchElectron, type RunningElectron } from '../support/real-electron/launch.ts'
import { windowPage } from '../support/window-page.ts'
import { bigLab, EDITED_LAB, SCROLLED_LAB, type BigLabSize } from './big-lab.ts'
import { median, resultOf } from './measure.ts'
import { followsTheHand, typingIntoNothing } from './page-editing.ts'
import type { PageResult } from './page-probes.ts'

const STARTS = 7
const AGAINST = 'a bare window of the same Electron'
/** A window of the planner's size, in the same sandbox, that shows one line. */
const BARE = `import { app, BrowserWindow } from 'electron'
app.enableSandbox()
app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1440, height: 900, webPreferences: { sandbox: true } })
  window.loadURL('data:text/html,<p>One line.</p>')
})
`

type Launch = (options?: HomeOptions) => Promise<Opened>

interface Opened extends RunningElectron {
  /** From the launch until what the window is for was painted, in milliseconds. */
  readonly usableMs: number
  readonly end: () => Promise<void>
}

/** Measures the built program on a real Electron against a bare window: its start, its memory, its answers to the hand. */
export async function* electronResults(): AsyncGenerator<PageResult> {
  const found = electronForTests()
  if (!found.ok) throw new Error(`There is no Electron to measure on: ${found.reason}`)
  const bareFolder = await bareProgram()
  try {
    // What is measured is awaited there, since a display outlives its work by nothing.
    for (const result of await withDisplay((display) => allResults(display, bareFolder))) yield result
  } finally {
    await rm(bareFolder, { recursive: true, force: true })
  }
}

async function allResults(display: NodeJS.ProcessEnv, bareFolder: string): Promise<readonly PageResult[]> {
  const bare: Launch = () => open({ lab: 'none' }, display, firstPaint, bareFolder)
  const planner: Launch = (options = {}) => open(options, display, rosterPainted)
  return [
    await starts(planner, bare),
    ...(await memories(planner, bare)),
    ...(await answersToTheHand(planner, bare)),
  ]
}

async function bareProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-bare-'))
  await chmod(folder, 0o755)
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'bare-window', version: '0.0.0', type: 'module', main: 'main.js' }),
  )
  await writeFile(join(folder, 'main.js'), BARE)
  return folder
}

async function open(
  options: HomeOptions,
  display: NodeJS.ProcessEnv,
  usableAt: (page: Page) => Promise<number>,
  folder?: string,
): Promise<Opened> {
  const home: PlannerHome = await makeHome(options)
  const asked = Date.now()
  const running = await launchElectron([], home, display, folder)
  const end = async (): Promise<void> => {
    await running.stop()
    await home.remove()
  }
  try {
    // The transpiler names the functions that are sent to the page with a helper that is not there.
    await running.page.evaluate('globalThis.__name = (named) => named')
    return { ...running, usableMs: (await usableAt(running.page)) - asked, end }
  } catch (error) {
    await end()
    throw error
  }
}

/** When the page painted its first line, in milliseconds since the epoch. */
function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const [entry] = list.getEntriesByName('first-contentful-paint')
          if (entry) resolve(performance.timeOrigin + entry.startTime)
        })
        observer.observe({ type: 'paint', buffered: true })
      }),
  )
}

/** When the roster's first row was painted, in milliseconds since the epoch; later than that when it was there already. */
function rosterPainted(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(look)
        function look(): void {
          if (document.querySelector('[role=option]') === null) return
          observer.disconnect()
          requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
        }
        observer.observe(document, { childList: true, subtree: true })
        look()
      }),
  )
}

/** Starts both in turn, so that drift of the machine hits both alike; the first of each warms the disk's cache. */
async function starts(planner: Launch, bare: Launch): Promise<PageResult> {
  const own: number[] = []
  const plain: number[] = []
  for (let round = -1; round < STARTS; round++) {
    for (const [launch, times] of [
      [planner, own],
      [bare, plain],
    ] as const) {
      const opened = await launch()
      await opened.end()
      if (round >= 0) times.push(opened.usableMs)
    }
  }
  return {
    result: resultOf('Electron: start to usable, ms', median(own), median(plain)),
    against: AGAINST,
  }
}

async function memories(planner: Launch, bare: Launch): Promise<readonly PageResult[]> {
  const none = await withOpened(bare, undefined, megabytes)
  const small = await withOpened(planner, {}, settled)
  const large = await withOpened(planner, labOf(SCROLLED_LAB), settled)
  const against = (name: string, mb: number): PageResult => ({
    result: resultOf(`Electron: memory with ${name}, MB`, mb, none),
    against: AGAINST,
  })
  return [against('the sample lab', small), against('10000 nodes', large)]

  async function settled(opened: Opened): Promise<number> {
    await windowPage(opened.page).editorReady()
    return megabytes(opened)
  }
}

async function answersToTheHand(planner: Launch, bare: Launch): Promise<readonly PageResult[]> {
  const idle = await withOpened(bare, undefined, ({ page }) => typingIntoNothing(page))
  return withOpened(planner, labOf(EDITED_LAB), async ({ page }) => {
    const results: PageResult[] = []
    for await (const result of followsTheHand(page, idle, ', Electron')) results.push(result)
    return results
  })
}

function labOf(size: BigLabSize): HomeOptions {
  return { lab: (folder) => writeLab(folder, bigLab(size)) }
}

async function withOpened<T>(
  launch: Launch,
  options: HomeOptions | undefined,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await launch(options)
  try {
    return await work(opened)
  } finally {
    await opened.end()
  }
}

/** The working sets of all the program's processes, once the page has let go of its garbage. */
async function megabytes({ electron, page }: Opened): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const kilobytes = await electron.evaluate(({ app }) =>
    app.getAppMetrics().reduce((sum, { memory }) => sum + memory.workingSetSize, 0),
  )
  return kilobytes / 1024
}

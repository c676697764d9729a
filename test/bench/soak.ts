import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type CDPSession, type Page } from '@playwright/test'
import { launchServer } from '../support/browser-host.ts'
import { BROWSER_ARGS, findBrowser } from '../support/find-browser.ts'
import { writeLab } from '../support/lab-builder.ts'
import { makeHome, type PlannerHome } from '../support/planner-home.ts'
import { openDisplay } from '../support/real-electron/display.ts'
import { electronForTests } from '../support/real-electron/electron-for-tests.ts'
import { launchElectron } from '../support/real-electron/launch.ts'
import { drag, windowPage } from '../support/window-page.ts'
import { bigLab } from './big-lab.ts'
import { seeded } from './inputs.ts'

/**
 * `npm run soak -- [MINUTES] [SEED] [--electron]`: random edits, drags, selections, views and changes on disk for as long, in a browser
 * or on a real Electron; then
 * the page's heap must be within 10 % of what it was once the undo stacks were full and the code was warm (after three
 * tenths of at least ten minutes), and nothing may have piled up: listeners and DOM nodes of the page, and open files of the host (its
 * watchers, on Linux).
 */
const onElectron = process.argv.includes('--electron')
const [minutesText = '30', seedText = '1'] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))
const minutes = Number(minutesText)
const seed = Number(seedText)
if (!(minutes > 0) || !Number.isInteger(seed))
  throw new Error('usage: npm run soak -- [MINUTES] [SEED] [--electron]')

const ROLES = 64
const NODES = 40
/** Looks at what is in use, evenly over the time; they are compared from this one on. */
const LOOKS = 10
const FIRST_LOOK = 2
const MOST_GROWTH = 1.1
/** Listeners and elements come and go with what is in view. */
const VIEW_SLACK = 200

interface Footprint {
  readonly heapMb: number
  readonly listeners: number
  readonly elements: number
  /** Null where the system does not tell. */
  readonly openFiles: number | null
}

const random = seeded(seed)
const pick = (count: number): number => Math.floor(random() * count)
const lab = bigLab({ roles: ROLES, nodes: NODES, models: 12, shards: 24 })
const home = await makeHome({ lab: (folder) => writeLab(folder, lab) })
const soaked = onElectron ? await inElectron(home) : await inBrowser(home)
try {
  const { page } = soaked
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  const window = windowPage(page)
  await window.roster.getByRole('option').first().waitFor()
  await window.editorReady()
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')

  const steps: readonly (() => Promise<void>)[] = [
    async () => {
      await window.yaml.focus()
      await page.keyboard.press('ControlOrMeta+End')
      await page.keyboard.type('# soaked')
      await page.keyboard.press('Enter')
    },
    async () => {
      await window.yaml.focus()
      await page.keyboard.press(random() < 0.7 ? 'ControlOrMeta+Z' : 'ControlOrMeta+Shift+Z')
    },
    async () => {
      await window.roster.getByRole('listbox').focus()
      for (let i = pick(6); i >= 0; i--) await page.keyboard.press(random() < 0.5 ? 'ArrowDown' : 'ArrowUp')
      await page.keyboard.press('Enter')
    },
    async () => {
      const role = `role-${String(pick(6)).padStart(5, '0')}`
      await window.board.getByRole('textbox', { name: 'Filter the board' }).fill(role)
      await drag(window.chip(role), window.column(random() < 0.5 ? 'Interactive' : 'Batch'))
      // For 50 ms after a drop dnd-kit takes every selection away, which a hand does not notice and filling a field does.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)))
      await window.board.getByRole('textbox', { name: 'Filter the board' }).fill('')
    },
    () => page.keyboard.press(`Alt+${1 + pick(3)}`),
    () => window.allowTransfer.click(),
    () => page.keyboard.press('Alt+Z'),
    () => page.keyboard.press('ControlOrMeta+Shift+R'),
    async () => {
      const path = join(home.labDir, `docs/models/nodes/node-${String(pick(NODES)).padStart(5, '0')}.json`)
      const facts = JSON.parse(await readFile(path, 'utf8')) as { seq: number }
      await writeFile(path, JSON.stringify({ ...facts, seq: facts.seq + 1 }))
    },
  ]
  /** Takes back what was typed, so that the text and its history are as long at every look. */
  const settle = async (): Promise<void> => {
    await window.replaceYaml(lab.overlay ?? '')
    await page.keyboard.press('Alt+1')
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  }

  const start = Date.now()
  const end = start + minutes * 60_000
  const prints: Footprint[] = []
  let count = 0
  while (prints.length < LOOKS) {
    await steps[pick(steps.length)]?.()
    count++
    if (Date.now() < start + ((end - start) * (prints.length + 1)) / LOOKS) continue
    await settle()
    const print = await footprint(session, soaked.hostPid)
    console.log(`after ${count} steps: ${JSON.stringify(print)}`)
    prints.push(print)
  }
  const [first, last] = [prints[FIRST_LOOK], prints.at(-1)]
  const leaks = first && last ? leaksBetween(first, last) : []
  for (const line of [...leaks, ...faults]) console.error(`soak (seed ${seed}): ${line}`)
  if (leaks.length > 0 || faults.length > 0) process.exitCode = 1
} finally {
  await soaked.close()
  await home.remove()
}

/** The window that is soaked, and its host's process. */
interface Soaked {
  readonly page: Page
  readonly hostPid: number | null
  readonly close: () => Promise<void>
}

async function inBrowser({ env }: PlannerHome): Promise<Soaked> {
  const found = findBrowser()
  if (!found.ok) throw new Error(found.reason)
  const server = await launchServer([], env)
  const browser = await chromium.launch({ executablePath: found.path, args: [...BROWSER_ARGS] })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(server.url)
  const close = async (): Promise<void> => {
    await browser.close()
    await server.stop()
  }
  return { page, hostPid: server.process.pid ?? null, close }
}

async function inElectron(planner: PlannerHome): Promise<Soaked> {
  const found = electronForTests()
  if (!found.ok) throw new Error(found.reason)
  const display = await openDisplay()
  const { page, electron, stop } = await launchElectron([], planner, display.env)
  const close = async (): Promise<void> => {
    await stop()
    await display.stop()
  }
  return { page, hostPid: electron.process().pid ?? null, close }
}

async function footprint(session: CDPSession, hostPid: number | null): Promise<Footprint> {
  // Twice: what finalizers let go of is only gone the second time.
  for (let i = 0; i < 2; i++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0
  const openFiles =
    process.platform === 'linux' && hostPid !== null ? (await readdir(`/proc/${hostPid}/fd`)).length : null
  return {
    heapMb: Math.round(metric('JSHeapUsedSize') / 1e5) / 10,
    listeners: metric('JSEventListeners'),
    elements: metric('Nodes'),
    openFiles,
  }
}

function leaksBetween(first: Footprint, last: Footprint): string[] {
  const leaks: string[] = []
  if (last.heapMb > first.heapMb * MOST_GROWTH)
    leaks.push(`the heap grew from ${first.heapMb} to ${last.heapMb} MB`)
  if (last.listeners > first.listeners * MOST_GROWTH + VIEW_SLACK)
    leaks.push(`listeners grew from ${first.listeners} to ${last.listeners}`)
  if (last.elements > first.elements * MOST_GROWTH + VIEW_SLACK)
    leaks.push(`DOM nodes grew from ${first.elements} to ${last.elements}`)
  // One connection may be on its way.
  if (first.openFiles !== null && last.openFiles !== null && last.openFiles > first.openFiles + 2)
    leaks.push(`the host's open files grew from ${first.openFiles} to ${last.openFiles}`)
  return leaks
}

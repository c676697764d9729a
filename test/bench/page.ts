import { chromium, type Browser, type Page } from '@playwright/test'
import { launchServer, type RunningServer } from '../support/browser-host.ts'
import { BROWSER_ARGS, findBrowser } from '../support/find-browser.ts'
import { writeLab } from '../support/lab-builder.ts'
import { makeHome } from '../support/planner-home.ts'
import { bigLab, EDITED_LAB, SCROLLED_LAB, type BigLabSize } from './big-lab.ts'
import { firstScriptKilobytes } from './first-script.ts'
import { resultOf } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { editing, EDITING_CASES } from './page-editing.ts'
import { largeLab, LARGE_LAB_CASES } from './page-large.ts'
import type { PageResult } from './page-probes.ts'
import { scanning, SCANNING_CASES, writeUnscannedLab } from './page-scanning.ts'
import { throttledPage } from './processor.ts'

const MOST_SCRIPT_KB = 200

const FIRST_SCRIPT = 'first script, gzipped kB'

type PageOptions = Pick<BenchOptions, 'throttle' | 'only'>

/**
 * Measures the built window in a browser, in labs of 256 roles with 200 and with 10,000 nodes, and while models are hashed: the cases whose names have
 * `only` in them. A lab none of whose cases is asked for is not opened.
 */
export async function* pageResults({ throttle, only }: PageOptions): AsyncGenerator<PageResult> {
  if (FIRST_SCRIPT.includes(only)) {
    yield {
      result: resultOf(FIRST_SCRIPT, await firstScriptKilobytes(), MOST_SCRIPT_KB),
      against: 'the most there may be',
    }
  }
  const labs = LABS.filter(({ cases }) => cases.some((name) => name.includes(only)))
  if (labs.length === 0) return
  const found = findBrowser()
  if (!found.ok) throw new Error(found.reason)
  const browser = await chromium.launch({ executablePath: found.path, args: [...BROWSER_ARGS] })
  try {
    for (const lab of labs) {
      for await (const measured of withLab(browser, lab, throttle))
        if (measured.result.name.includes(only)) yield measured
    }
  } finally {
    await browser.close()
  }
}

type NewPage = () => Promise<Page>
type Measuring = (newPage: NewPage, server: RunningServer) => AsyncGenerator<PageResult>

interface MeasuredLab {
  /** Writes the lab into its folder. */
  readonly write: (folder: string) => Promise<void>
  readonly measuring: Measuring
  /** The names of what it measures. */
  readonly cases: readonly string[]
}

function writeBigLab(size: BigLabSize): MeasuredLab['write'] {
  return (folder) => writeLab(folder, bigLab(size))
}

const LABS: readonly MeasuredLab[] = [
  { write: writeBigLab(EDITED_LAB), measuring: editing, cases: EDITING_CASES },
  { write: writeBigLab(SCROLLED_LAB), measuring: largeLab, cases: LARGE_LAB_CASES },
  { write: writeUnscannedLab, measuring: scanning, cases: SCANNING_CASES },
]

async function* withLab(
  browser: Browser,
  { write, measuring, cases }: MeasuredLab,
  throttle: number,
): AsyncGenerator<PageResult> {
  const home = await makeHome({ lab: write })
  const server = await launchServer([], home.env)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  // The transpiler names the functions that are sent to the page with a helper that is not there.
  await context.addInitScript('globalThis.__name = (named) => named')
  try {
    for await (const measured of measuring(() => throttledPage(context, throttle), server)) {
      if (!cases.includes(measured.result.name)) throw new Error(`${measured.result.name} is not listed`)
      yield measured
    }
  } finally {
    await context.close()
    await server.stop()
    await home.remove()
  }
}

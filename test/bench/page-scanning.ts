import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { RunningServer } from '../support/browser-host.ts'
import { writeLab } from '../support/lab-builder.ts'
import { writeTree } from '../support/temp-folder.ts'
import { ggufOf } from '../support/weight-files.ts'
import { resultOf } from './measure.ts'
import {
  longestTask,
  longTasksBetween,
  openWindow,
  p95,
  startFrames,
  stopFrames,
  type PageResult,
} from './page-probes.ts'

const FILES = 2
/** Of each file; none of it is on the disk but the header. */
const FILE_BYTES = 4_000_000_000
const MOST_FRAME_MS = 50

/** What {@link scanning} measures. */
export const SCANNING_CASES = ['frame while hashing, p95', 'longest task while hashing']

/** A lab of a roster beside 8 GB of weights that are not hashed yet. */
export async function writeUnscannedLab(labDir: string): Promise<void> {
  const names = Array.from({ length: FILES }, (_, i) => `Model-${i}`)
  const roles = names.map(
    (name, i) => `- {id: r${i}, name: ${name}, backend: llamacpp, ram_gb: 5, port: ${8090 + i}}\n`,
  )
  await writeLab(labDir, { roster: `roster:\n${roles.join('')}` })
  const home = join(labDir, '..')
  for (const name of names) {
    const path = `models/${name}.gguf`
    await writeTree(home, { [path]: ggufOf(name) })
    const file = await open(join(home, path), 'r+')
    await file.truncate(FILE_BYTES)
    await file.close()
  }
}

/** The window while its models are hashed, from the click that starts it to the end. */
export async function* scanning(
  newPage: () => Promise<Page>,
  server: RunningServer,
): AsyncGenerator<PageResult> {
  const page = await newPage()
  await openWindow(page, server.url)
  await page.getByRole('status').getByRole('button', { name: 'Scan this machine…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Scan models and this machine' })
  await dialog.getByRole('button', { name: 'Look for models' }).click()
  const scan = dialog.getByRole('button', { name: new RegExp(`^Scan ${FILES} models`) })
  await scan.waitFor()
  const from = await startFrames(page)
  const started = performance.now()
  await scan.click()
  await dialog.getByRole('button', { name: 'Done' }).waitFor({ timeout: 300_000 })
  const seconds = (performance.now() - started) / 1000
  const frames = await stopFrames(page)
  const rate = ((FILES * FILE_BYTES) / 1e9 / seconds).toFixed(1)
  const against = `the most there may be (${frames.length} frames in ${seconds.toFixed(1)} s, ${rate} GB/s)`
  yield { result: resultOf('frame while hashing, p95', p95(frames), MOST_FRAME_MS), against }
  yield longestTask('longest task while hashing', await longTasksBetween(page, from))
}

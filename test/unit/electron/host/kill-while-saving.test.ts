import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'vite'
import { describe, expect, test } from 'vitest'
import { saveTextAtomically } from '../../../../electron/host/atomic-save.ts'
import { tempFolder, writeTree } from '../../../support/temp-folder.ts'

const KILLS = 60
/** Longer than a save takes, so that every step of one is hit. */
const LONGEST_LIFE_MS = 40

/** Bundles the saving process once: starting it from its source would take ten times as long, many times. */
async function bundleSaveLoop(folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    build: {
      ssr: join(import.meta.dirname, 'save-loop.ts'),
      outDir: folder,
      target: 'node20',
      rolldownOptions: { output: { entryFileNames: 'save-loop.mjs' } },
    },
  })
  return join(folder, 'save-loop.mjs')
}

/** Starts a process that saves over `overlay.yaml` in `folder`, and kills it at some moment of that. */
async function killAmidSaving(script: string, folder: string): Promise<void> {
  const files = ['overlay.yaml', 'first.txt', 'second.txt'].map((name) => join(folder, name))
  const child = spawn(process.execPath, [script, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  await wait(Math.random() * LONGEST_LIFE_MS)
  child.kill('SIGKILL')
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null]
  expect(signal).toBe('SIGKILL')
}

describe('a process killed while it saves', () => {
  test(`leaves a whole file each of ${KILLS} times, and nothing beside it after the next save`, async () => {
    const script = await bundleSaveLoop(await tempFolder())
    const first = `# first\n${'a'.repeat(200_000)}\n`
    const second = `# second\n${'b'.repeat(300_000)}\n`
    const seen = new Set<string>()
    let strays = 0

    // Two at a time, each in a folder of its own: most of a kill is waiting for the next process to start.
    const killInTurn = async (count: number): Promise<void> => {
      const folder = await tempFolder()
      const overlay = join(folder, 'overlay.yaml')
      await writeTree(folder, { 'first.txt': first, 'second.txt': second })
      for (let i = 0; i < count; i++) {
        await writeFile(overlay, first)
        await killAmidSaving(script, folder)
        const text = await readFile(overlay, 'utf8')
        expect(text === first || text === second, `a file of ${text.length} characters`).toBe(true)
        seen.add(text)
        const left = (await readdir(folder)).length - 3
        expect(left).toBeLessThanOrEqual(1)
        strays += left
        expect(await saveTextAtomically(overlay, first)).toMatchObject({ ok: true })
        expect(await readdir(folder)).toEqual(['first.txt', 'overlay.yaml', 'second.txt'])
      }
    }
    await Promise.all([killInTurn(KILLS / 2), killInTurn(KILLS / 2)])

    // Otherwise no kill hit a save and the above has shown nothing.
    expect(seen).toEqual(new Set([first, second]))
    expect(strays).toBeGreaterThan(0)
  }, 240_000)
})

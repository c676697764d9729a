import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { contentHash } from '../../../../electron/host/read-text-file.ts'
import { openScanRecord, type ScannedPlace } from '../../../../electron/host/scan/scan-record.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import type { SaveOrder } from './save-worker.ts'

/** `LAB_PLANNER_SAVES=10000` for many. */
const TRIES = Number(process.env['LAB_PLANNER_SAVES'] ?? 60)
const TRY_MS = 500

const HOSTS = 3
const WORKER = join(import.meta.dirname, 'save-worker.ts')

/** Starts a program as process 1 or 2 of a PID namespace of its own, as a container does. */
const APART = [
  ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user']),
  ...['--pid', '--fork', '--mount-proc', '--kill-child'],
]
const hasNamespaces = spawnSync('unshare', [...APART, 'true']).status === 0

interface SavingHost {
  readonly carryOut: (order: SaveOrder) => Promise<string>
  readonly end: () => Promise<void>
}

async function startHost(isApart: boolean): Promise<SavingHost> {
  const args = ['--import', 'tsx', WORKER]
  const [program, all] = isApart
    ? ['unshare', [...APART, process.execPath, ...args]]
    : [process.execPath, args]
  const child = spawn(program, all, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => String((await lines.next()).value)
  expect(await next()).toBe('ready')
  return {
    carryOut: (order) => {
      child.stdin.write(`${JSON.stringify(order)}\n`)
      return next()
    },
    end: async () => {
      child.stdin.end()
      await exited
    },
  }
}

function placeNamed(name: string): ScannedPlace {
  return { packageId: 'a'.repeat(64), name, kind: 'folder', root: `/m/${name}`, mount: '/', files: [] }
}

/** Hosts for the test that runs; all but one in PID namespaces when they are to be `apart`. */
async function startHosts(apart: boolean): Promise<readonly SavingHost[]> {
  const hosts = await Promise.all(Array.from({ length: HOSTS }, (_, i) => startHost(apart && i > 0)))
  onTestFinished(async () => {
    await Promise.all(hosts.map((host) => host.end()))
  })
  return hosts
}

describe.each([
  { kind: 'of one machine', apart: false, isPossible: true },
  { kind: 'in PID namespaces of their own', apart: true, isPossible: hasNamespaces },
])('hosts $kind that save at once', ({ apart, isPossible }) => {
  test.skipIf(!isPossible)(
    `${TRIES} times: one text is saved, the other hosts get it as a conflict, no save fails, nothing is left`,
    async () => {
      const hosts = await startHosts(apart)
      const folder = await tempFolder()
      const path = join(folder, 'overlay.yaml')
      await writeFile(path, '')
      for (let turn = 0; turn < TRIES; turn++) {
        const before = await readFile(path, 'utf8')
        const base = contentHash(new TextEncoder().encode(before))
        const texts = hosts.map((_, i) => `# ${turn} by ${i}\n`)
        const answers = await Promise.all(
          hosts.map((host, i) => host.carryOut({ save: 'overlay', path, text: texts[i] ?? '', base })),
        )
        expect(answers.toSorted(), `try ${turn}`).toEqual(['conflict', 'conflict', 'saved'])
        expect(await readFile(path, 'utf8')).toBe(texts[answers.indexOf('saved')])
      }
      expect(await readdir(folder)).toEqual(['overlay.yaml'])
    },
    60_000 + TRIES * TRY_MS,
  )

  test.skipIf(!isPossible)(
    `${TRIES} times: scans that share scan.json keep each other's places`,
    async () => {
      const hosts = await startHosts(apart)
      // A record of few places: reading and writing a long one is not what is tried.
      const perFolder = 20
      for (let turn = 0; turn < TRIES; turn += perFolder) {
        const configDir = await tempFolder()
        const count = Math.min(perFolder, TRIES - turn)
        for (let i = 0; i < count; i++) {
          const answers = await Promise.all(
            hosts.map((host, by) =>
              host.carryOut({ save: 'place', configDir, place: placeNamed(`${i}-${by}`) }),
            ),
          )
          expect(answers).toEqual(hosts.map(() => 'saved'))
        }
        const kept = (await openScanRecord(configDir)).places()
        expect(kept).toHaveLength(count * HOSTS)
        expect(await readdir(configDir)).toEqual(['scan.json'])
      }
    },
    60_000 + TRIES * TRY_MS,
  )
})

import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createEventHub } from '../../../../../electron/host/events.ts'
import { createLabDesk } from '../../../../../electron/host/lab-session.ts'
import { liveCalls, type LiveCalls, type LiveTimes } from '../../../../../electron/host/live/live-calls.ts'
import type { observeAll } from '../../../../../electron/host/live/observe.ts'
import { openSettings } from '../../../../../electron/host/settings.ts'
import type { LiveReport } from '../../../../../shared/live/observed-json.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'

const FLEET = 'nodes: [{id: gpu-box, url: "http://gpu-box:8080"}]\n'

async function watcher(
  fleet: string,
  times: LiveTimes,
): Promise<{ calls: LiveCalls; asked: string[][]; reports: LiveReport[] }> {
  const folder = await tempFolder()
  await cp('examples/sample-lab', folder, { recursive: true })
  await writeFile(join(folder, 'docs/models/fleet.yaml'), fleet)
  const events = createEventHub()
  const session = createLabDesk(
    {
      home: folder,
      configDir: join(folder, 'config'),
      bundledSample: 'examples/sample-lab',
      startLab: null,
      settings: await openSettings(join(folder, 'config'), () => undefined),
    },
    events,
  )
  await session.openPath(folder)
  const asked: string[][] = []
  const reports: LiveReport[] = []
  const observe: typeof observeAll = (addresses) => {
    asked.push(addresses.map(({ url }) => url))
    return Promise.resolve(
      addresses.map(({ nodeId, url, port }) => ({
        nodeId,
        url,
        port,
        observation: { kind: 'closed' as const },
      })),
    )
  }
  const calls = liveCalls({
    session,
    tell: (report) => void reports.push(report),
    env: {},
    configDir: join(folder, 'config'),
    times,
    observe,
  })
  onTestFinished(async () => {
    await calls.close()
    await session.close()
  })
  return { calls, asked, reports }
}

const SOON: LiveTimes = { roundMs: 1, leaseMs: 60_000 }

describe('watching', () => {
  test('asks nothing until it is turned on, then round after round, and nothing after it is turned off', async () => {
    const { calls, asked, reports } = await watcher(FLEET, SOON)
    expect(asked).toEqual([])
    expect(await calls.watchLive({ on: true })).toMatchObject({ ok: true })
    await vi.waitFor(() => expect(reports.length).toBeGreaterThan(2), 10_000)
    await calls.watchLive({ on: false })
    await calls.close()
    const rounds = asked.length
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toHaveLength(rounds)
  })

  test('asks only the addresses of fleet.yaml and the ports of the roster there', async () => {
    const { calls, asked } = await watcher(FLEET, SOON)
    await calls.watchLive({ on: true })
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(0), 10_000)
    expect(asked[0]).toContain('http://gpu-box:8080')
    expect(asked[0]).toContain('http://gpu-box:8081')
    expect(asked[0]?.every((url) => url.startsWith('http://gpu-box:'))).toBe(true)
  })

  test('stops by itself when no page says any more that somebody looks', async () => {
    const { calls, asked } = await watcher(FLEET, { roundMs: 1, leaseMs: 0 })
    await calls.watchLive({ on: true })
    await calls.close()
    expect(asked.length).toBeLessThan(2)
  })

  test('says what to add where no node has a url', async () => {
    const { calls, asked } = await watcher('nodes: [{id: gpu-box}]\n', SOON)
    expect(await calls.watchLive({ on: true })).toMatchObject({ ok: false, error: { code: 'unsupported' } })
    expect(asked).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { createPlanner, type Planner } from '../../../../renderer/store/planner.ts'
import { overlayText } from '../../../../renderer/store/overlay-state.ts'
import type { HostApi, HostClient, HostEventName, HostEvents, HostResult, LabSnapshot } from '../../../../shared/host-api.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })
const overlayFile = files.files.find((file) => file.kind === 'overlay')
const DISK = { text: overlayFile?.text ?? '', hash: overlayFile?.hash ?? '' }

function snapshot(revision: number, overlay: LabSnapshot['overlay'] = DISK, name = files.name): LabSnapshot {
  return { revision, lab: { ...files, name }, origin: 'argument', stale: null, overlay }
}

/** A host that answers what it is told to, and lets the test push events. */
function fakeHost(openLab: () => LabSnapshot): {
  readonly client: HostClient
  readonly push: <K extends HostEventName>(name: K, payload: HostEvents[K]) => void
  readonly unsaved: boolean[]
} {
  const listeners = new Map<HostEventName, (payload: never) => void>()
  const unsaved: boolean[] = []
  const ok = <T>(value: T): Promise<HostResult<T>> => Promise.resolve({ ok: true, value })
  const answers: Partial<HostApi> = {
    hostInfo: () => ok({ kind: 'browser', version: '0', platform: 'linux', nativeDialogs: false }),
    settings: () => ok({ theme: 'light', zoom: 1, layout: {} }),
    currentLab: () => ok(snapshot(1)),
    openLab: () => ok(openLab()),
    setUnsaved: ({ unsaved: now }) => {
      unsaved.push(now)
      return ok(null)
    },
  }
  return {
    client: {
      call: answers as HostApi,
      on: (name, listener) => {
        listeners.set(name, listener)
        return () => listeners.delete(name)
      },
    },
    push: (name, payload) => listeners.get(name)?.(payload as never),
    unsaved,
  }
}

function revisionOf(planner: Planner): number {
  const { lab } = planner.store.getState()
  return lab.status === 'open' ? lab.snapshot.revision : -1
}

function textOf(planner: Planner): string {
  const { overlay } = planner.store.getState()
  return overlay ? overlayText(overlay) : ''
}

describe('opening labs', () => {
  it('asks before unsaved edits are lost, and goes on when told to', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    planner.overlay.type(`${DISK.text}# mine\n`)
    planner.lab.open({ to: 'open_sample' })
    expect(planner.store.getState().dialog?.kind).toBe('unsaved')
    expect(textOf(planner)).toContain('# mine')
  })

  it('opens the same lab again with its text on disk once the edits were given up', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    planner.overlay.type(`${DISK.text}# mine\n`)
    planner.lab.proceed({ to: 'open_sample' })
    await expect.poll(() => textOf(planner)).toBe(DISK.text)
    expect(host.unsaved.at(-1)).toBe(false)
  })

  it('keeps the newest reading when an answer comes after the event that overtook it', async () => {
    const host = fakeHost(() => {
      host.push('labChanged', snapshot(3, { text: 'sticky: {}\n', hash: 'h3' }, 'elsewhere'))
      return snapshot(2, DISK, 'elsewhere')
    })
    const planner = createPlanner(host.client)
    await planner.lab.start()
    planner.lab.open({ to: 'open_sample' })
    await expect.poll(() => revisionOf(planner)).toBe(3)
    expect(textOf(planner)).toBe('sticky: {}\n')
  })

  it('passes over an event that is older than what is shown', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    host.push('labChanged', snapshot(5))
    host.push('labChanged', snapshot(4, null))
    expect(revisionOf(planner)).toBe(5)
    expect(textOf(planner)).toBe(DISK.text)
  })
})

describe('opening a lab of very many files', () => {
  const facts = files.files.find((file) => file.kind === 'node')?.text ?? ''
  const many = Array.from({ length: 900 }, (_, i) => ({
    kind: 'node' as const,
    file: `nodes/${i}.json`,
    text: facts.replace(/"node_id": *"[^"]*"/, `"node_id": "n${String(i).padStart(4, '0')}"`),
    hash: `${i}`,
  }))
  const large = (revision: number, name = 'large'): LabSnapshot => {
    const { lab, ...rest } = snapshot(revision, DISK, name)
    return { ...rest, lab: { ...lab, files: [...lab.files.filter(({ kind }) => kind !== 'node'), ...many] } }
  }
  const starting = async (): Promise<{ planner: Planner; host: ReturnType<typeof fakeHost>; shares: (number | null)[] }> => {
    const host = fakeHost(() => snapshot(1))
    const planner = createPlanner({ ...host.client, call: { ...host.client.call, currentLab: () => Promise.resolve({ ok: true, value: large(5) }) } })
    const shares: (number | null)[] = []
    planner.store.subscribe(({ lab }) => {
      if (lab.status === 'opening') shares.push(lab.share ?? null)
    })
    await planner.lab.start()
    return { planner, host, shares }
  }

  it('tells how far it is and then shows all of it', async () => {
    const { planner, shares } = await starting()
    await expect.poll(() => revisionOf(planner)).toBe(5)
    const { lab } = planner.store.getState()
    expect(lab.status === 'open' ? lab.lab.nodes.length : 0).toBeGreaterThanOrEqual(900)
    expect(shares.length).toBeGreaterThan(0)
    expect(shares).toEqual(shares.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
  })

  it('shows what came last, whichever is read sooner', async () => {
    const { planner, host } = await starting()
    host.push('labChanged', snapshot(4, DISK, 'older'))
    host.push('labChanged', snapshot(6, DISK, 'newer'))
    expect(revisionOf(planner)).toBe(6)
    host.push('labChanged', large(7))
    host.push('labChanged', large(8))
    await expect.poll(() => revisionOf(planner)).toBe(8)
  })

  it('stops when the operator says so, and reads the lab when it is asked for again', async () => {
    const { planner, host } = await starting()
    planner.lab.stopReading()
    expect(planner.store.getState().lab).toMatchObject({ status: 'failed', error: { message: 'Reading the lab was stopped.' } })
    host.push('labChanged', large(5))
    await expect.poll(() => revisionOf(planner)).toBe(5)
  })
})

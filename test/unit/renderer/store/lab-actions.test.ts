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

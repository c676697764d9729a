import { describe, expect, test } from 'vitest'
import { createPlanner, type Planner } from '../../../../renderer/store/planner.ts'
import { overlayText } from '../../../../renderer/store/overlay-state.ts'
import type {
  HostApi,
  HostClient,
  HostEventName,
  HostEvents,
  HostResult,
  LabSnapshot,
} from '../../../../shared/host-api.ts'
import type { LabFile } from '../../../../shared/lab/lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })
const overlayFile = files.files.find((file) => file.kind === 'overlay')
const facts = files.files.find((file) => file.kind === 'node') ?? {
  kind: 'node',
  file: '',
  text: '',
  hash: '',
}
const DISK = { text: overlayFile?.text ?? '', hash: overlayFile?.hash ?? '' }

function snapshot(revision: number, overlay: LabSnapshot['overlay'] = DISK, name = files.name): LabSnapshot {
  return { revision, lab: { ...files, name }, origin: 'argument', stale: null, unwatched: null, overlay }
}

/** A host that answers what a test sets, for the files a test sets, and lets the test push events. */
function fakeHost(
  openLab: () => LabSnapshot | Promise<LabSnapshot>,
  known: readonly LabFile[] = files.files,
): {
  readonly client: HostClient
  readonly push: <K extends HostEventName>(name: K, payload: HostEvents[K]) => void
  readonly unsaved: boolean[]
  /** Hashes of the texts that were asked for. */
  readonly asked: string[]
  /** Calls that have no answer of interest. */
  readonly called: string[]
} {
  const listeners = new Map<HostEventName, (payload: never) => void>()
  const unsaved: boolean[] = []
  const asked: string[] = []
  const called: string[] = []
  const textOf = new Map(known.map(({ hash, text }) => [hash, text]))
  const ok = <T>(value: T): Promise<HostResult<T>> => Promise.resolve({ ok: true, value })
  const answers: Partial<HostApi> = {
    hostInfo: () => ok({ kind: 'browser', version: '0', platform: 'linux', nativeDialogs: false }),
    settings: () => ok({ theme: 'light', zoom: 1, layout: {} }),
    currentLab: () => ok(snapshot(1)),
    openLab: async () => ok(await openLab()),
    labTexts: ({ hashes }) => {
      asked.push(...hashes)
      // Never all at once, as a host does it with large texts.
      return ok(hashes.slice(0, 30).map((hash) => textOf.get(hash) ?? null))
    },
    stopOpening: () => {
      called.push('stopOpening')
      return ok(null)
    },
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
    asked,
    called,
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
  test('asks before unsaved edits are lost, and goes on when confirmed', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    planner.overlay.type(`${DISK.text}# mine\n`)
    planner.lab.open({ to: 'open_sample' })
    expect(planner.store.getState().dialog?.kind).toBe('unsaved')
    expect(textOf(planner)).toContain('# mine')
  })

  test('opens the same lab again with its text on disk once the edits were given up', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    planner.overlay.type(`${DISK.text}# mine\n`)
    planner.lab.resume({ to: 'open_sample' })
    await expect.poll(() => textOf(planner)).toBe(DISK.text)
    expect(host.unsaved.at(-1)).toBe(false)
  })

  test('keeps the newest reading when an answer comes after the event that overtook it', async () => {
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

  test('passes over an event that is older than what is shown', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    host.push('labChanged', snapshot(5))
    host.push('labChanged', snapshot(4, null))
    await expect.poll(() => revisionOf(planner)).toBe(5)
    expect(textOf(planner)).toBe(DISK.text)
  })

  test('asks after a change for the texts that are new, and for no others', async () => {
    const other = { ...facts, text: facts.text.replace(/"seq": *\d+/, '"seq": 99'), hash: 'other' }
    const host = fakeHost(() => snapshot(2), [...files.files, other])
    const planner = createPlanner(host.client)
    await planner.lab.start()
    expect(host.asked).not.toContain(DISK.hash)
    host.asked.length = 0
    const changed = files.files.map((file) => (file === facts ? other : file))
    host.push('labChanged', { ...snapshot(3), lab: { ...files, files: changed } })
    await expect.poll(() => revisionOf(planner)).toBe(3)
    expect(host.asked).toEqual(['other'])
    const { lab } = planner.store.getState()
    expect(lab.status === 'open' && lab.lab.nodes.some(({ facts: told }) => told?.seq === 99)).toBe(true)
  })

  test('takes the newer snapshot when a text is not there any more', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    const gone = files.files.map((file) => (file === facts ? { ...facts, hash: 'gone' } : file))
    const newest = {
      ...host.client.call,
      currentLab: () => Promise.resolve({ ok: true as const, value: snapshot(4) }),
    }
    Object.assign(host.client.call, newest)
    host.push('labChanged', { ...snapshot(3), lab: { ...files, files: gone } })
    await expect.poll(() => revisionOf(planner)).toBe(4)
    expect(planner.store.getState().reading).toBeNull()
  })

  test('reports when the texts cannot be had, and keeps the lab', async () => {
    const host = fakeHost(() => snapshot(2))
    const planner = createPlanner(host.client)
    await planner.lab.start()
    const error = { code: 'no_lab' as const, message: 'No lab is open.' }
    Object.assign(host.client.call, { labTexts: () => Promise.resolve({ ok: false, error }) })
    host.push('labChanged', {
      ...snapshot(3),
      lab: {
        ...files,
        files: files.files.map((file) => (file === facts ? { ...facts, hash: 'new' } : file)),
      },
    })
    await expect
      .poll(() => planner.store.getState().toasts.map(({ message }) => message))
      .toEqual([error.message])
    expect(revisionOf(planner)).toBe(1)
    expect(planner.store.getState().reading).toBeNull()
  })
})

describe('opening a lab of very many files', () => {
  const many = Array.from({ length: 900 }, (_, i) => ({
    ...facts,
    file: `nodes/${i}.json`,
    text: facts.text.replace(/"node_id": *"[^"]*"/, `"node_id": "n${String(i).padStart(4, '0')}"`),
    hash: `node ${i}`,
  }))
  const large = (revision: number, name = 'large'): LabSnapshot => ({
    ...snapshot(revision, DISK, name),
    lab: { ...files, name, files: [...files.files.filter(({ kind }) => kind !== 'node'), ...many] },
  })
  /** A planner whose host has the sample lab open and the large one to open. */
  const starting = async (openLab: () => LabSnapshot | Promise<LabSnapshot> = () => large(5)) => {
    const host = fakeHost(openLab, [...files.files, ...many])
    const planner = createPlanner(host.client)
    const shares: number[] = []
    planner.store.subscribe(({ reading }) => {
      if (typeof reading?.share === 'number') shares.push(reading.share)
    })
    await planner.lab.start()
    shares.length = 0
    return { planner, host, shares }
  }
  const nodesOf = (planner: Planner): number => {
    const { lab } = planner.store.getState()
    return lab.status === 'open' ? lab.lab.nodes.length : 0
  }

  test('reports how far the host and then the page is, and shows all of it', async () => {
    const { planner, host, shares } = await starting(async () => {
      host.push('labReading', { doneFiles: 450, totalFiles: 900 })
      await expect.poll(() => planner.store.getState().reading).not.toBeNull()
      return large(5)
    })
    planner.lab.open({ to: 'open_sample' })
    await expect.poll(() => revisionOf(planner)).toBe(5)
    expect(nodesOf(planner)).toBeGreaterThanOrEqual(900)
    expect(shares.length).toBeGreaterThan(5)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(planner.store.getState().reading).toBeNull()
  })

  test('shows what came last, whichever is read sooner', async () => {
    const { planner, host } = await starting()
    host.push('labChanged', large(7))
    host.push('labChanged', snapshot(6, DISK, 'older'))
    host.push('labChanged', large(8))
    host.push('labChanged', snapshot(9, DISK, 'newest'))
    await expect.poll(() => revisionOf(planner)).toBe(9)
    expect(nodesOf(planner)).toBeLessThan(900)
  })

  test('stops the host, stays with the lab that was open, and opens the other when asked again', async () => {
    let answer = (_: LabSnapshot): void => undefined
    const { planner, host } = await starting(() => new Promise((resolve) => (answer = resolve)))
    const before = planner.store.getState().lab
    planner.lab.open({ to: 'open_sample' })
    await expect.poll(() => planner.store.getState().reading).toEqual({ share: null })
    planner.lab.stopReading()
    expect(host.called).toEqual(['stopOpening'])
    expect(planner.store.getState()).toMatchObject({ reading: null, lab: before })
    planner.lab.open({ to: 'open_sample' })
    answer(large(5))
    await expect.poll(() => revisionOf(planner)).toBe(5)
  })

  test('shows no lab when the host had left it before it could be stopped', async () => {
    let answer = (_: LabSnapshot): void => undefined
    const { planner } = await starting(() => new Promise((resolve) => (answer = resolve)))
    planner.lab.open({ to: 'open_sample' })
    planner.lab.stopReading()
    answer(large(5))
    await expect
      .poll(() => planner.store.getState().lab)
      .toMatchObject({ status: 'failed', error: { code: 'stopped' } })
    expect(nodesOf(planner)).toBe(0)
  })

  test('stops reading newer files of the lab on screen, says so, and goes on with the next change', async () => {
    const { planner, host } = await starting()
    host.push('labChanged', large(5, files.name))
    planner.lab.stopReading()
    expect(planner.store.getState().reading).toBeNull()
    expect(planner.store.getState().lab).toMatchObject({
      snapshot: { revision: 1, stale: 'reading the newer files was stopped' },
    })
    host.push('labChanged', large(6, files.name))
    await expect.poll(() => revisionOf(planner)).toBe(6)
    expect(planner.store.getState().lab).toMatchObject({ snapshot: { stale: null } })
  })
})

import type { StoreApi } from 'zustand/vanilla'
import type { HostCallArgs, HostClient, HostError, HostResult, LabSnapshot } from '../../shared/host-api.ts'
import type { Lab, LabFile } from '../../shared/lab/lab.ts'
import { precomputePlan } from '../../shared/plan/planner.ts'
import type { LabReading } from '../../shared/lab/read-lab.ts'
import type { NamedScenario } from '../../shared/scenario/named-scenarios.ts'
import type { Task } from '../../shared/task.ts'
import { createConnection, learnHost } from './connection.ts'
import { runInSlices } from './run-in-slices.ts'
import { labAfterSnapshot, labAfterStop } from './lab-state.ts'
import { isUnsaved, openOverlay, overlayChangedOnDisk, type OverlayState } from './overlay-state.ts'
import type { PlannerState } from './planner-state.ts'
import { createReadingStatus } from './reading-status.ts'
import { isPlanned, keepPlan, selectWantedInputs } from './selectors.ts'
import { textBatches } from './text-batches.ts'
import type { ViewActions } from './view-actions.ts'
import type { Resume } from './view-state.ts'

/** Opening labs and following them on disk. */
export interface LabActions {
  /** Connects to the host, opens the lab it has or its default, and follows its events. Returns the way to stop. */
  readonly start: () => Promise<() => void>
  /** Opens another lab; unsaved edits are asked about first. */
  readonly open: (target: OpenTarget) => void
  /** Goes on with what waited for the answer about unsaved edits. */
  readonly resume: (resume: Resume) => void
  /** Reads the lab again; one that could not be opened, or was cancelled, is opened again. */
  readonly reload: () => Promise<void>
  /** Gives up the reading that is going on; what was on screen before stays, unless the host has left it already. */
  readonly stopReading: () => void
  /** Closes the window; unsaved edits are asked about first. */
  readonly close: () => void
}

type OpenTarget = Exclude<Resume, { to: 'close' }>

/** How much of a reading is the host's, who reads the disk, by the time it takes; the rest is the page's. */
const HOST_SHARE = 0.3

const LOST: HostError = {
  code: 'internal',
  message: 'The lab’s files changed while they were read. Read it again.',
}
const INCOMPLETE: HostError = {
  code: 'disconnected',
  message: 'A part of the page could not be fetched. Reload the window.',
}

const NO_SCENARIOS: readonly never[] = []

function* readFiles(labReading: LabReading, files: readonly LabFile[]): Task<void> {
  for (const file of files) yield* labReading.read(file)
}

/** What came of reading a snapshot's files; null when it was given up. */
type ReadLab =
  { readonly ok: true; readonly lab: Lab } | { readonly ok: false; readonly error: HostError } | null

export function createLabActions(
  store: StoreApi<PlannerState>,
  client: HostClient,
  view: ViewActions,
): LabActions {
  // What reads files (and checks signatures) comes by itself: the window is painted without it.
  const reader = import('../../shared/lab/read-lab.ts').then(
    ({ createLabReading }) => createLabReading(),
    () => null,
  )
  /** The newest snapshot that is shown or being read. */
  let newestSeen: LabSnapshot | null = null
  /** Counts readings: an older one that is not done yet is given up. */
  let latest = 0
  /** Counts how often the operator called a reading off: what was asked for before is not shown. */
  let stops = 0
  /** Whether a reading that was given up was to begin with a fresh overlay: then the one after it is. */
  let freshIsDue = false
  let scenariosOf: { files: readonly LabFile[]; scenarios: readonly NamedScenario[] } = {
    files: [],
    scenarios: NO_SCENARIOS,
  }

  const status = createReadingStatus(store)
  /** What was last asked to be opened, for when that failed or was called off. */
  let lastOpened: HostCallArgs<'openLab'> | null = null

  /** Shows `snapshot`; of one that comes after a newer one (events and answers travel apart) the newer stays. */
  const show = async (snapshot: LabSnapshot, overlayState: 'keep' | 'fresh' = 'keep'): Promise<void> => {
    const isLate = newestSeen !== null && snapshot.revision < newestSeen.revision
    if (isLate && overlayState === 'keep') return
    freshIsDue ||= overlayState === 'fresh'
    const newest = isLate && newestSeen !== null ? newestSeen : snapshot
    newestSeen = newest
    const reading = ++latest
    const isGivenUp = (): boolean => reading !== latest
    status.begin()
    const read = await readLab(newest, isGivenUp)
    if (read === null || isGivenUp()) return
    if (read.ok) await showRead(newest, read.lab, isGivenUp)
    else {
      status.end()
      showError(read.error)
    }
  }

  /** Reads what is new of a snapshot, a slice at a time: the page answers meanwhile and shows how far it is. */
  const readLab = async (snapshot: LabSnapshot, isGivenUp: () => boolean): Promise<ReadLab> => {
    const labReading = await reader
    if (labReading === null) return { ok: false, error: INCOMPLETE }
    const unread = labReading.unread(snapshot.lab)
    let done = 0
    for await (const batch of textBatches(client, unread)) {
      if (isGivenUp()) return null
      switch (batch.kind) {
        case 'files':
          if ((await runInSlices(readFiles(labReading, batch.files), isGivenUp)) === null) return null
          done += batch.files.length
          status.tell(HOST_SHARE + (1 - HOST_SHARE) * (done / unread.length))
          break
        case 'overtaken':
          return readNewer(snapshot.revision)
        case 'failed':
          return { ok: false, error: batch.error }
      }
    }
    return { ok: true, lab: labReading.lab(snapshot.lab) }
  }

  /** The lab changed while its texts were asked for: its snapshot came already, or is fetched. */
  const readNewer = async (than: number): Promise<ReadLab> => {
    const now = await client.call.currentLab({})
    if (!now.ok) return now
    if (now.value === null || now.value.revision <= than) return { ok: false, error: LOST }
    void show(now.value)
    return null
  }

  /** The same list for the same files. What reads them comes with the first lab that has any. */
  const readScenarios = async (files: readonly LabFile[]): Promise<readonly NamedScenario[]> => {
    if (files.length === 0) return NO_SCENARIOS
    if (files !== scenariosOf.files) {
      const reader = await import('../../shared/scenario/named-scenarios.ts').catch(() => null)
      if (reader === null) {
        view.tellError(INCOMPLETE)
        return NO_SCENARIOS
      }
      scenariosOf = { files, scenarios: reader.namedScenarios(files) }
    }
    return scenariosOf.scenarios
  }

  /** Plans what was read, a slice at a time, and shows it. */
  const showRead = async (newest: LabSnapshot, lab: Lab, isGivenUp: () => boolean): Promise<void> => {
    const now = Date.now()
    const scenarios = await readScenarios(lab.scenarioFiles)
    if (isGivenUp()) return
    for (;;) {
      const before = store.getState()
      const after = {
        lab: labAfterSnapshot(before.lab, newest, lab, scenarios, Math.floor(now / 1000)),
        overlay: overlayAfter(before, newest, now),
      }
      const inputs = selectWantedInputs({ ...before, ...after })
      if (inputs !== null && !isPlanned(inputs)) {
        const plan = await runInSlices(precomputePlan(inputs, before.memo), isGivenUp)
        if (plan === null) return
        keepPlan(inputs, plan.value)
      }
      const { lab: shown, overlay, scenario } = store.getState()
      if (shown === before.lab && overlay === before.overlay && scenario === before.scenario) {
        freshIsDue = false
        store.setState(after)
        status.end()
        return
      }
      // Somebody typed or changed the scenario while this was planned.
    }
  }

  const overlayAfter = ({ lab, overlay }: PlannerState, newest: LabSnapshot, now: number): OverlayState => {
    const { overlayFile, name } = newest.lab
    const keeps = !freshIsDue && lab.status === 'open' && lab.snapshot.lab.name === name
    return keeps && overlay !== null
      ? overlayChangedOnDisk(overlay, overlayFile, newest.overlay, now)
      : openOverlay(overlayFile, newest.overlay)
  }

  const showError = (error: HostError): void => {
    if (store.getState().lab.status === 'open') view.tellError(error)
    else store.setState({ lab: { status: 'failed', error } })
  }

  /** Waits for a snapshot that was asked for, and shows it unless that was called off meanwhile. */
  const showAnswer = async (
    asked: Promise<HostResult<LabSnapshot>>,
    overlayState: 'keep' | 'fresh',
    onOpened: () => void = () => undefined,
  ): Promise<void> => {
    const stopsBefore = stops
    status.begin()
    const result = await asked
    if (stops !== stopsBefore) {
      // It was too late to stop the host: the lab on screen may be one that it has left.
      if (result.ok) store.setState(({ lab }) => ({ lab: labAfterStop(lab, result.value) }))
    } else if (result.ok) {
      onOpened()
      await show(result.value, overlayState)
    } else {
      status.end()
      showError(result.error)
    }
  }

  const openNow = (args: HostCallArgs<'openLab'>): Promise<void> => {
    lastOpened = args
    return showAnswer(client.call.openLab(args), 'fresh', () => {
      // What was selected and edited belongs to the lab before, even when it is the same one opened again; the
      // operator was asked about unsaved edits before.
      store.setState(({ view: was }) => ({ baseline: null, view: { ...was, role: null, node: null } }))
      void client.call.setUnsaved({ unsaved: false })
    })
  }

  const resume = (what: Resume): void => {
    store.setState({ dialog: null })
    switch (what.to) {
      case 'open':
        void openNow({ by: 'token', token: what.token })
        return
      case 'open_sample':
        void openNow({ by: 'sample' })
        return
      case 'close':
        // The host asks no more once nothing is unsaved.
        void client.call.setUnsaved({ unsaved: false }).then(() => window.close())
    }
  }

  const confirmUnsaved = (what: Resume): void => {
    const { overlay } = store.getState()
    if (overlay !== null && isUnsaved(overlay)) view.openDialog({ kind: 'unsaved', resume: what })
    else resume(what)
  }

  const connection = createConnection(store, client, {
    show,
    showError,
    forget: () => (newestSeen = null),
  })

  return {
    start: async () => {
      const stops = [
        client.on('labChanged', connection.labChanged),
        client.on('labReading', ({ doneFiles, totalFiles }) => {
          if (status.isOn()) status.tell(HOST_SHARE * (doneFiles / totalFiles))
        }),
        client.on('settingsChanged', (settings) => store.setState({ settings })),
        client.on('scanProgress', (scan) => store.setState({ scan })),
        client.on('machinesChanged', (machines) => store.setState({ machines })),
        client.on('connectionChanged', connection.changed),
        client.on('openRequested', ({ token, label }) => confirmUnsaved({ to: 'open', token, label })),
      ]
      const current = await learnHost(store, client)
      if (current.ok && current.value !== null) await show(current.value)
      else await openNow({ by: 'default' })
      return () => stops.forEach((stop) => stop())
    },
    open: confirmUnsaved,
    close: () => confirmUnsaved({ to: 'close' }),
    resume,
    stopReading: () => {
      if (!status.isOn()) return
      void client.call.stopOpening({})
      latest++
      stops++
      freshIsDue = false
      status.end()
      store.setState(({ lab }) => ({ lab: labAfterStop(lab, newestSeen) }))
      newestSeen = null
    },
    reload: () =>
      store.getState().lab.status === 'failed' && lastOpened !== null
        ? openNow(lastOpened)
        : showAnswer(client.call.reload({}), 'keep'),
  }
}

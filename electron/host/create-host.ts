import { stat } from 'node:fs/promises'
import type { HostInfo, LabSnapshot } from '../../shared/host-api.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import type { ObservedAddress } from '../../shared/live/types.ts'
import { answer } from './answers.ts'
import type { HostImplementation } from './dispatch.ts'
import { createEventHub, type HostEventHub, type HostEventSource } from './events.ts'
import { labCalls } from './lab-calls.ts'
import { createLabDesk, type LabDeskParts } from './lab-session.ts'
import { readNotices } from './notices.ts'
import { placeCalls, type PlaceParts } from './place-calls.ts'
import { callsOf, lazily } from './lazily.ts'
import type { ScanMachine } from './scan-api.ts'
import { settingsCalls } from './settings-calls.ts'
import { suggestCalls } from './suggest/suggest-calls.ts'
import { createTokenVault } from './path-tokens.ts'

/** What a host is made of; only this differs between Electron and the browser host. */
export interface HostParts extends LabDeskParts, PlaceParts {
  readonly info: HostInfo
  /** What is scanned for models and node facts: this machine, where nothing else is said. */
  readonly scanMachine?: ScanMachine
  /** The built thread that makes suggestions; without it there are none. */
  readonly suggestWorker?: string
  /** The built thread that hashes files; without it they are hashed in the host's own. */
  readonly hashWorker?: string
  /** The planner's one file for machines that have Node only; without it they are not gathered. */
  readonly agent?: string
  /** The file of the licenses of what is shipped; without it there is none to show. */
  readonly notices?: string
}

export interface Host {
  readonly api: HostImplementation
  readonly events: HostEventSource & Pick<HostEventHub, 'tell'>
  /** The open lab, if there is one. */
  readonly snapshot: () => LabSnapshot | null
  /** Whether the page holds edits that are not saved. */
  readonly isUnsaved: () => boolean
  /** A path from outside the page (a menu, a drop, a second launch) as the page may name it, there or not. */
  readonly offer: (path: string) => Promise<PickedPath>
  readonly close: () => Promise<void>
}

/** Makes the host of one window or one server: everything the page can ask for, over the lab on disk. */
export function createHost(parts: HostParts): Host {
  const { home, configDir } = parts
  const events = createEventHub()
  const tokens = createTokenVault(home)
  const desk = createLabDesk(parts, events)
  let unsaved = false

  // Made when they are first asked for: reading, planning, hashing and probing bring what nothing else needs, and the
  // window is to be there before.
  const scans = lazily(() =>
    import('./scan-api.ts').then(({ createScanApi, ownScanMachine }) =>
      createScanApi({
        home,
        configDir,
        lab: () => desk.current()?.source ?? null,
        folderOf: tokens.folder,
        tell: (payload) => events.tell({ name: 'scanProgress', payload }),
        machine: parts.scanMachine ?? ownScanMachine(home),
        hashWorker: parts.hashWorker ?? null,
      }),
    ),
  )

  const live = lazily(() =>
    import('./live/live-calls.ts').then(({ liveCalls }) =>
      liveCalls({
        session: desk,
        tell: (payload) => events.tell({ name: 'liveObserved', payload }),
        env: process.env,
        configDir,
      }),
    ),
  )
  /** What runs, while somebody watches: exports and suggestions are of the plan that counts with it. */
  const observed = async (): Promise<readonly ObservedAddress[]> => (await live.made())?.observed() ?? []
  const suggests = suggestCalls(desk, observed, parts.suggestWorker ?? null)
  const exports = lazily(() =>
    import('./export-calls.ts').then(({ exportCalls }) =>
      exportCalls(home, desk, tokens, observed, parts.settings),
    ),
  )
  const scenarios = lazily(() =>
    import('./scenario-calls.ts').then(({ scenarioCalls }) => scenarioCalls(desk)),
  )
  const drafts = lazily(() =>
    Promise.all([import('./draft/draft-calls.ts'), import('./scan-api.ts')]).then(
      ([{ draftCalls }, { ownScanMachine }]) => {
        const { usualPlaces } = parts.scanMachine ?? ownScanMachine(home)
        return draftCalls({ home, lab: () => desk.current()?.source ?? null, tokens, usualPlaces })
      },
    ),
  )
  const gathers = lazily(() =>
    import('./gather/gather-calls.ts').then(({ gatherCalls }) =>
      gatherCalls({
        home,
        env: process.env,
        agent: parts.agent ?? null,
        lab: () => desk.current()?.source ?? null,
        tell: (payload) => events.tell({ name: 'machinesChanged', payload }),
      }),
    ),
  )
  const api: HostImplementation = {
    hostInfo: () => answer(parts.info),
    notices: () => readNotices(parts.notices),
    ...labCalls(desk, tokens),
    ...placeCalls(parts, desk, tokens),
    ...callsOf(exports, ['exportFolder', 'previewExport', 'runExport']),
    ...callsOf(scenarios, ['saveScenario', 'renameScenario', 'deleteScenario']),
    ...settingsCalls(parts.settings, events),
    suggestPlan: suggests.suggestPlan,
    ...callsOf(scans, ['findModels', 'startScan', 'cancelScan']),
    ...callsOf(gathers, ['machines', 'addMachines', 'setSite', 'startGather', 'stopGather']),
    ...callsOf(drafts, ['draftRoster', 'writeRoster']),
    ...callsOf(live, ['watchLive', 'liveHistory']),
    setUnsaved: (args) => {
      unsaved = args.unsaved
      return answer(null)
    },
  }
  return {
    api,
    events,
    snapshot: () => desk.current()?.snapshot() ?? null,
    isUnsaved: () => unsaved,
    offer: async (path) => {
      const stats = await stat(path).catch(() => null)
      return tokens.give(path, stats?.isFile() ? 'file' : 'folder')
    },
    close: async () => {
      await Promise.all([
        scans.made()?.then((made) => made.close()),
        gathers.made()?.then((made) => made.close()),
        suggests.close(),
        live.made()?.then((made) => made.close()),
      ])
      await desk.close()
    },
  }
}

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostInfo, HostResult, LabSnapshot, PickedPath } from '../../shared/host-api.ts'
import { createLabReader } from '../../shared/read-lab.ts'
import { browseFolder } from './browse.ts'
import { failed, type HostImplementation } from './dispatch.ts'
import { createEventHub, type HostEventHub, type HostEventSource } from './events.ts'
import { exportOutputs } from './export-outputs.ts'
import { previewExport, runExport, type OutputFile } from './export.ts'
import { MAX_FILE_BYTES } from './lab.ts'
import { defaultLab, locateLab, sampleLab, type LabSource, type LocatedLab } from './lab-source.ts'
import { openLiveLab, type LiveLab } from './live-lab.ts'
import { expandHome, LAB_PLACES } from './paths.ts'
import { readTextFile } from './read-text-file.ts'
import { saveOverlay } from './save-overlay.ts'
import type { ScanApi, ScanMachine } from './scan-api.ts'
import { pageSettings, withRecentLab, type SettingsStore } from './settings.ts'
import { diskFault } from './system-error.ts'
import { createTokenVault, type TokenTarget } from './tokens.ts'
import type { WatchTimes } from './watch.ts'

/** The system's own dialogs; both give the chosen path, or null when the person chose none. */
export interface HostDialogs {
  readonly pickFolder: (purpose: 'open_lab' | 'export' | 'scan') => Promise<string | null>
  readonly pickFile: (purpose: 'open_roster' | 'open_scenario') => Promise<string | null>
}

/** What a host is made of; only this differs between Electron and the browser host. */
export interface HostParts {
  readonly info: HostInfo
  readonly home: string
  readonly configDir: string
  /** The sample lab that came with the program; it is read only. */
  readonly bundledSample: string
  /** What opening the default lab opens: what the command line named. Null for the usual place. */
  readonly startLab: LabSource | null
  readonly settings: SettingsStore
  /** Null where the system has none to offer. */
  readonly dialogs: HostDialogs | null
  readonly reveal: ((path: string) => void) | null
  readonly watchTimes?: WatchTimes
  /** What is scanned for models and node facts: this machine, where nothing else is said. */
  readonly scanMachine?: ScanMachine
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

const SCENARIO_BYTES = 1024 * 1024

const NO_LAB = failed('no_lab', 'No lab is open. Open one first.')
const STRANGE_TOKEN = failed('unknown_token', 'That place is not known any more. Choose it again.')

/** Makes the host of one window or one server: everything the page can ask for, over the lab on disk. */
export function createHost(parts: HostParts): Host {
  const { home, configDir, settings, dialogs } = parts
  const events = createEventHub()
  const tokens = createTokenVault(home)
  const readLab = createLabReader()
  let revision = 0
  let unsaved = false
  let open: LiveLab | null = null
  let lastOpening: Promise<unknown> = Promise.resolve()

  /**
   * Labs are looked for and opened one after the other; the one before stays open when the next one cannot
   * be.
   */
  const openNext = (locate: () => Promise<LocatedLab>): Promise<HostResult<LabSnapshot>> => {
    const opening = lastOpening.then(async () => {
      const located = await locate()
      return located.ok ? openSource(located.source) : failed('io', located.message)
    })
    lastOpening = opening.catch(() => undefined)
    return opening
  }
  const openSource = async (source: LabSource): Promise<HostResult<LabSnapshot>> => {
    const before = open
    const live = await openLiveLab(source, {
      nextRevision: () => ++revision,
      onChange: (payload) => {
        if (open === live) events.tell({ name: 'labChanged', payload })
      },
      ...(parts.watchTimes && { times: parts.watchTimes }),
    })
    open = live
    await before?.close()
    if (source.recent !== null) await settings.change(withRecentLab(source.recent))
    return { ok: true, value: live.snapshot() }
  }
  const locateSample = async (): Promise<LocatedLab> => {
    return { ok: true, source: await sampleLab(parts.bundledSample, configDir, home) }
  }
  const locateDefault = async (): Promise<LocatedLab> => {
    const source = parts.startLab ?? (await defaultLab(home))
    return source ? { ok: true, source } : locateSample()
  }
  const picked = async (pick: Promise<string | null>, kind: TokenTarget['kind']) => {
    const path = await pick
    return { ok: true, value: path === null ? null : tokens.give(path, kind) } as const
  }
  const folderOf = (token: string): string | null => {
    const target = tokens.take(token)
    return target?.kind === 'folder' ? target.path : null
  }
  /** The path of a file that the snapshot names; only those can be asked for. */
  const pathOfLabFile = ({ source, snapshot }: LiveLab, file: string): string | null => {
    const place = LAB_PLACES.map((name) => source.paths[name]).find(({ shown }) => shown === file)
    if (place) return place.path
    if (!snapshot().lab.files.some((known) => known.file === file)) return null
    return expandHome(file, home)
  }

  const outputs = (
    request: Parameters<typeof exportOutputs>[0],
  ): { readonly ok: true; readonly place: ExportPlace } | ReturnType<typeof failed> => {
    if (!open) return NO_LAB
    const folder = folderOf(request.folder)
    if (folder === null) return STRANGE_TOKEN
    const snapshot = open.snapshot()
    const made = exportOutputs(request, readLab(snapshot.lab), snapshot)
    if (!made.ok) return failed('bad_arguments', made.message)
    const { paths } = open.source
    const named = LAB_PLACES.flatMap((place) => paths[place].path ?? [])
    const read = snapshot.lab.files.map(({ file }) => expandHome(file, home))
    return {
      ok: true,
      place: {
        folder,
        files: made.files,
        protect: [...named, ...read],
        picked: tokens.give(folder, 'folder'),
      },
    }
  }

  let scans: Promise<ScanApi> | null = null
  /** Made when it is first asked for: hashing and probing bring libraries that nothing else needs. */
  const scanApi = (): Promise<ScanApi> => {
    scans ??= import('./scan-api.ts').then(({ createScanApi, ownScanMachine }) =>
      createScanApi({
        home,
        configDir,
        lab: () => open?.source ?? null,
        folderOf,
        tell: (payload) => events.tell({ name: 'scanProgress', payload }),
        machine: parts.scanMachine ?? ownScanMachine(home),
      }),
    )
    return scans
  }

  const api: HostImplementation = {
    hostInfo: () => answer(parts.info),
    openLab: (args) => {
      switch (args.by) {
        case 'default':
          return openNext(locateDefault)
        case 'sample':
          return openNext(locateSample)
        case 'token': {
          const target = tokens.take(args.token)
          return target ? openNext(() => locateLab(target.path, home)) : answerFailed(STRANGE_TOKEN)
        }
      }
    },
    currentLab: () => answer(open?.snapshot() ?? null),
    reload: async () => (open ? { ok: true, value: await open.reload() } : NO_LAB),
    readFileText: async ({ file }) => {
      if (!open) return NO_LAB
      const path = pathOfLabFile(open, file)
      const kind = open.snapshot().lab.files.find((known) => known.file === file)?.kind ?? 'overlay'
      if (path === null) return failed('bad_arguments', 'The open lab has no file of that name.')
      const read = await readTextFile(path, MAX_FILE_BYTES[kind])
      if (!read.ok) return failed('io', `Cannot read the file: ${read.reason}.`)
      return { ok: true, value: { text: read.text, hash: read.hash } }
    },
    readPicked: async ({ token }) => {
      const target = tokens.take(token)
      if (target?.kind !== 'file') return STRANGE_TOKEN
      const read = await readTextFile(target.path, SCENARIO_BYTES)
      return read.ok
        ? { ok: true, value: { text: read.text } }
        : failed('io', `Cannot read the file: ${read.reason}.`)
    },
    saveOverlay: async ({ text, baseHash }) => {
      if (!open) return NO_LAB
      const { paths, readOnly } = open.source
      if (readOnly !== null) return failed('io', `Cannot save. ${readOnly}`)
      if (paths.overlay.path === null)
        return failed('unsupported', 'An overlay from standard input cannot be saved.')
      const saved = await saveOverlay(paths.overlay.path, text, baseHash, {
        roster: paths.roster.path,
        lab: paths.lab,
      })
      return saved.kind === 'failed' ? failed('io', saved.message) : { ok: true, value: saved }
    },
    pickFolder: ({ purpose }) =>
      dialogs ? picked(dialogs.pickFolder(purpose), 'folder') : answerFailed(NO_DIALOGS),
    pickFile: ({ purpose }) =>
      dialogs ? picked(dialogs.pickFile(purpose), 'file') : answerFailed(NO_DIALOGS),
    browse: async ({ token }) => {
      const folder = token === null ? home : folderOf(token)
      if (folder === null) return STRANGE_TOKEN
      try {
        return { ok: true, value: await browseFolder(folder, tokens) }
      } catch (error) {
        return failed('io', `The folder cannot be listed: ${diskFault(error).reason}.`)
      }
    },
    childFolder: ({ token, name }) => {
      const folder = folderOf(token)
      if (folder === null) return answerFailed(STRANGE_TOKEN)
      if (!isFolderName(name))
        return answerFailed(failed('bad_arguments', 'That is not a name for a new folder.'))
      return answer(tokens.give(join(folder, name), 'folder'))
    },
    previewExport: async (request) => {
      const made = outputs(request)
      if (!made.ok) return made
      const { folder, files, protect, picked: here } = made.place
      const preview = await previewExport(folder, files, { protect, findStale: request.what === 'specs' })
      return preview.ok
        ? { ok: true, value: { folder: here, files: preview.files } }
        : failed('io', preview.message)
    },
    runExport: async ({ request, force }) => {
      const made = outputs(request)
      if (!made.ok) return made
      const { folder, files, protect, picked: here } = made.place
      const done = await runExport(folder, files, { protect, force })
      return done.ok ? { ok: true, value: { folder: here, files: done.files } } : failed('io', done.message)
    },
    findModels: async (args) => (await scanApi()).findModels(args),
    startScan: async (args) => (await scanApi()).startScan(args),
    cancelScan: async (args) => (await scanApi()).cancelScan(args),
    reveal: (args) => {
      const path =
        args.what === 'token' ? tokens.take(args.token)?.path : open && pathOfLabFile(open, args.file)
      if (path === undefined || path === null) return answerFailed(STRANGE_TOKEN)
      if (!parts.reveal) return answerFailed(failed('unsupported', 'A browser cannot show a file manager.'))
      parts.reveal(path)
      return answer(null)
    },
    recentLabs: async () => {
      const value = await Promise.all(
        settings.current().recentLabs.map(async (path) => {
          const stats = await stat(path).catch(() => null)
          return { ...tokens.give(path, stats?.isFile() ? 'file' : 'folder'), missing: stats === null }
        }),
      )
      return { ok: true, value }
    },
    settings: () => answer(pageSettings(settings.current())),
    changeSettings: async (patch) => {
      const changed = await settings.change((before) => ({
        ...before,
        theme: patch.theme ?? before.theme,
        zoom: patch.zoom ?? before.zoom,
        layout: { ...before.layout, ...patch.layout },
      }))
      const value = pageSettings(changed)
      events.tell({ name: 'settingsChanged', payload: value })
      return { ok: true, value }
    },
    setUnsaved: (args) => {
      unsaved = args.unsaved
      return answer(null)
    },
  }
  return {
    api,
    events,
    snapshot: () => open?.snapshot() ?? null,
    isUnsaved: () => unsaved,
    offer: async (path) => {
      const stats = await stat(path).catch(() => null)
      return tokens.give(path, stats?.isFile() ? 'file' : 'folder')
    },
    close: async () => {
      await (await scans)?.close()
      await lastOpening
      await open?.close()
      open = null
    },
  }
}

interface ExportPlace {
  readonly folder: string
  readonly files: readonly OutputFile[]
  readonly protect: readonly string[]
  readonly picked: PickedPath
}

const NO_DIALOGS = failed('unsupported', 'There are no dialogs here. Browse to the place instead.')

function answer<T>(value: T): Promise<HostResult<T>> {
  return Promise.resolve({ ok: true, value })
}

function answerFailed(failure: ReturnType<typeof failed>): Promise<ReturnType<typeof failed>> {
  return Promise.resolve(failure)
}

/** A name that stays inside its folder on every system. */
function isFolderName(name: string): boolean {
  return (
    name === name.trim() && !name.startsWith('.') && !name.endsWith('.') && !/[/\\:*?"<>|\p{Cc}]/u.test(name)
  )
}

import { liveStatesSchema, type LiveChange } from './live/history.ts'
import type { LiveReport } from './live/observed-json.ts'
import { z } from 'zod'
import type { SuggestionReport } from './report/suggestion-json.ts'
import {
  EXPORT_FORMATS,
  EXPORT_KINDS,
  type ExportPreview,
  type ExportResult,
} from './export/export-report.ts'
import type { MenuCommand } from './menu-commands.ts'
import type { PickedPath } from './picked-path.ts'
import type { FoundModelList, ScanReport } from './scan/scan-report.ts'
import type { LabListing } from './lab/lab.ts'
import { draftEntrySchema, type DraftReport } from './draft/draft-json.ts'
import { addMachinesSchema, gatherSchema, stopGatherSchema, type MachineReport } from './gather/report.ts'
import { siteFieldsSchema } from './node/site-fields.ts'
import { scenarioSchema } from './scenario/scenario-json.ts'

/**
 * The one contract between the page and whatever hosts it. The dispatcher, the IPC side, the preload, the loopback
 * side and the page's client are all derived from {@link HOST_CALLS}: a new call is added here and implemented in
 * `electron/host/`, nowhere else. Everything that crosses is plain JSON (byte counts as decimal strings).
 */

/** How the page failed to get something, for a person; never a stack trace. */
export interface HostError {
  readonly code: HostErrorCode
  readonly message: string
}

export type HostErrorCode =
  /** The arguments do not fit the call. */
  | 'bad_arguments'
  /** There is no such call. */
  | 'unknown_call'
  /** A token the host did not give, or no longer honours. */
  | 'unknown_token'
  /** No lab is open. */
  | 'no_lab'
  /** This kind of host cannot do that. */
  | 'unsupported'
  /** The disk said no. */
  | 'io'
  /** It was called off. */
  | 'stopped'
  /** The call came from where it may not, or too many came at once. */
  | 'refused'
  /** The page and the host lost each other. */
  | 'disconnected'
  /** A fault of the host itself. */
  | 'internal'

export type HostResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: HostError }

/** A lab as the host last read it. The texts are asked for by their hashes (`labTexts`), and only those that are new. */
export interface LabSnapshot {
  /** Grows by one with every snapshot of this run. */
  readonly revision: number
  readonly lab: LabListing
  /** Where the lab came from; `sample` is the bundled one. */
  readonly origin: 'default' | 'sample' | 'picked' | 'argument'
  /** Why `lab` is the last good reading instead of the present one (`the drive is away`), else null. */
  readonly stale: string | null
  /** Why changes of the files are looked for every few seconds instead of being followed, as a sentence part; else null. */
  readonly unwatched: string | null
  /** The overlay's text and content hash on disk; null when the file is not there yet. */
  readonly overlay: { readonly text: string; readonly hash: string } | null
}

/** Most texts that are asked for at once. */
const MOST_TEXTS = 256

/** How much of a lab has been read from the disk. */
export interface ReadingProgress {
  readonly doneFiles: number
  readonly totalFiles: number
}

/** What came of saving the overlay or a named scenario. */
export type SaveOverlayResult =
  | { readonly kind: 'saved'; readonly hash: string }
  /** The file on disk is not the version that was edited; nothing was written. Null: it is gone. */
  | { readonly kind: 'conflict'; readonly disk: { readonly text: string; readonly hash: string } | null }

/** What a folder holds, for hosts without native dialogs. Hidden entries are left out. */
export interface FolderListing {
  readonly here: PickedPath
  readonly parent: PickedPath | null
  readonly folders: readonly PickedPath[]
  /** Files that can be opened: rosters (`.yaml`, `.yml`) and scenarios (`.json`). */
  readonly files: readonly PickedPath[]
}

export interface RecentLab extends PickedPath {
  readonly missing: boolean
}

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** What the host remembers between runs. */
export interface Settings {
  readonly theme: Theme
  /** Page zoom, 1 is 100 %. */
  readonly zoom: number
  /** Sizes of panes and the like, by name; the page's own business, kept for it. */
  readonly layout: Readonly<Record<string, string>>
}

export interface HostInfo {
  readonly kind: 'electron' | 'browser'
  readonly version: string
  readonly platform: 'mac' | 'windows' | 'linux'
  /** Native dialogs are there; without them the page browses folders through `browse`. */
  readonly nativeDialogs: boolean
}

const token = z.string().min(1).max(128)
const scenarioName = z.string().min(1).max(64)
const overlayText = z.string().max(1024 * 1024)

/** What is exported. The host makes the files itself from the roster it read, so the page never sends contents. */
const exportRequestSchema = z.strictObject({
  folder: token,
  what: z.enum(EXPORT_KINDS),
  format: z.enum(EXPORT_FORMATS),
  /** Role ids; `plan_markdown`, `plan_json` and `scenario` are about all roles whatever is named. */
  roles: z.array(z.string().max(64)).max(256),
  overlayText,
  scenario: scenarioSchema,
  /** For `runbook`: what runs now, as a plan of the same lab or as it was seen; left out where that is not known. */
  before: z
    .union([
      z.strictObject({ overlayText, scenario: scenarioSchema }),
      z.strictObject({
        running: z.array(z.strictObject({ role: z.string().max(64), node: z.string().max(256) })).max(256),
      }),
    ])
    .exactOptional(),
})
export type ExportRequest = z.infer<typeof exportRequestSchema>

export const settingsPatchSchema = z.strictObject({
  theme: z.enum(THEMES).optional(),
  zoom: z.number().min(0.5).max(3).optional(),
  layout: z.record(z.string().max(64), z.string().max(4096)).optional(),
})

/** A call: the schema of its argument, and its result as a type (there is never a value). */
interface HostCall<Args, Result> {
  readonly args: Args
  readonly result: Result | undefined
}

function call<Args extends z.ZodType>(args: Args) {
  return <Result>(result?: Result): HostCall<Args, Result> => ({ args, result })
}

const none = z.strictObject({})

/** Every call: the schema of its one argument object, and (as a type only) its result. */
export const HOST_CALLS = {
  hostInfo: call(none)<HostInfo>(),
  /** The licenses of the libraries that the program contains, as one text. */
  notices: call(none)<{ readonly text: string }>(),
  /** Opens a lab: the default place (falling back to the sample), the sample, or what a token stands for. */
  openLab: call(
    z.discriminatedUnion('by', [
      z.strictObject({ by: z.literal('default') }),
      z.strictObject({ by: z.literal('sample') }),
      z.strictObject({ by: z.literal('token'), token }),
    ]),
  )<LabSnapshot>(),
  /** Gives up the openings that are under way (they answer `stopped`); the lab before stays open. */
  stopOpening: call(none)<null>(),
  /**
   * Texts of the open lab's files by their hashes, in the order asked for: at least the first, and as many more as
   * make a small answer; the others are asked for again. Null for a hash that no file of the lab has any more: a newer
   * snapshot is on its way.
   */
  labTexts: call(z.strictObject({ hashes: z.array(z.string().max(128)).min(1).max(MOST_TEXTS) }))<
    readonly (string | null)[]
  >(),
  /** The snapshot of the open lab as it is; reads nothing again. */
  currentLab: call(none)<LabSnapshot | null>(),
  /** Reads the open lab again. */
  reload: call(none)<LabSnapshot>(),
  /** Looks whether files of the open lab changed where no event may have said so; `labChanged` follows where they did. */
  lookAgain: call(none)<null>(),
  /** The present text of one file of the open lab, by the name the snapshot gives it. */
  readFileText: call(z.strictObject({ file: z.string().max(4096) }))<{
    readonly text: string
    readonly hash: string
  }>(),
  /** The text of a picked scenario file, and of no other; at most 1 MiB. */
  readPicked: call(z.strictObject({ token }))<{ readonly text: string }>(),
  /** Writes the overlay's file. When it was written, `labChanged` follows. */
  saveOverlay: call(
    z.strictObject({
      text: overlayText,
      /** Content hash of the version the edit was based on; null when there was no file. */
      baseHash: z.string().max(128).nullable(),
    }),
  )<SaveOverlayResult>(),
  /**
   * Keeps a scenario beside the lab, under a name (`docs/models/scenarios/NAME.yaml`). Like `saveOverlay`, it writes only
   * over the version of `baseHash`; null: only where there is none. Comments of the file stay.
   */
  saveScenario: call(
    z.strictObject({
      name: scenarioName,
      scenario: scenarioSchema,
      baseHash: z.string().max(128).nullable(),
    }),
  )<SaveOverlayResult>(),
  /** Gives a named scenario a name that is free. */
  renameScenario: call(
    z.strictObject({ name: scenarioName, to: scenarioName, baseHash: z.string().max(128) }),
  )<SaveOverlayResult>(),
  /** Deletes the file of a named scenario, if it still is the version of `baseHash`. */
  deleteScenario: call(z.strictObject({ name: scenarioName, baseHash: z.string().max(128) }))<null>(),
  pickFolder: call(z.strictObject({ purpose: z.enum(['open_lab', 'export', 'scan']) }))<PickedPath | null>(),
  pickFile: call(z.strictObject({ purpose: z.enum(['open_roster', 'open_scenario']) }))<PickedPath | null>(),
  /**
   * Only for hosts without native dialogs: lists the folder of a token, or the place to start from (null). The home
   * folder and the folders of labs are offered, and what is in them.
   */
  browse: call(z.strictObject({ token: token.nullable() }))<FolderListing>(),
  /** A folder inside one that was picked or listed; made when the export runs. */
  childFolder: call(z.strictObject({ token, name: z.string().min(1).max(128) }))<PickedPath>(),
  /** Where the open lab was last exported to; null when it was not. */
  exportFolder: call(none)<PickedPath | null>(),
  previewExport: call(exportRequestSchema)<ExportPreview>(),
  /** Writes what was previewed: a file whose place is no longer as `found` said is left as it is, `force` or not. */
  runExport: call(
    z.strictObject({
      request: exportRequestSchema,
      force: z.boolean(),
      previewed: z
        .array(z.strictObject({ fileName: z.string().max(255), found: z.string().max(128).nullable() }))
        .max(1024),
    }),
  )<ExportResult>(),
  /** Suggests nodes for all roles together; takes up to `seconds` and some more. */
  suggestPlan: call(
    z.strictObject({ overlayText, scenario: scenarioSchema, seconds: z.number().min(1).max(120) }),
  )<SuggestionReport>(),
  /** Looks for models in picked folders and, with `usual`, in the usual places of this machine; reads no weights. */
  findModels: call(z.strictObject({ places: z.array(token).max(64), usual: z.boolean() }))<FoundModelList>(),
  /**
   * Hashes found models and writes their manifests into the open lab and, with `node`, this machine's facts after
   * them. One scan runs at a time; `scanProgress` reports how far it is, `labChanged` follows what is written.
   */
  startScan: call(
    z.strictObject({ models: z.array(token).max(4096), redistributable: z.boolean(), node: z.boolean() }),
  )<{ readonly scan: string }>(),
  /** Stops a scan; files that were hashed whole are remembered. One that has ended is no fault. */
  cancelScan: call(z.strictObject({ scan: token }))<null>(),
  /** The machines of the open lab that can be gathered over ssh, and hosts of the ssh configuration that could be. */
  machines: call(none)<MachineReport>(),
  /** Adds proposed hosts to the lab's `fleet.yaml`, whose comments stay. */
  addMachines: call(addMachinesSchema)<MachineReport>(),
  /**
   * Writes how a node is reached and where it keeps things into the lab's `fleet.yaml`, whose comments stay; only where it
   * still says `before`.
   */
  setSite: call(
    z.strictObject({ node: z.string().max(128), before: siteFieldsSchema, site: siteFieldsSchema }),
  )<MachineReport>(),
  /** Gathers machines side by side; `machinesChanged` says how far it is, `labChanged` follows what is written. */
  startGather: call(gatherSchema)<null>(),
  /** Stops gathering one machine, or all. */
  stopGather: call(stopGatherSchema)<null>(),
  /**
   * Proposes roster entries by models of this machine and lists of other tools: for the open lab, or where the sample or
   * none is open, for the lab in its default place. Nothing is hashed or written.
   */
  draftRoster: call(z.strictObject({ places: z.array(token).max(64), usual: z.boolean() }))<DraftReport>(),
  /** Writes those entries as the lab's roster, where there is none; `lab` stands for its folder. */
  writeRoster: call(z.strictObject({ entries: z.array(draftEntrySchema).max(256) }))<{
    readonly file: string
    readonly lab: PickedPath
  }>(),
  /**
   * Says that somebody looks at what runs (for the next half minute), or no longer does. While somebody does, the servers
   * that `fleet.yaml` names are asked, read only, and `liveObserved` follows every round.
   */
  watchLive: call(z.strictObject({ on: z.boolean() }))<{ readonly addresses: number }>(),
  /** Adds what roles do now to this lab's history, as far as it changed; answers with what is kept, oldest first. */
  liveHistory: call(z.strictObject({ states: liveStatesSchema }))<readonly LiveChange[]>(),
  /** Shows a picked folder, or a file of the open lab, in the system's file manager. */
  reveal: call(
    z.discriminatedUnion('what', [
      z.strictObject({ what: z.literal('token'), token }),
      z.strictObject({ what: z.literal('lab_file'), file: z.string().max(4096) }),
    ]),
  )<null>(),
  recentLabs: call(none)<readonly RecentLab[]>(),
  settings: call(none)<Settings>(),
  changeSettings: call(settingsPatchSchema)<Settings>(),
  /** Sets whether closing must ask first. */
  setUnsaved: call(z.strictObject({ unsaved: z.boolean() }))<null>(),
} as const

export type HostCallName = keyof typeof HOST_CALLS
export type HostCallArgs<K extends HostCallName> = z.input<(typeof HOST_CALLS)[K]['args']>
export type HostCallResult<K extends HostCallName> = Exclude<(typeof HOST_CALLS)[K]['result'], undefined>

/** What a host offers the page. */
export type HostApi = {
  readonly [K in HostCallName]: (args: HostCallArgs<K>) => Promise<HostResult<HostCallResult<K>>>
}

/** In the head of the event stream of a browser host: which run of the planner it is. */
export const RUN_HEADER = 'lab-planner-run'

/** What became of the connection between page and host. */
export interface ConnectionChange {
  /** `refused`: the host answers, and the page's key is not one of its. */
  readonly state: 'connected' | 'away' | 'refused'
  /** Connected to another run of the planner than before: its snapshots are counted from one again. */
  readonly isAnother: boolean
}

/** What a host pushes to the page. */
export interface HostEvents {
  /** The open lab changed on disk, or another one was opened from outside the page. */
  readonly labChanged: LabSnapshot
  /** Several times a second while a large lab loads or reloads. */
  readonly labReading: ReadingProgress
  readonly settingsChanged: Settings
  /** A second launch, a menu or a dropped file asks for a lab. */
  readonly openRequested: PickedPath
  readonly menuCommand: MenuCommand
  /** Some times a second while a scan runs, and when it has ended. */
  readonly scanProgress: ScanReport
  /** What is going on with the machines that are gathered. */
  readonly machinesChanged: MachineReport
  /** What one round of asking the lab's servers saw. */
  readonly liveObserved: LiveReport
  /** Sent by the page's own end of the connection: the host went away, or is back (`labChanged` follows when it has a lab). */
  readonly connectionChanged: ConnectionChange
}
export type HostEventName = keyof HostEvents
export const HOST_EVENT_NAMES = [
  'labChanged',
  'labReading',
  'settingsChanged',
  'openRequested',
  'menuCommand',
  'scanProgress',
  'machinesChanged',
  'liveObserved',
  'connectionChanged',
] as const satisfies readonly HostEventName[]

/** What the page holds: the calls, and a way to listen. `on` returns the way to stop. */
export interface HostClient {
  readonly call: HostApi
  readonly on: <K extends HostEventName>(name: K, listener: (payload: HostEvents[K]) => void) => () => void
}

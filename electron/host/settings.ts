import { join } from 'node:path'
import { z } from 'zod'
import { settingsPatchSchema, THEMES, type Settings } from '../../shared/host-api.ts'
import { readKept, updateKept, type KeptFileKind, type Parsed } from './kept-file.ts'

/** Where the window was, in screen coordinates. */
export interface WindowState {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly maximized: boolean
}

/** Everything that is remembered between runs. */
export interface StoredSettings extends Settings {
  /** Absolute paths of lab folders and rosters, the last opened first. */
  readonly recentLabs: readonly string[]
  /** Where each lab was last exported to, by absolute paths; the lab used last comes last. */
  readonly exportFolders: Readonly<Record<string, string>>
  readonly window: WindowState | null
}

const FILE = 'settings.json'
const MOST_BYTES = 1024 * 1024
const MOST_RECENT = 10
const MOST_LAYOUT_ENTRIES = 256
const MOST_EXPORT_FOLDERS = 64

const DEFAULTS: StoredSettings = {
  theme: 'system',
  zoom: 1,
  layout: {},
  recentLabs: [],
  exportFolders: {},
  window: null,
}

const coordinate = z.number().int().min(-100_000).max(100_000)

const path = z.string().min(1).max(4096)

const storedSchema = z.object({
  theme: z.enum(THEMES),
  zoom: z.number().min(0.5).max(3),
  layout: settingsPatchSchema.shape.layout.unwrap(),
  recentLabs: z.array(path).max(MOST_RECENT),
  exportFolders: z.record(path, path),
  window: z
    .object({ x: coordinate, y: coordinate, width: coordinate, height: coordinate, maximized: z.boolean() })
    .nullable(),
})

export type SettingsChange = (before: StoredSettings) => StoredSettings

/** The settings of this person, shared with other running hosts through their file. */
export interface SettingsStore {
  readonly current: () => StoredSettings
  /**
   * Changes the settings as they are on disk now and saves them. What cannot be saved holds until the end of
   * this run; a person who cannot write their settings can still plan.
   */
  readonly change: (change: SettingsChange) => Promise<StoredSettings>
  /** Reports every change that this process made. Returns the way to stop. */
  readonly listen: (listener: (settings: StoredSettings) => void) => () => void
}

/**
 * Opens the settings in `configDir`. A missing file gives the defaults. Of a damaged one the good fields are
 * kept, and the file as it was is put aside as `settings.json.damaged` at the next save; one of a newer
 * planner is never written. `log` gets what a person must know of that.
 */
export async function openSettings(
  configDir: string,
  log: (message: string) => void,
): Promise<SettingsStore> {
  const file = settingsFile(join(configDir, FILE))
  const first = await readKept(file)
  let state = ('value' in first ? first.value : null) ?? DEFAULTS
  let last: Promise<unknown> = Promise.resolve()
  let saidWhy: string | null = null
  const listeners = new Set<(settings: StoredSettings) => void>()

  const changeNow = async (change: SettingsChange): Promise<StoredSettings> => {
    const updated = await updateKept(file, (onDisk) => bounded(change(onDisk ?? state)))
    if (updated.ok) {
      state = updated.value
      saidWhy = null
      if (updated.putAside !== null)
        log(`${FILE} was damaged: as it was, it is ${updated.putAside} beside it.`)
    } else {
      state = bounded(change(state))
      // A file that stays locked is no news at every move of the window.
      if (updated.message !== saidWhy) log(`The settings were not saved. ${updated.message}`)
      saidWhy = updated.message
    }
    for (const listener of [...listeners]) listener(state)
    return state
  }
  return {
    current: () => state,
    change: (change) => {
      const changed = last.then(() => changeNow(change))
      last = changed.catch(() => undefined)
      return changed
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function settingsFile(path: string): KeptFileKind<StoredSettings> {
  return {
    path,
    maxBytes: MOST_BYTES,
    version: 1,
    parse: parseStored,
    print: (settings) => `${JSON.stringify({ version: 1, ...settings }, null, 2)}\n`,
  }
}

/** Each field falls back by itself, so that one that is damaged does not take the others along. */
function parseStored(json: unknown): Parsed<StoredSettings> | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  let isWhole = true
  const field = <K extends keyof StoredSettings>(name: K): StoredSettings[K] => {
    const given: unknown = Reflect.get(json, name)
    if (given === undefined) return DEFAULTS[name]
    const parsed = storedSchema.shape[name].safeParse(given)
    if (parsed.success) return parsed.data as StoredSettings[K]
    isWhole = false
    return DEFAULTS[name]
  }
  const value: StoredSettings = {
    theme: field('theme'),
    zoom: field('zoom'),
    layout: field('layout'),
    recentLabs: field('recentLabs'),
    exportFolders: field('exportFolders'),
    window: field('window'),
  }
  return { value, isWhole }
}

function bounded(settings: StoredSettings): StoredSettings {
  return {
    ...settings,
    recentLabs: settings.recentLabs.slice(0, MOST_RECENT),
    layout: Object.fromEntries(Object.entries(settings.layout).slice(-MOST_LAYOUT_ENTRIES)),
    exportFolders: Object.fromEntries(Object.entries(settings.exportFolders).slice(-MOST_EXPORT_FOLDERS)),
  }
}

/** `path` as the lab opened last. */
export function withRecentLab(path: string): SettingsChange {
  return (before) => ({
    ...before,
    recentLabs: [path, ...before.recentLabs.filter((other) => other !== path)],
  })
}

/** `folder` as where `lab` was exported to last. */
export function withExportFolder(lab: string, folder: string): SettingsChange {
  return (before) => {
    const others = Object.entries(before.exportFolders).filter(([other]) => other !== lab)
    return { ...before, exportFolders: Object.fromEntries([...others, [lab, folder]]) }
  }
}

/** The part of the settings that is the page's business. */
export function pageSettings({ theme, zoom, layout }: StoredSettings): Settings {
  return { theme, zoom, layout }
}

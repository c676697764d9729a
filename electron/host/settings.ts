import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { settingsPatchSchema, THEMES, type Settings } from '../../shared/host-api.ts'
import { saveTextAtomically } from './atomic-save.ts'
import { readTextFile } from './read-text-file.ts'

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
  readonly window: WindowState | null
}

const FILE = 'settings.json'
const MOST_BYTES = 1024 * 1024
const MOST_RECENT = 10
const MOST_LAYOUT_ENTRIES = 256

const DEFAULTS: StoredSettings = { theme: 'system', zoom: 1, layout: {}, recentLabs: [], window: null }

const coordinate = z.number().int().min(-100_000).max(100_000)

/** Each field falls back by itself, so that one that is damaged does not take the others along. */
const storedSchema = z.object({
  theme: z.enum(THEMES).catch(DEFAULTS.theme),
  zoom: z.number().min(0.5).max(3).catch(DEFAULTS.zoom),
  layout: settingsPatchSchema.shape.layout.unwrap().catch({}),
  recentLabs: z.array(z.string().min(1).max(4096)).max(MOST_RECENT).catch([]),
  window: z
    .object({ x: coordinate, y: coordinate, width: coordinate, height: coordinate, maximized: z.boolean() })
    .nullable()
    .catch(null),
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
  /** Tells every change that this process made. Returns the way to stop. */
  readonly listen: (listener: (settings: StoredSettings) => void) => () => void
}

/**
 * Opens the settings in `configDir`. A missing file gives the defaults; a damaged one is put aside as
 * `settings.json.damaged` at the next save. `log` is told why settings could not be saved.
 */
export async function openSettings(
  configDir: string,
  log: (message: string) => void,
): Promise<SettingsStore> {
  const path = join(configDir, FILE)
  let state = (await readStored(path)).settings ?? DEFAULTS
  let last: Promise<unknown> = Promise.resolve()
  const listeners = new Set<(settings: StoredSettings) => void>()

  const changeNow = async (change: SettingsChange): Promise<StoredSettings> => {
    const onDisk = await readStored(path)
    if (onDisk.damaged) await rename(path, `${path}.damaged`).catch(() => undefined)
    state = bounded(change(onDisk.settings ?? state))
    const saved = await saveTextAtomically(path, `${JSON.stringify(state, null, 2)}\n`)
    if (!saved.ok) log(`The settings were not saved. ${saved.message}`)
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

interface Stored {
  /** Null when there are none that can be read. */
  readonly settings: StoredSettings | null
  readonly damaged: boolean
}

async function readStored(path: string): Promise<Stored> {
  const read = await readTextFile(path, MOST_BYTES)
  if (!read.ok)
    return { settings: null, damaged: read.code === 'file-not-utf8' || read.code === 'file-too-large' }
  try {
    const parsed = storedSchema.safeParse(JSON.parse(read.text))
    return parsed.success ? { settings: parsed.data, damaged: false } : { settings: null, damaged: true }
  } catch {
    return { settings: null, damaged: true }
  }
}

function bounded(settings: StoredSettings): StoredSettings {
  return {
    ...settings,
    recentLabs: settings.recentLabs.slice(0, MOST_RECENT),
    layout: Object.fromEntries(Object.entries(settings.layout).slice(-MOST_LAYOUT_ENTRIES)),
  }
}

/** `path` as the lab opened last. */
export function withRecentLab(path: string): SettingsChange {
  return (before) => ({
    ...before,
    recentLabs: [path, ...before.recentLabs.filter((other) => other !== path)],
  })
}

/** The part of the settings that is the page's business. */
export function pageSettings({ theme, zoom, layout }: StoredSettings): Settings {
  return { theme, zoom, layout }
}

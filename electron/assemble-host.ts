import { stripVTControlCharacters } from 'node:util'
import type { HostInfo } from '../shared/host-api.ts'
import { configDirOf } from './host/config-dir.ts'
import { createHost, type Host } from './host/create-host.ts'
import { createDispatcher, type Dispatch } from './host/dispatch.ts'
import { argumentLab } from './host/lab-source.ts'
import type { LabPaths } from './host/paths.ts'
import type { HostDialogs } from './host/place-calls.ts'
import { openSettings, type SettingsStore } from './host/settings.ts'
import type { InstalledFiles } from './installed-files.ts'

/** What a program brings to have a host. */
export interface HostSurroundings {
  readonly kind: HostInfo['kind']
  readonly installed: InstalledFiles
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The lab named on the command line, or null. */
  readonly lab: LabPaths | null
  readonly dialogs: HostDialogs | null
  readonly reveal: ((path: string) => void) | null
  /** Gets lines for the program's own diagnostic output. */
  readonly log: (line: string) => void
}

export interface AssembledHost {
  readonly host: Host
  readonly dispatch: Dispatch
  readonly settings: SettingsStore
}

/** Puts a host together, as both Electron and the browser host do. */
export async function assembleHost(around: HostSurroundings): Promise<AssembledHost> {
  const configDir = configDirOf({ env: around.env, platform: process.platform, home: around.home })
  const settings = await openSettings(configDir, around.log)
  const host = createHost({
    info: {
      kind: around.kind,
      version: around.installed.version,
      platform: platformName(process.platform),
      nativeDialogs: around.dialogs !== null,
    },
    home: around.home,
    configDir,
    bundledSample: around.installed.sample,
    suggestWorker: around.installed.suggestWorker,
    hashWorker: around.installed.hashWorker,
    agent: around.installed.agent,
    notices: around.installed.notices,
    startLab: around.lab && argumentLab(around.lab),
    settings,
    dialogs: around.dialogs,
    reveal: around.reveal,
  })
  const dispatch = createDispatcher(host.api, (error) => around.log(faultText(error)))
  return { host, dispatch, settings }
}

function platformName(platform: NodeJS.Platform): HostInfo['platform'] {
  if (platform === 'darwin') return 'mac'
  return platform === 'win32' ? 'windows' : 'linux'
}

function faultText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return stripVTControlCharacters(text)
}

import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHost, type Host, type HostParts } from '../../electron/host/create-host.ts'
import { createDispatcher, type Dispatch } from '../../electron/host/dispatch.ts'
import type { HostDialogs } from '../../electron/host/place-calls.ts'
import { openSettings } from '../../electron/host/settings.ts'
import { SAMPLE_LAB } from './planner-home.ts'
import { tempFolder } from './temp-folder.ts'

/** A host over a home of the running test's own; closed when the test is over. */
export interface RunningHost {
  readonly host: Host
  readonly dispatch: Dispatch
  readonly home: string
  readonly configDir: string
  /** What was logged, most of all faults of the host. */
  readonly log: unknown[]
}

export interface RunningHostOptions {
  /** Puts a copy of the sample lab at `~/llm`. */
  readonly lab?: boolean
  readonly dialogs?: HostDialogs
  readonly reveal?: HostParts['reveal']
  readonly home?: string
}

export async function runHost(options: RunningHostOptions = {}): Promise<RunningHost> {
  const home = options.home ?? (await tempFolder())
  const configDir = join(home, 'config')
  if (options.lab ?? true) await cp(SAMPLE_LAB, join(home, 'llm'), { recursive: true })
  const log: unknown[] = []
  const host = createHost({
    info: {
      kind: 'browser',
      version: '1.2.3',
      platform: 'linux',
      nativeDialogs: options.dialogs !== undefined,
    },
    home,
    configDir,
    bundledSample: SAMPLE_LAB,
    startLab: null,
    settings: await openSettings(configDir, (line) => log.push(line)),
    dialogs: options.dialogs ?? null,
    reveal: options.reveal ?? null,
    // Shorter than a person's patience, longer than the watcher needs to join the changes of one file.
    watchTimes: { settle: 60, longest: 500 },
  })
  onTestFinished(host.close)
  return { host, dispatch: createDispatcher(host.api, (error) => log.push(error)), home, configDir, log }
}

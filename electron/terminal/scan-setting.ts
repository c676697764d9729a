import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { configDirOf } from '../host/config-dir.ts'
import { expandHome, labPathsByConvention, shortenHome } from '../host/paths.ts'
import { programAsker } from '../host/scan/ask-program.ts'
import type { ScanPlaceName } from '../host/scan/find-models.ts'
import { ownMachine } from '../host/scan/own-machine.ts'
import { PROBE_TIMEOUT_MS, probeMachine } from '../host/scan/probe-machine.ts'
import { openScanLab, type ScanLab } from '../host/scan/scan-lab.ts'
import type { NodeScanOptions } from '../host/scan/scan-node.ts'
import { openScanRecord, type ScanRecord } from '../host/scan/scan-record.ts'
import { realVolumes } from '../host/scan/volumes.ts'
import type { CliIo } from './io.ts'
import { complain } from './report.ts'

/** What both scans work with. */
export interface ScanSetting {
  readonly lab: ScanLab
  readonly record: ScanRecord
}

export async function openScan(lab: string, io: CliIo): Promise<ScanSetting> {
  const paths = labPathsByConvention(lab, {}, { cwd: io.cwd, home: io.homeDir })
  const configDir = configDirOf({ env: io.env, platform: process.platform, home: io.homeDir })
  const [opened, record] = await Promise.all([openScanLab(paths), openScanRecord(configDir)])
  if (record.notice !== null) complain(record.notice, io)
  return { lab: opened, record }
}

/** A path of the command line as a place to look for models in. */
export function namedPlace(path: string, io: CliIo): ScanPlaceName {
  const absolute = resolve(io.cwd, expandHome(path, io.homeDir))
  return { path: absolute, shown: shortenHome(absolute, io.homeDir) }
}

/** How this machine is scanned as a node of a lab. */
export function nodeScanOptions(
  { lab, record }: ScanSetting,
  nodeId: string | null,
  io: CliIo,
): NodeScanOptions {
  const { platform, arch } = process
  const ask = programAsker({ env: io.env, platform })
  return {
    lab,
    record,
    nodeId,
    volumes: realVolumes(),
    hostName: hostname(),
    nowSecs: io.nowSecs,
    probe: () =>
      probeMachine({
        platform,
        arch,
        ask,
        facts: ownMachine(platform, arch, ask),
        timeoutMs: PROBE_TIMEOUT_MS,
      }),
  }
}

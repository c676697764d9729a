import { join } from 'node:path'
import type { Disk } from '../../electron/host/disk.ts'
import { labPathsByConvention } from '../../electron/host/paths.ts'
import { distinctFinds } from '../../electron/host/scan/found-model.ts'
import { findModels } from '../../electron/host/scan/find-models.ts'
import type { MachineProbes } from '../../electron/host/scan/probe-machine.ts'
import { hashersHere } from '../../electron/host/scan/file-hashers.ts'
import { openScanLab, type ScanLab } from '../../electron/host/scan/scan-lab.ts'
import {
  nameFoundModels,
  scanModels,
  type ModelOutcome,
  type NamedModel,
  type ScanOptions,
} from '../../electron/host/scan/scan-models.ts'
import { openScanRecord } from '../../electron/host/scan/scan-record.ts'
import { manifestsInto } from '../../electron/host/scan/write-manifest.ts'
import { realVolumes } from '../../electron/host/scan/volumes.ts'
import { tempFolder, writeTree } from './temp-folder.ts'

/** Folders of one test: a lab, a person's settings, and a place for models. */
export interface ScanFolders {
  readonly lab: string
  readonly config: string
  readonly models: string
}

export async function scanFolders(roster = ''): Promise<ScanFolders> {
  const folder = await tempFolder()
  await writeTree(folder, { 'lab/docs/models/queue.yaml': roster, 'models/README.md': '' })
  return { lab: join(folder, 'lab'), config: join(folder, 'config'), models: join(folder, 'models') }
}

export function openLabAt(lab: string): Promise<ScanLab> {
  return openScanLab(labPathsByConvention(lab, {}, { cwd: '/', home: '/nowhere' }))
}

/** The models at `path`, named by the lab's roster or as given. */
export async function namedModels(
  path: string,
  lab: ScanLab,
  name: string | null = null,
): Promise<readonly NamedModel[]> {
  const { models } = distinctFinds(await findModels({ path, shown: path }))
  return nameFoundModels(models, lab.lab.roster?.entries ?? [], name)
}

/**
 * Scans the models at `path` (else all) into the lab, as a command or a window does: everything opened again.
 */
export async function scanInto(
  { lab: labFolder, config, models }: ScanFolders,
  changes: Partial<ScanOptions> & {
    readonly path?: string
    readonly name?: string
    readonly disk?: Disk
  } = {},
): Promise<readonly ModelOutcome[]> {
  const lab = await openLabAt(labFolder)
  const named = await namedModels(changes.path ?? models, lab, changes.name ?? null)
  let tick = 0
  return scanModels(named, {
    put: manifestsInto(lab, changes.redistributable ?? false, changes.disk),
    record: await openScanRecord(config),
    volumes: realVolumes(),
    redistributable: false,
    hashers: hashersHere(changes.disk),
    signal: new AbortController().signal,
    nowMs: () => (tick += 250),
    onProgress: () => undefined,
    ...changes,
  })
}

/** A machine that no probe saw anything of but its memory. */
export const BARE_MACHINE: MachineProbes = {
  platform: 'linux',
  arch: 'x86_64',
  cpu: null,
  os: null,
  memory: { total: 64_000_000_000n, free: 60_000_000_000n },
  appleGpu: null,
  gpuDevices: [],
  servers: null,
  wiredLimit: null,
  nvidia: { kind: 'absent' },
  rocm: { kind: 'absent' },
  runtimes: [],
  mounts: [],
}

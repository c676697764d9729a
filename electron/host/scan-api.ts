import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { sumBytes } from '../../shared/bytes.ts'
import { fileList } from '../../shared/scan/model-parts.ts'
import type { HostResult } from '../../shared/host-api.ts'
import type { FoundModelInfo, ScanOutcome, ScanReport } from '../../shared/scan/scan-report.ts'
import { failed } from './answers.ts'
import type { HostImplementation } from './dispatch.ts'
import type { LabSource } from './lab-source.ts'
import { shortenHome } from './paths.ts'
import { programAsker } from './scan/ask-program.ts'
import { findModels, type ScanPlaceName } from './scan/find-models.ts'
import { distinctFinds, type LeftOut } from './scan/found-model.ts'
import type { HashProgress } from './scan/hash-models.ts'
import { isPlaceOfModel } from './scan/held-models.ts'
import { slowHashLines } from './scan/blake3-hasher.ts'
import { ownMachine } from './scan/own-machine.ts'
import { PROBE_TIMEOUT_MS, probeMachine, type MachineProbes } from './scan/probe-machine.ts'
import { hashersHere, hashThreads } from './scan/file-hashers.ts'
import { openScanLab, type ScanLab } from './scan/scan-lab.ts'
import { nameFoundModels, scanModels, type ModelOutcome, type NamedModel } from './scan/scan-models.ts'
import { scanNode, writeNodeFacts } from './scan/scan-node.ts'
import { openScanRecord, type ScanRecord } from './scan/scan-record.ts'
import { manifestsInto } from './scan/write-manifest.ts'
import { usualPlaces, type UsualPlaces } from './scan/usual-places.ts'
import { writeShapes } from './shapes/write-shape.ts'
import { realVolumes, type Volumes } from './scan/volumes.ts'

/** The machine that is scanned. */
export interface ScanMachine {
  readonly hostName: string
  readonly usualPlaces: () => Promise<UsualPlaces>
  readonly probe: () => Promise<MachineProbes>
  readonly volumes: Volumes
  /** Unix seconds. */
  readonly nowSecs: () => number
}

/** The machine this process runs on. */
export function ownScanMachine(home: string): ScanMachine {
  const { env, platform, arch } = process
  const ask = programAsker({ env, platform })
  const facts = ownMachine(platform, arch, ask)
  return {
    hostName: hostname(),
    usualPlaces: () => usualPlaces({ env, platform, home }),
    probe: () => probeMachine({ platform, arch, ask, facts, timeoutMs: PROBE_TIMEOUT_MS }),
    volumes: realVolumes(),
    nowSecs: () => Math.floor(Date.now() / 1000),
  }
}

export interface ScanApiParts {
  readonly home: string
  readonly configDir: string
  /** The open lab, if there is one. */
  readonly lab: () => LabSource | null
  /** The folder that a token stands for; null for any other token. */
  readonly folderOf: (token: string) => string | null
  readonly tell: (report: ScanReport) => void
  readonly machine: ScanMachine
  /** The built thread that hashes; null where the host's own does. */
  readonly hashWorker: string | null
}

/** The host's calls about scanning. */
export interface ScanApi extends Pick<HostImplementation, 'findModels' | 'startScan' | 'cancelScan'> {
  /** Stops a scan that runs, and waits for its end. */
  readonly close: () => Promise<void>
}

interface RunningScan {
  readonly id: string
  readonly controller: AbortController
  readonly ended: Promise<void>
}

const NO_LAB = failed('no_lab', 'No lab is open. Open one first.')

export function createScanApi(parts: ScanApiParts): ScanApi {
  const { configDir, machine } = parts
  /** What was found last, by the ids the page has for it. */
  let found = new Map<string, NamedModel>()
  let running: RunningScan | null = null

  const openBoth = async (source: LabSource): Promise<{ lab: ScanLab; record: ScanRecord }> => {
    const [lab, record] = await Promise.all([openScanLab(source.paths), openScanRecord(configDir)])
    return { lab, record }
  }
  return {
    findModels: async ({ places, usual }) => {
      const source = parts.lab()
      if (source === null) return NO_LAB
      const named: ScanPlaceName[] = []
      for (const token of places) {
        const path = parts.folderOf(token)
        if (path === null) {
          return failed('unknown_token', 'That place is not known any more. Choose it again.')
        }
        named.push({ path, shown: shortenHome(path, parts.home) })
      }
      const usuals = usual ? await machine.usualPlaces() : { places: [], away: [] }
      const all = [...named, ...usuals.places]
      const [finds, { lab, record }] = await Promise.all([
        Promise.all(all.map((place) => findModels(place))),
        openBoth(source),
      ])
      const { models, warnings, leftOut } = distinctFinds([
        ...finds.flat(),
        ...usuals.away,
        ...(await slowHashLines()),
      ])
      const lines = (kind: LeftOut['kind']) =>
        leftOut.filter((each) => each.kind === kind).map(({ shown, reason }) => ({ place: shown, reason }))
      const names = nameFoundModels(models, lab.lab.roster?.entries ?? [], null)
      found = new Map(names.map((each) => [randomBytes(12).toString('base64url'), each]))
      const infos = [...found].map(([id, each], i) => infoOf(id, each, warnings[i] ?? [], lab, record))
      const notices =
        record.notice === null ? [] : [{ place: shortenHome(configDir, parts.home), reason: record.notice }]
      return {
        ok: true,
        value: {
          models: infos,
          refused: [...notices, ...lines('refused')],
          passedOver: lines('passed'),
        },
      }
    },
    startScan: async ({ models: ids, redistributable, node }) => {
      const source = parts.lab()
      if (source === null) return NO_LAB
      if (source.readOnly !== null) return failed('io', `Nothing can be written here. ${source.readOnly}`)
      if (running !== null) return failed('refused', 'A scan is running. Wait for its end, or cancel it.')
      const chosen = ids.flatMap((id) => {
        const named = found.get(id)
        return named ? [{ id, named }] : []
      })
      if (chosen.length < ids.length) {
        return failed('unknown_token', 'Those models are not known any more. Look for them again.')
      }
      if (chosen.length === 0 && !node) return failed('bad_arguments', 'Choose what to scan.')
      const id = randomBytes(12).toString('base64url')
      const controller = new AbortController()
      const run = openBoth(source).then(({ lab, record }) =>
        runScan({ id, chosen, redistributable, node, lab, record, signal: controller.signal, parts }),
      )
      const ended = run.finally(() => {
        running = null
      })
      running = { id, controller, ended: ended.catch(() => undefined) }
      return Promise.resolve<HostResult<{ scan: string }>>({ ok: true, value: { scan: id } })
    },
    cancelScan: ({ scan }) => {
      if (running?.id === scan) running.controller.abort()
      return Promise.resolve({ ok: true, value: null })
    },
    close: async () => {
      running?.controller.abort()
      await running?.ended
    },
  }
}

function infoOf(
  id: string,
  { model, name }: NamedModel,
  warnings: readonly string[],
  { lab }: ScanLab,
  record: ScanRecord,
): FoundModelInfo {
  const place = record.places().find((each) => isPlaceOfModel(each, model))
  return {
    id,
    name: name?.name ?? null,
    roles: name?.roles ?? [],
    format: model.format,
    place: model.shown,
    shards: model.shards.length,
    bytes: sumBytes(model.shards.map(({ size }) => size)).toString(),
    known: place !== undefined && lab.manifests.some(({ packageId }) => packageId === place.packageId),
    missing: model.missing,
    warnings: [...(name?.warning ? [name.warning] : []), ...warnings],
  }
}

interface ScanJob {
  readonly id: string
  readonly chosen: readonly { readonly id: string; readonly named: NamedModel }[]
  readonly redistributable: boolean
  readonly node: boolean
  readonly lab: ScanLab
  readonly record: ScanRecord
  readonly signal: AbortSignal
  readonly parts: ScanApiParts
}

/** Runs one scan to its end; its last report is sent whatever happens. */
async function runScan(job: ScanJob): Promise<void> {
  const { chosen, lab, record, signal, parts } = job
  let progress: HashProgress | null = null
  let outcomes: readonly (ModelOutcome | null)[] = chosen.map(() => null)
  let node: ScanReport['node'] = null
  const tell = (state: ScanReport['state']): void =>
    parts.tell(reportOf(job, state, progress, outcomes, node))
  const { hashWorker } = parts
  const hashers = hashWorker === null ? hashersHere() : hashThreads({ kind: 'file', path: hashWorker })
  try {
    // A lab on an unmounted drive must not be recreated: it would shadow the mount point.
    if (lab.fault !== null) throw new Error(lab.fault)
    outcomes = await scanModels(
      chosen.map(({ named }) => named),
      {
        put: manifestsInto(lab, job.redistributable),
        record,
        volumes: parts.machine.volumes,
        redistributable: job.redistributable,
        signal,
        hashers,
        nowMs: () => performance.now(),
        onProgress: (next) => {
          progress = next
          tell('models')
        },
      },
    )
    await writeShapes(
      chosen.map(({ named }) => named),
      outcomes.map((outcome) => outcome ?? { kind: 'cancelled' }),
      lab,
    )
    if (job.node && !signal.aborted) {
      tell('node')
      node = await writeNode(job)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    outcomes = outcomes.map((outcome) => outcome ?? { kind: 'failed', reason })
    if (job.node) node ??= { reason }
  } finally {
    await hashers.close()
  }
  tell('ended')
}

async function writeNode({ lab, record, parts }: ScanJob): Promise<NonNullable<ScanReport['node']>> {
  const { machine } = parts
  // The manifests that were just written belong to the facts.
  const now = await openScanLab(lab.paths)
  const scan = await scanNode({
    lab: now,
    record,
    volumes: machine.volumes,
    nodeId: null,
    hostName: machine.hostName,
    probe: machine.probe,
    nowSecs: machine.nowSecs(),
  })
  if (!scan.ok) return { reason: scan.reason }
  const fault = await writeNodeFacts(scan, now, record)
  return fault === null ? { nodeId: scan.nodeId, file: scan.shown } : { reason: fault }
}

function reportOf(
  { id, chosen }: ScanJob,
  state: ScanReport['state'],
  progress: HashProgress | null,
  outcomes: readonly (ModelOutcome | null)[],
  node: ScanReport['node'],
): ScanReport {
  return {
    scan: id,
    state,
    doneBytes: (progress?.whole.doneBytes ?? 0n).toString(),
    totalBytes: (progress?.whole.totalBytes ?? 0n).toString(),
    rate: progress?.whole.rate ?? null,
    secondsLeft: progress?.whole.secondsLeft ?? null,
    models: chosen.map((model, i) => ({
      id: model.id,
      name: model.named.name?.name ?? '',
      doneBytes: (progress?.models[i]?.doneBytes ?? 0n).toString(),
      totalBytes: (progress?.models[i]?.totalBytes ?? 0n).toString(),
      outcome: outcomeOf(outcomes[i] ?? null),
    })),
    node,
  }
}

function outcomeOf(outcome: ModelOutcome | null): ScanOutcome | null {
  switch (outcome?.kind) {
    case undefined:
      return null
    case 'written':
      return { kind: 'written', file: outcome.file }
    case 'same':
    case 'known':
      return { kind: 'unchanged', file: outcome.file }
    case 'part': {
      const reason = `${outcome.file} stays: it has files that are not here any more (${fileList(outcome.gone)})`
      return { kind: 'incomplete', reason }
    }
    case 'incomplete':
      return { kind: 'incomplete', reason: outcome.missing.join('; ') }
    case 'failed':
    case 'cancelled':
      return outcome
  }
}

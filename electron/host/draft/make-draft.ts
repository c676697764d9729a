import { createConnection } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { sumBytes } from '../../../shared/bytes.ts'
import { proposeRoster } from '../../../shared/draft/propose.ts'
import { isToolFileName, MAX_TOOL_FILE_BYTES, readToolFile } from '../../../shared/draft/read-tool-file.ts'
import type { DraftMemory, DraftModel, ListedModel, Proposal, ToolList } from '../../../shared/draft/types.ts'
import { RUNTIME_TRAITS, RUNTIMES } from '../../../shared/inference-spec.ts'
import { memoryNeed } from '../../../shared/memory/memory-need.ts'
import { USUAL_CONTEXT, USUAL_SETTING } from '../../../shared/memory/setting.ts'
import type { RosterEntry } from '../../../shared/roster/types.ts'
import { realDisk, type Disk } from '../disk.ts'
import { mapBounded } from '../map-bounded.ts'
import { expandHome, shortenHome } from '../paths.ts'
import { readTextFile } from '../read-text-file.ts'
import { findModels, type ScanPlaceName } from '../scan/find-models.ts'
import { distinctFinds, refused, type Find, type LeftOut } from '../scan/found-model.ts'
import { nameFoundModels, type NamedModel } from '../scan/scan-models.ts'
import { readShape } from '../shapes/read-shape.ts'

export interface DraftSources {
  /** Places with models, and files of other tools. */
  readonly places: readonly ScanPlaceName[]
  /** Files of other tools that are read where they are there. */
  readonly usualFiles: readonly string[]
  /** What is already known to be left out, such as a usual place that is away. */
  readonly away: readonly LeftOut[]
  /** Of the roster that is there; empty without one. */
  readonly entries: readonly RosterEntry[]
  readonly home?: string
  readonly disk?: Disk
}

export interface Draft {
  readonly proposals: readonly Proposal[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Proposes roster entries by what lies on this machine. Headers of weight files and the files of other tools are read,
 * nothing is hashed, and nothing is written.
 */
export async function makeDraft(sources: DraftSources): Promise<Draft> {
  const { entries, away, home = homedir(), disk = realDisk } = sources
  const leftOut: LeftOut[] = [...away]
  const files = sources.places.filter(({ path }) => isToolFileName(path))
  const usual = sources.usualFiles.map((path) => ({ path, shown: shortenHome(path, home) }))
  const lists: ToolList[] = []
  for (const [i, file] of [...files, ...usual].entries()) {
    const read = await readTextFile(file.path, MAX_TOOL_FILE_BYTES, disk)
    if (!read.ok && i >= files.length && read.code === 'file-missing') continue
    const list = read.ok ? readToolFile(read.text, file.shown) : read
    if (!list.ok) leftOut.push(refused(file.shown, list.reason))
    else {
      lists.push(list.list)
      leftOut.push(
        ...list.list.notes.map((note) => ({ ...refused(file.shown, note), kind: 'passed' as const })),
      )
    }
  }
  const listed = lists.flatMap(({ models }) => models)
  const reals = await realPaths(listed, home, disk)
  const places = sources.places.filter((place) => !files.includes(place))
  const namedByTools = [...new Set(reals.values())].map((path) => ({ path, shown: shortenHome(path, home) }))
  const [finds, more] = await Promise.all([findAll(places), findAll(namedByTools)])
  const found = distinctFinds([...finds, ...more])
  const models = await mapBounded(nameFoundModels(found.models, entries, null), 4, (each) =>
    draftModel(each, disk),
  )
  const proposals = proposeRoster({
    models: models.filter((model) => model !== null),
    listed,
    ollamaPorts: lists.flatMap(({ ollamaPorts }) => ollamaPorts),
    entries,
    busyPorts: await busyPorts(models.length + listed.length),
    realOf: (path) => reals.get(path) ?? path,
  })
  return { proposals, leftOut: [...leftOut, ...found.leftOut] }
}

async function findAll(places: readonly ScanPlaceName[]): Promise<readonly Find[]> {
  return (await Promise.all(places.map((place) => findModels(place)))).flat()
}

/** The paths in files of other tools that are there, by what is written. Relative ones depend on where a tool is started. */
async function realPaths(
  listed: readonly ListedModel[],
  home: string,
  disk: Disk,
): Promise<ReadonlyMap<string, string>> {
  const reals = new Map<string, string>()
  for (const { path } of listed) {
    const absolute = path === null ? '' : expandHome(path, home)
    if (path === null || !isAbsolute(absolute)) continue
    const real = await disk.realpath(absolute).catch(() => null)
    if (real !== null) reals.set(path, real)
  }
  return reals
}

/** A found model as a draft needs it; null for one that no name can be made for. */
async function draftModel({ model, name }: NamedModel, disk: Disk): Promise<DraftModel | null> {
  const [first] = model.shards
  if (name === null || first === undefined) return null
  return {
    name: name.name,
    format: model.format,
    repo: model.source?.hfRepo ?? null,
    ollamaTag: model.source?.ollamaTag ?? null,
    shown: model.shown,
    file: first.real,
    root: model.root,
    memory: await memoryOf(model, disk),
    fileBytes: sumBytes(model.shards.map(({ size }) => size)),
  }
}

async function memoryOf(model: NamedModel['model'], disk: Disk): Promise<DraftMemory | null> {
  const read = await readShape(model, disk)
  if (!read.ok || read.shape.weightsBytes === null) return null
  const context = Math.min(USUAL_CONTEXT, read.shape.trainedContext ?? USUAL_CONTEXT)
  const need = memoryNeed(read.shape, { ...USUAL_SETTING, context })
  return { bytes: need.runBytes, context, hasContext: !need.missing.includes('kv_cache') }
}

/** Files of other tools in the places that their documentation and packages use. */
export function usualToolFiles(home: string): readonly string[] {
  return ['llama-swap', 'litellm', 'olla'].flatMap((tool) => [
    join(home, '.config', tool, 'config.yaml'),
    join('/etc', tool, 'config.yaml'),
  ])
}

/** How long a port of this machine may take to answer, in milliseconds. */
const PORT_TIMEOUT_MS = 500

/** The ports near where drafts begin that something on this machine listens on. */
async function busyPorts(models: number): Promise<ReadonlySet<number>> {
  const candidates = RUNTIMES.map((runtime) => RUNTIME_TRAITS[runtime])
    .filter(({ sharesPort }) => !sharesPort)
    .flatMap(({ usualPort }) => Array.from({ length: models + 32 }, (_, i) => usualPort + i))
  const distinct = [...new Set(candidates)]
  const busy = await mapBounded(distinct, 32, isListening)
  return new Set(distinct.filter((_, i) => busy[i]))
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port, timeout: PORT_TIMEOUT_MS })
    const settle = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => settle(true))
    socket.once('timeout', () => settle(false))
    socket.once('error', () => settle(false))
  })
}

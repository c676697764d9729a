import { entryOf, manifestOf, type GatherMessage, type Question } from '../../../shared/gather/messages.ts'
import { shapeFileText } from '../../../shared/memory/shape-file.ts'
import { nodeFactsText } from '../../../shared/scan/node-facts-text.ts'
import { realDisk } from '../disk.ts'
import { slowHashLines } from '../scan/blake3-hasher.ts'
import type { FileHashers } from '../scan/file-hashers.ts'
import { findModels, type ScanPlaceName } from '../scan/find-models.ts'
import { distinctFinds, refused, type LeftOut } from '../scan/found-model.ts'
import type { MachineProbes } from '../scan/probe-machine.ts'
import {
  nameFoundModels,
  scanModels,
  type ModelOutcome,
  type NamedModel,
  type ScanOptions,
} from '../scan/scan-models.ts'
import { advertise } from '../scan/scan-node.ts'
import type { ScanRecord } from '../scan/scan-record.ts'
import type { UsualPlaces } from '../scan/usual-places.ts'
import type { Volumes } from '../scan/volumes.ts'
import { sameShards, type PutManifest } from '../scan/write-manifest.ts'
import { readShapes } from '../shapes/write-shape.ts'

/** The machine that answers. */
export interface AnsweringMachine {
  readonly record: ScanRecord
  readonly volumes: Volumes
  readonly probe: () => Promise<MachineProbes>
  readonly usualPlaces: () => Promise<UsualPlaces>
  /** Hashes in that many threads; left out: half of the cores. */
  readonly hashers: (threads: number | undefined) => FileHashers
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number
}

/** How often a machine says that it is still there, in milliseconds, whatever it waits for. */
const BEAT_MS = 1000

/**
 * Answers a question about this machine: finds its models, hashes what is not known yet, and says what it is and what
 * it holds. Nothing is written but the record of hashes. Messages go to `tell`, the last one is an answer or a failure.
 */
export async function answerQuestion(
  question: Question,
  machine: AnsweringMachine,
  tell: (message: GatherMessage) => void,
): Promise<void> {
  let now: Extract<GatherMessage, { kind: 'progress' }> = {
    ...{ kind: 'progress', stage: 'finding', doneBytes: '0', totalBytes: '0', secondsLeft: null },
  }
  const show = (next: Partial<typeof now>): void => {
    now = { ...now, ...next }
    tell(now)
  }
  const beat = setInterval(() => tell(now), BEAT_MS)
  try {
    show({})
    tell(await answerOf(question, machine, show))
  } catch (error) {
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  } finally {
    clearInterval(beat)
  }
}

type Show = (next: Partial<Extract<GatherMessage, { kind: 'progress' }>>) => void

async function answerOf(question: Question, machine: AnsweringMachine, show: Show): Promise<GatherMessage> {
  const { record, volumes, probe, nowMs } = machine
  const { places, away } = await placesOf(question, machine)
  const finds = (await Promise.all(places.map((place) => findModels(place)))).flat()
  const found = distinctFinds([...finds, ...away, ...(await slowHashLines())])
  const named = nameFoundModels(found.models, question.entries.map(entryOf), null)
  const manifests = question.models.map(manifestOf)
  const fresh = new Map<string, string>()
  const options: Omit<ScanOptions, 'hashers'> = {
    put: manifestsApart(manifests, fresh),
    record,
    volumes,
    redistributable: false,
    signal: new AbortController().signal,
    nowMs,
    onProgress: ({ whole }) => {
      const { doneBytes, totalBytes, secondsLeft } = whole
      const figures = { doneBytes: doneBytes.toString(), totalBytes: totalBytes.toString(), secondsLeft }
      show({ stage: 'hashing', ...figures })
    },
  }
  const outcomes = await scanApart(named, options, machine.hashers(question.threads))
  const { shapes, notes } = await readShapes(named, outcomes)
  show({ stage: 'probing', secondsLeft: null })
  const advertised = await advertise({ manifests, record, volumes, probe, disk: realDisk })
  const facts = nodeFactsText({ nodeId: question.nodeId, issuedAt: 0, previousSeq: null }, advertised)
  const notices = record.notice === null ? [] : [refused('scan.json', record.notice)]
  const leftOut = [
    ...notices,
    ...found.leftOut,
    ...outcomes.flatMap((outcome, i) => lines(named[i], outcome)),
    ...notes.map((note) => refused('memory', note)),
  ]
  return {
    kind: 'answer',
    facts,
    manifests: [...fresh.values()],
    shapes: shapes.map(shapeFileText),
    leftOut: leftOut.map(({ kind, shown, reason }) => ({ kind, place: shown, reason })),
  }
}

/** Scans by `hashers`, which are ended with it. */
async function scanApart(
  named: readonly NamedModel[],
  options: Omit<ScanOptions, 'hashers'>,
  hashers: FileHashers,
): Promise<readonly ModelOutcome[]> {
  try {
    return await scanModels(named, { ...options, hashers })
  } finally {
    await hashers.close()
  }
}

async function placesOf({ roots }: Question, machine: AnsweringMachine): Promise<UsualPlaces> {
  if (roots.length === 0) return machine.usualPlaces()
  return { places: roots.map((root): ScanPlaceName => ({ path: root, shown: root })), away: [] }
}

/** Keeps the manifests of models that none of `known` is of, for the one who asked. */
function manifestsApart(known: ReturnType<typeof manifestOf>[], fresh: Map<string, string>): PutManifest {
  return (_name, shards, built) => {
    const there =
      known.find(({ packageId }) => packageId === built.packageId) ??
      known.find(({ body }) => sameShards(body.shards, shards))
    if (there !== undefined) {
      return Promise.resolve({ kind: 'known', packageId: there.packageId, file: '' })
    }
    fresh.set(built.packageId, built.text)
    return Promise.resolve({ kind: 'written', packageId: built.packageId, file: '', replaced: false })
  }
}

function lines(named: NamedModel | undefined, outcome: ModelOutcome): readonly LeftOut[] {
  if (named === undefined) return []
  const { shown } = named.model
  switch (outcome.kind) {
    case 'failed':
      return [refused(shown, outcome.reason)]
    case 'incomplete':
      return [refused(shown, `not whole: ${outcome.missing.join('; ')}`)]
    case 'written':
    case 'same':
    case 'known':
    case 'part':
    case 'cancelled':
      return []
  }
}

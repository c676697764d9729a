import type { Lab, LabFile, LabFileEntry, LabFiles, LabListing } from './lab.ts'
import type { LabFileKind } from './lab-places.ts'
import { collectShapes } from '../memory/collect-shapes.ts'
import { readShapeFile } from '../memory/shape-file.ts'
import { readManifest } from '../model-manifest/read-manifest.ts'
import { readRegistryTask } from '../model-manifest/read-registry.ts'
import { mergeNodes } from '../node/merge-nodes.ts'
import { readFleet } from '../node/read-fleet.ts'
import { readNodeFacts, sharedTexts } from '../node/read-node-facts.ts'
import type { DeclaredNode, LabNode } from '../node/types.ts'
import { readOk, type Problem, type Read } from '../problem.ts'
import { readRosterTask } from '../roster/read-roster.ts'
import { runSync, type Task } from '../task.ts'

/**
 * Reads a lab file by file, in whatever order the texts come, and puts it together. What was read is remembered by
 * file and hash: after a change only the files that are other ones are asked for, and what did not change stays the
 * same object, so that what was worked out of it holds on.
 */
export interface LabReading {
  /** The files of `listing` that have not been read, in its order: each is to be given to {@link LabReading.read}. */
  readonly unread: (listing: LabListing) => readonly LabFileEntry[]
  /** Reads one file; stops after it, and after each part of a large one. */
  readonly read: (file: LabFile) => Task<void>
  /**
   * The lab of `listing`, every problem of every file collected; files of it that were never read are left out, and
   * what was read of other files is forgotten. `declared` are nodes named on the command line.
   */
  readonly lab: (listing: LabListing, declared?: readonly DeclaredNode[]) => Lab
}

/** Reads labs: texts in, a {@link Lab} out. `declared` are nodes named on the command line. */
export type LabReader = (files: LabFiles, declared?: readonly DeclaredNode[]) => Lab

/** A {@link LabReading} that is given all texts at once. One is kept for one window or one command. */
export function createLabReader(): LabReader {
  const reading = createLabReading()
  return (files, declared) => {
    const unread = new Set(reading.unread(files))
    for (const file of files.files) if (unread.has(file)) runSync(reading.read(file))
    return reading.lab(files, declared)
  }
}

export function createLabReading(): LabReading {
  const rosters = memoize(readRosterTask)
  const registries = memoize(readRegistryTask)
  const manifests = memoize(inOneStep(readManifest))
  const shapes = memoize(inOneStep(readShapeFile))
  let share = sharedTexts()
  const facts = memoize(inOneStep((text, file) => readNodeFacts(text, file, share)))
  const fleets = memoize(inOneStep(readFleet))
  const scenarios = memoize(inOneStep((text) => readOk(text)))
  const readers: Readonly<Record<LabFileKind, Remembered<unknown> | null>> = {
    roster: rosters,
    registry: registries,
    manifest: manifests,
    shape: shapes,
    node: facts,
    fleet: fleets,
    scenario: scenarios,
    // Its text is edited while the lab stays, and read where that is done.
    overlay: null,
  }
  let before: Lab | null = null

  return {
    unread: ({ files }) => files.filter((file) => readers[file.kind]?.knows(file) === false),
    *read(file) {
      yield* readers[file.kind]?.read(file) ?? []
    },
    lab: (listing, declared = []) => {
      const outcomes = <T>(kind: LabFileKind, of: Remembered<T>): readonly Outcome<T>[] =>
        of.keepOnly(listing.files.filter((file) => file.kind === kind))
      const roster = outcomes('roster', rosters)
      const registry = outcomes('registry', registries)
      const loose = outcomes('manifest', manifests)
      const shape = outcomes('shape', shapes)
      const node = outcomes('node', facts)
      const fleet = outcomes('fleet', fleets)
      const scenario = outcomes('scenario', scenarios)
      // Only those that are read together share texts: kept for good, they would outlive every node that reported them.
      share = sharedTexts()
      const merged = mergeNodes(good(node), good(fleet), declared)
      const problems: Problem[] = [
        ...listing.problems,
        ...[roster, registry, loose, shape, node, fleet].flatMap((read) =>
          read.flatMap(({ read: { problems } }) => problems),
        ),
        ...good(roster).flatMap(({ value }) => value.warnings),
        ...merged.problems,
      ]
      const read = [...good(registry).flatMap(({ value }) => value), ...good(loose).map(({ value }) => value)]
      const kept = collectShapes(
        good(shape).map(({ value }) => value),
        read,
      )
      problems.push(...kept.problems)
      before = {
        name: listing.name,
        roster: good(roster)[0]?.value ?? null,
        manifests: sameList(before?.manifests ?? [], read),
        shapes: sameShapes(before?.shapes, kept.shapes),
        scenarioFiles: sameFiles(before?.scenarioFiles ?? [], filesOf(listing.files, good(scenario))),
        nodes: sameList(before?.nodes ?? [], sameNodes(before?.nodes ?? [], merged.nodes)),
        problems,
      }
      return before
    },
  }
}

interface Outcome<T> {
  readonly file: string
  readonly read: Read<T>
}

/** What came of the files of one kind. */
interface Remembered<T> {
  readonly knows: (file: LabFileEntry) => boolean
  readonly read: (file: LabFile) => Task<void>
  /** The outcomes of `files`, in their order; all others are forgotten. */
  readonly keepOnly: (files: readonly LabFileEntry[]) => readonly Outcome<T>[]
}

type FileReader<T> = (text: string, file: string) => Task<Read<T>>

/** A reader of files that are small enough to be one step. */
function inOneStep<T>(read: (text: string, file: string) => Read<T>): FileReader<T> {
  return function* (text, file) {
    const outcome = read(text, file)
    yield
    return outcome
  }
}

function memoize<T>(reader: FileReader<T>): Remembered<T> {
  let known = new Map<string, { readonly hash: string; readonly outcome: Outcome<T> }>()
  return {
    knows: ({ file, hash }) => known.get(file)?.hash === hash,
    *read({ file, hash, text }) {
      known.set(file, { hash, outcome: { file, read: yield* reader(text, file) } })
    },
    keepOnly: (files) => {
      const now: typeof known = new Map()
      for (const { file, hash } of files) {
        const found = known.get(file)
        if (found?.hash === hash) now.set(file, found)
      }
      known = now
      return [...now.values()].map(({ outcome }) => outcome)
    },
  }
}

/** The values of the outcomes that have one, with the file each came from. */
function good<T>(outcomes: readonly Outcome<T>[]): { file: string; value: T }[] {
  return outcomes.flatMap(({ file, read }) => (read.ok ? [{ file, value: read.value }] : []))
}

/** The files of `listed` with their texts. */
function filesOf(
  listed: readonly LabFileEntry[],
  texts: readonly { readonly file: string; readonly value: string }[],
): LabFile[] {
  const textOf = new Map(texts.map(({ file, value }) => [file, value]))
  return listed.flatMap((entry) => {
    const text = entry.kind === 'scenario' ? textOf.get(entry.file) : undefined
    return text === undefined ? [] : [{ ...entry, text }]
  })
}

/** `before` when it has the same files as `now`, else `now`. */
function sameFiles(before: readonly LabFile[], now: readonly LabFile[]): readonly LabFile[] {
  const isSame =
    before.length === now.length &&
    now.every(({ file, hash }, i) => file === before[i]?.file && hash === before[i].hash)
  return isSame ? before : now
}

/** `before` when it has the same items as `now`, else `now`. */
function sameList<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  return before.length === now.length && now.every((item, i) => item === before[i]) ? before : now
}

/** `before` when it has the same shapes as `now`, else `now`. */
function sameShapes(before: Lab['shapes'] | undefined, now: Lab['shapes']): Lab['shapes'] {
  const isSame = before?.size === now.size && [...now].every(([id, shape]) => before.get(id) === shape)
  return isSame ? before : now
}

/** `now`, reusing the previous object of every unchanged node. */
function sameNodes(before: readonly LabNode[], now: readonly LabNode[]): readonly LabNode[] {
  const known = new Map(before.map((node) => [node.nodeId, node]))
  return now.map((node) => {
    const was = known.get(node.nodeId)
    const isSame = was?.facts === node.facts && was.declared === node.declared && was.file === node.file
    return isSame ? was : node
  })
}

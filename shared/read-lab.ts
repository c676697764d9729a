import type { Lab, LabFile, LabFileKind, LabFiles } from './lab.ts'
import { readManifest } from './model-manifest/read-manifest.ts'
import { readRegistry } from './model-manifest/read-registry.ts'
import { mergeNodes } from './node/merge-nodes.ts'
import { readFleet } from './node/read-fleet.ts'
import { readNodeFacts, sharedTexts } from './node/read-node-facts.ts'
import type { DeclaredNode, LabNode } from './node/types.ts'
import type { Problem, Read } from './problem.ts'
import { readRoster } from './roster/read-roster.ts'

/** Reads one kind of file and remembers the outcome for as long as the file stays the same. */
interface RememberingReader<T> {
  /**
   * The outcome for every file of this kind in `files`, in their order; outcomes of files that went are forgotten.
   * Stops after every file that it reads.
   */
  readonly readAll: (files: readonly LabFile[]) => Generator<void, readonly Outcome<T>[]>
}

interface Outcome<T> {
  readonly file: string
  readonly read: Read<T>
}

function remembering<T>(kind: LabFileKind, reader: () => (text: string, file: string) => Read<T>): RememberingReader<T> {
  let known = new Map<string, { readonly text: string; readonly read: Read<T> }>()
  return {
    *readAll(files) {
      const now: typeof known = new Map()
      const read = reader()
      for (const { kind: fileKind, file, text } of files) {
        if (fileKind !== kind) continue
        const before = known.get(file)
        if (before?.text === text) now.set(file, before)
        else {
          now.set(file, { text, read: read(text, file) })
          yield
        }
      }
      known = now
      return [...now].map(([file, { read: outcome }]) => ({ file, read: outcome }))
    },
  }
}

/** The values of the outcomes that have one, with the file each came from. */
function good<T>(outcomes: readonly { readonly file: string; readonly read: Read<T> }[]): { file: string; value: T }[] {
  return outcomes.flatMap(({ file, read }) => (read.ok ? [{ file, value: read.value }] : []))
}

/** Reads labs: texts in, a {@link Lab} out. `declared` are nodes named on the command line. */
export type LabReader = (files: LabFiles, declared?: readonly DeclaredNode[]) => Lab

/**
 * Makes a reader of labs, every problem of every file collected. One reader is kept for one window or one command;
 * reading again after a change reads only the files whose text changed, and what did not change stays the same object:
 * what was worked out of it holds on.
 */
export function createLabReader(): LabReader {
  const steps = createLabSteps()
  return (lab, declared) => {
    const reading = steps(lab, declared)
    let step = reading.next()
    while (step.done !== true) step = reading.next()
    return step.value
  }
}

/** A {@link LabReader} that stops after every file it reads, for who must not be kept waiting. */
export function createLabSteps(): (files: LabFiles, declared?: readonly DeclaredNode[]) => Generator<void, Lab> {
  const rosters = remembering('roster', () => readRoster)
  const registries = remembering('registry', () => readRegistry)
  const manifests = remembering('manifest', () => readManifest)
  const facts = remembering('node', () => {
    const share = sharedTexts()
    return (text, file) => readNodeFacts(text, file, share)
  })
  const fleets = remembering('fleet', () => readFleet)
  let before: Lab | null = null

  return function* (lab, declared = []) {
    const roster = yield* rosters.readAll(lab.files)
    const registry = yield* registries.readAll(lab.files)
    const loose = yield* manifests.readAll(lab.files)
    const node = yield* facts.readAll(lab.files)
    const fleet = yield* fleets.readAll(lab.files)
    const merged = mergeNodes(good(node), good(fleet), declared)
    const problems: Problem[] = [
      ...lab.problems,
      ...[roster, registry, loose, node, fleet].flatMap((outcomes) => outcomes.flatMap(({ read }) => read.problems)),
      ...merged.problems,
    ]
    const read = [...good(registry).flatMap(({ value }) => value), ...good(loose).map(({ value }) => value)]
    before = {
      name: lab.name,
      roster: good(roster)[0]?.value ?? null,
      manifests: sameList(before?.manifests ?? [], read),
      nodes: sameList(before?.nodes ?? [], sameNodes(before?.nodes ?? [], merged.nodes)),
      problems,
    }
    return before
  }
}

/** `before` when it has the same items as `now`, else `now`. */
function sameList<T>(before: readonly T[], now: readonly T[]): readonly T[] {
  return before.length === now.length && now.every((item, i) => item === before[i]) ? before : now
}

/** `now` with the node of before in the place of each that tells the same. */
function sameNodes(before: readonly LabNode[], now: readonly LabNode[]): readonly LabNode[] {
  const known = new Map(before.map((node) => [node.nodeId, node]))
  return now.map((node) => {
    const was = known.get(node.nodeId)
    const isSame = was?.facts === node.facts && was.declared === node.declared && was.file === node.file
    return isSame ? was : node
  })
}

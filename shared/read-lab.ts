import type { Lab, LabFile, LabFileKind, LabFiles } from './lab.ts'
import { readManifest } from './model-manifest/read-manifest.ts'
import { readRegistry } from './model-manifest/read-registry.ts'
import type { ModelManifest } from './model-manifest/types.ts'
import { mergeNodes } from './node/merge-nodes.ts'
import { readFleet } from './node/read-fleet.ts'
import { readNodeFacts } from './node/read-node-facts.ts'
import type { DeclaredNode } from './node/types.ts'
import type { Problem, Read } from './problem.ts'
import { readRoster } from './roster/read-roster.ts'

/** Reads one kind of file and remembers the outcome for as long as the file's text stays the same. */
interface RememberingReader<T> {
  /** The outcome for every file of this kind in `files`, in their order; outcomes of files that went are forgotten. */
  readonly readAll: (files: readonly LabFile[]) => readonly { readonly file: string; readonly read: Read<T> }[]
}

function remembering<T>(kind: LabFileKind, read: (text: string, file: string) => Read<T>): RememberingReader<T> {
  let known = new Map<string, { readonly text: string; readonly read: Read<T> }>()
  return {
    readAll: (files) => {
      const now: typeof known = new Map()
      for (const { kind: fileKind, file, text } of files) {
        if (fileKind !== kind) continue
        const before = known.get(file)
        now.set(file, before?.text === text ? before : { text, read: read(text, file) })
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

/**
 * Makes a reader of labs: texts in, a {@link Lab} out, every problem of every file collected. One reader is kept for
 * one window or one command; reading again after a change reads only the files whose text changed.
 * `declared` are nodes named on the command line.
 */
export function createLabReader(): (files: LabFiles, declared?: readonly DeclaredNode[]) => Lab {
  const rosters = remembering('roster', readRoster)
  const registries = remembering('registry', readRegistry)
  const manifests = remembering('manifest', readManifest)
  const facts = remembering('node', readNodeFacts)
  const fleets = remembering('fleet', readFleet)
  let manifestsBefore: readonly ModelManifest[] = []

  return (lab, declared = []) => {
    const roster = rosters.readAll(lab.files)
    const registry = registries.readAll(lab.files)
    const loose = manifests.readAll(lab.files)
    const node = facts.readAll(lab.files)
    const fleet = fleets.readAll(lab.files)
    const merged = mergeNodes(good(node), good(fleet), declared)
    const problems: Problem[] = [
      ...lab.problems,
      ...[roster, registry, loose, node, fleet].flatMap((outcomes) => outcomes.flatMap(({ read }) => read.problems)),
      ...merged.problems,
    ]
    const read = [...good(registry).flatMap(({ value }) => value), ...good(loose).map(({ value }) => value)]
    // The same list for the same manifests: what is made of all of them together is remembered by it.
    const isSame = read.length === manifestsBefore.length && read.every((one, i) => one === manifestsBefore[i])
    manifestsBefore = isSame ? manifestsBefore : read
    return {
      name: lab.name,
      roster: good(roster)[0]?.value ?? null,
      manifests: manifestsBefore,
      nodes: merged.nodes,
      problems,
    }
  }
}

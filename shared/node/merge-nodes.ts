import type { Problem } from '../problem.ts'
import { compareCodePoints } from '../token.ts'
import { overrideSite } from './node-site.ts'
import { EVERY_MODEL, type DeclaredNode, type LabNode, type NodeFacts } from './types.ts'

/** What was read from one file. */
interface FromFile<T> {
  readonly file: string
  readonly value: T
}

/**
 * The nodes of a lab, one per id, sorted by id in code point order. Of several facts files for one node the
 * one with the highest `seq` counts, with a warning; of equal ones the later `issued_at`, else the file that is named
 * after its node, and never the copy that a sync program made of it. What a person declares stands
 * beside the facts and overrides what it names; the command line's word (`declared`) counts before the fleet
 * file's.
 */
export function mergeNodes(
  factsFiles: readonly FromFile<NodeFacts>[],
  fleets: readonly FromFile<readonly DeclaredNode[]>[],
  declared: readonly DeclaredNode[],
): { nodes: LabNode[]; problems: Problem[] } {
  const problems: Problem[] = []
  const nodes = new Map<string, LabNode>()
  for (const [nodeId, { file, value }] of newestFacts(factsFiles, problems)) {
    nodes.set(nodeId, { nodeId, facts: value, declared: null, file })
  }
  const declarations = [
    ...fleets.flatMap(({ file, value }) => value.map((node) => ({ file, node }))),
    ...declared.map((node) => ({ file: null, node })),
  ]
  for (const { file, node } of declarations) {
    const known = nodes.get(node.nodeId)
    nodes.set(node.nodeId, {
      nodeId: node.nodeId,
      facts: known?.facts ?? null,
      declared: known?.declared ? overrideDeclaration(known.declared, node) : node,
      file: known ? known.file : file,
    })
  }
  const sorted = [...nodes.values()].sort((a, b) => compareCodePoints(a.nodeId, b.nodeId))
  return { nodes: sorted, problems }
}

function newestFacts(
  factsFiles: readonly FromFile<NodeFacts>[],
  problems: Problem[],
): ReadonlyMap<string, FromFile<NodeFacts>> {
  const newest = new Map<string, FromFile<NodeFacts>>()
  for (const facts of factsFiles) {
    const { nodeId } = facts.value
    const known = newest.get(nodeId)
    if (known === undefined || countsBefore(facts, known)) newest.set(nodeId, facts)
  }
  for (const ignored of factsFiles) {
    const { nodeId } = ignored.value
    const used = newest.get(nodeId)
    if (used === undefined || used === ignored) continue
    const message =
      `these facts of node ${nodeId} (seq ${ignored.value.seq}) are not used: ` +
      `${used.file} describes the same node ${whyUsed(used, ignored)}`
    problems.push({ severity: 'warning', code: 'node-repeated', message, file: ignored.file, range: null })
  }
  return newest
}

/** Whether `a` counts and `b` does not. */
function countsBefore(a: FromFile<NodeFacts>, b: FromFile<NodeFacts>): boolean {
  if (a.value.seq !== b.value.seq) return a.value.seq > b.value.seq
  if (a.value.issuedAt !== b.value.issuedAt) return a.value.issuedAt > b.value.issuedAt
  return nameRank(a) > nameRank(b)
}

/** How programs that sync folders call a file that two machines changed. */
const SYNC_COPY = /sync-conflict|conflicted copy|\bconflict\b|\bcopy\b|\(\d+\)|[ ~_-]\d+$/i

/** A file that is named after its node comes before any other, and a copy after all. */
function nameRank({ file, value }: FromFile<NodeFacts>): number {
  const stem = (file.split(/[/\\]/).at(-1) ?? file).replace(/\.json$/i, '')
  // Names are written with what no system takes encoded.
  if (stem.replace(/%3A/gi, ':') === value.nodeId) return 2
  return SYNC_COPY.test(stem) ? 0 : 1
}

function whyUsed(used: FromFile<NodeFacts>, ignored: FromFile<NodeFacts>): string {
  if (used.value.seq !== ignored.value.seq) return `with seq ${used.value.seq}; remove the older file`
  if (used.value.issuedAt !== ignored.value.issuedAt) {
    return 'with the same seq and was issued later; remove this file'
  }
  return nameRank(used) === nameRank(ignored)
    ? 'with the same seq and time; remove one of the two'
    : 'with the same seq and time, and its name fits the node better; remove this file'
}

/** Two declarations of one node: `later` counts where it says something. */
function overrideDeclaration(earlier: DeclaredNode, later: DeclaredNode): DeclaredNode {
  const linkMbps = later.linkMbps ?? earlier.linkMbps
  const site =
    earlier.site && later.site ? overrideSite(earlier.site, later.site) : (later.site ?? earlier.site)
  return {
    nodeId: later.nodeId,
    // "Every model" leaves nothing of what was said of single ones before.
    models: later.models.has(EVERY_MODEL) ? later.models : new Map([...earlier.models, ...later.models]),
    freeBytes: later.freeBytes ?? earlier.freeBytes,
    eligible: later.eligible ?? earlier.eligible,
    ...(linkMbps === undefined ? {} : { linkMbps }),
    ...(site === undefined ? {} : { site }),
  }
}

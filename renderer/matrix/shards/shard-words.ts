import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import type { NodePart, ShardMatrix } from '../../../shared/plan/matrix.ts'
import type { NodeVerdict } from '../../../shared/plan/types.ts'
import { nodeSummary } from '../../../shared/report/words.ts'
import { failureDetail } from '../../../shared/eligibility/describe.ts'

/** What a cell's state is, in words that follow a node's and a shard's name. */
export function cellWords(matrix: ShardMatrix, node: number, shard: number): string {
  switch (matrix.cell(node, shard)) {
    case 'held':
      return 'held'
    case 'source':
      return 'held, would be fetched from here'
    case 'fetch':
      return 'would be fetched'
    case 'detached':
      return 'on storage that is away'
    case 'mismatch':
      return 'there with other bytes'
    case 'missing':
      return 'missing'
  }
}

/** `shard 10 of 12`. */
export function shardOrdinal(matrix: ShardMatrix, shard: number): string {
  return `shard ${shard + 1} of ${matrix.shards.length}`
}

/** What a screen reader says of a cell: node, which shard, its path and size, and its state. */
export function spokenCell(matrix: ShardMatrix, node: number, shard: number): string {
  const { path, size } = matrix.shards[shard] ?? { path: '', size: 0n }
  const nodeId = matrix.nodes[node]?.nodeId ?? ''
  return [nodeId, shardOrdinal(matrix, shard), path, formatBytes(size), cellWords(matrix, node, shard)].join(
    ', ',
  )
}

/** A node's standing in a few words: eligible, or the first constraint it fails and how many more. */
export interface NodeStanding {
  readonly tone: 'yes' | 'no'
  readonly text: string
  /** Failures beyond the one in `text`. */
  readonly more: number
  /** Everything, for a tooltip. */
  readonly full: string
}

export function nodeStanding(verdict: NodeVerdict): NodeStanding {
  const full = nodeSummary(verdict)
  const [first] = verdict.failures
  if (verdict.eligible) return { tone: 'yes', text: 'eligible', more: 0, full }
  if (first === undefined) return { tone: 'no', text: 'not eligible', more: 0, full }
  return { tone: 'no', text: failureDetail(first), more: verdict.failures.length - 1, full }
}

/** The node's part in the decision, as a word beside its standing. */
export const PART_WORDS: Readonly<Record<NonNullable<NodePart>, string>> = {
  runs: 'runs here',
  target: 'target',
  source: 'source',
}

/** What a node holds of the model, in two short lines, with the exact figures for a tooltip. */
export interface Holds {
  readonly main: string
  readonly second: string
  readonly exact: string
}

export function holdsOf(matrix: ShardMatrix, node: number): Holds {
  const verdict = matrix.nodes[node]
  const held = matrix.heldShards(node)
  const all = matrix.shards.length
  const missing = verdict?.missingBytes ?? 0n
  const main = `${held} of ${all}`
  const exact = `${main} shards held, ${formatExactBytes(missing)} missing`
  if (verdict?.complete) return { main, second: 'complete', exact }
  if (verdict?.presence?.detached) {
    const whole = 'the whole model is on storage that is away'
    return { main: held === 0 ? 'detached' : main, second: 'drive away', exact: `${exact}; ${whole}` }
  }
  const wrong = matrix.mismatchedShards(node)
  if (wrong > 0) {
    const files = wrong === 1 ? '1 file has' : `${wrong} files have`
    return {
      main,
      second: `${wrong} mismatched`,
      exact: `${exact}; ${files} other bytes than the manifest says`,
    }
  }
  // Every shard is there one by one, but the node does not vouch for the whole: the reference counts it as no
  // holder.
  if (held === all)
    return { main, second: 'not attested', exact: `${exact}; the node does not offer the whole model` }
  return { main, second: `${formatBytes(missing)} missing`, exact }
}

/** How many nodes hold a shard, and how many have it on storage that is away. */
export function countHolders(
  matrix: ShardMatrix,
  shard: number,
): { readonly held: number; readonly away: number } {
  let held = 0
  let away = 0
  for (let node = 0; node < matrix.nodes.length; node++) {
    const cell = matrix.cell(node, shard)
    if (cell === 'held' || cell === 'source') held++
    else if (cell === 'detached') away++
  }
  return { held, away }
}

import { formatBytes, saturatingAdd } from '../bytes.ts'
import type { ModelFetch } from './types.ts'

/** Everything that goes from one node to another. */
export interface Move {
  /** Null: no node has it, it comes from a repo. */
  readonly from: string | null
  readonly to: string
  readonly bytes: bigint
  readonly models: readonly string[]
}

/** The moves of a plan, one for each pair of nodes, in the order of their first fetch. */
export function movesOf(fetches: readonly ModelFetch[]): readonly Move[] {
  const moves = new Map<string, Move>()
  for (const { manifest, target, sources, bytes } of fetches) {
    const from = sources[0] ?? null
    const key = JSON.stringify([from, target])
    const known = moves.get(key) ?? { from, to: target, bytes: 0n, models: [] }
    moves.set(key, {
      ...known,
      bytes: saturatingAdd(known.bytes, bytes),
      models: [...known.models, manifest.body.name],
    })
  }
  return [...moves.values()]
}

/** The width of a move's arrow against the largest one's, from `least` to `most`: as its bytes are to the largest's. */
export function arrowWidth(move: Move, moves: readonly Move[], least: number, most: number): number {
  const largest = moves.reduce((max, { bytes }) => (bytes > max ? bytes : max), 1n)
  return Math.max(least, (most * Number(move.bytes)) / Number(largest))
}

/** Where a move comes from, for a person. */
export function moveSource({ from }: Move): string {
  return from ?? 'Hugging Face'
}

/** The moves as a Mermaid flow chart: nodes, and arrows as thick as their bytes. */
export function movesMermaid(moves: readonly Move[]): readonly string[] {
  const names = [...new Set(moves.flatMap((move) => [moveSource(move), move.to]))]
  const idOf = new Map(names.map((name, i) => [name, `n${i + 1}`]))
  return [
    'flowchart LR',
    ...names.map((name) => `  ${idOf.get(name) ?? ''}["${mermaidText(name)}"]`),
    ...moves.map((move) => {
      const label = mermaidText(`${formatBytes(move.bytes)}: ${move.models.join(', ')}`)
      return `  ${idOf.get(moveSource(move)) ?? ''} -->|"${label}"| ${idOf.get(move.to) ?? ''}`
    }),
    ...moves.map((move, i) => `  linkStyle ${i} stroke-width:${arrowWidth(move, moves, 1, 12).toFixed(1)}px`),
  ]
}

function mermaidText(text: string): string {
  return text.replace(/[^A-Za-z0-9 ._:,/+@()-]/g, (char) => `#${char.codePointAt(0) ?? 0};`)
}

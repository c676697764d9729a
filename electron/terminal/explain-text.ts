import {
  nodeFindings,
  roleFacts,
  type LabelledText,
  type NodeFindings,
} from '../../shared/report/explain-text.ts'
import { changeText } from '../../shared/advice/advice-words.ts'
import type { LabWay, WayAnswer } from '../../shared/advice/shortest-way.ts'
import { labWayHeadline } from '../../shared/advice/way-words.ts'
import { onItsOwnText, outcomeSentence } from '../../shared/report/outcome-words.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { roleNotes } from '../../shared/report/words.ts'
import type { Problem } from '../../shared/problem.ts'
import { joinSections, problemLines } from './report.ts'
import type { Style } from './style.ts'
import { displayWidth, hang, pad, printable } from './width.ts'

/** What there is to explain of one role. */
export interface Explanation {
  readonly role: RolePlan
  /** Numbers of the nodes to show, the most useful first. */
  readonly nodes: readonly number[]
  readonly adviceOf: (node: number) => readonly string[]
  /** What would let it run; null when it runs. */
  readonly way: {
    readonly headline: string
    readonly changes: readonly string[]
    readonly answer: WayAnswer
  } | null
}

/**
 * One role explained: verdict, what would change it, facts, notes to the letter, the nodes with what they fail and lack
 * and what would change that, problems.
 */
export function explainLines(
  { role, nodes: shown, adviceOf, way }: Explanation,
  problems: readonly Problem[],
  width: number,
  style: Style,
): string[] {
  const about = printable(role.imported.entry.role)
  const alone = onItsOwnText(role)
  const notes = roleNotes(role)
  const nodes = nodeFindings(role)
  const hidden = nodes.length - shown.length
  const more = hidden === 0 ? [] : [style.faint(`  ${hidden} more: --all shows them`)]
  const shownNodes = shown.flatMap((number) => {
    const node = nodes[number]
    return node === undefined ? [] : [{ number, node }]
  })
  const sections: string[][] = [
    [
      `${style.heading(role.role)}${about === '' || about === role.role ? '' : style.faint(` (${about})`)}`,
      ...hang('', outcomeSentence(role), width),
      ...(alone === null ? [] : hang('', alone, width)),
    ],
    way === null
      ? []
      : [
          style.heading('What would change this'),
          ...hang('  ', printable(way.headline), width),
          ...way.changes.flatMap((change) => hang('  → ', printable(change), width)),
        ],
    labelled(roleFacts(role), 2, width, style),
    // Never wrapped: the notes are the reference's, to the letter.
    notes.length === 0
      ? []
      : [
          style.heading('Notes'),
          ...(hidden === 0 ? notes : usefulNotes(notes, nodes, shownNodes)).map((note) => `  ${note}`),
          ...more,
        ],
    [
      style.heading('Nodes'),
      ...(nodes.length === 0
        ? ['  no node is known']
        : shownNodes.flatMap(({ node, number }) => [
            ...nodeLines(node, width, style),
            ...adviceOf(number).flatMap((advice) => hang('      → ', printable(advice), width)),
          ])),
      ...more,
    ],
    problems.length === 0 ? [] : [style.heading('Problems'), ...problemLines(problems, width, style)],
  ]
  return joinSections(sections)
}

/** The notes without those of the nodes that are not shown. */
function usefulNotes(
  notes: readonly string[],
  nodes: readonly NodeFindings[],
  shown: readonly { readonly node: NodeFindings }[],
): string[] {
  const ids = new Set(nodes.map(({ nodeId }) => nodeId))
  const kept = new Set(shown.map(({ node }) => node.nodeId))
  return notes.filter((note) => {
    const about = /^node ([^:]+):/.exec(note)?.[1]
    return about === undefined || !ids.has(about) || kept.has(about)
  })
}

/** What it would take to run every role. */
export function labWayLines(way: LabWay, width: number): string[] {
  return [
    ...hang('', printable(labWayHeadline(way)), width),
    ...way.changes.flatMap((change) => hang('  → ', printable(changeText(change)), width)),
  ]
}

function nodeLines(node: NodeFindings, width: number, style: Style): string[] {
  const paint = node.eligible ? style.yes : style.no
  const state = [node.holding, node.free].filter((text) => text !== null).join('; ')
  return [
    `  ${style.strong(node.nodeId)}  ${paint(node.standing)}`,
    ...hang('      ', state, width),
    ...(node.missing === null ? [] : hang('      lacks ', node.missing, width)),
    ...(node.because === null ? [] : hang('      ', node.because, width)),
    ...labelled(node.failures, 6, width, style, style.no),
  ]
}

function labelled(
  items: readonly LabelledText[],
  indent: number,
  width: number,
  style: Style,
  paintLabel = style.faint,
): string[] {
  const labelWidth = Math.max(0, ...items.map(({ label }) => displayWidth(label)))
  return items.flatMap(({ label, text }) =>
    hang(`${' '.repeat(indent)}${pad(label, labelWidth)}  `, printable(text), width, paintLabel),
  )
}

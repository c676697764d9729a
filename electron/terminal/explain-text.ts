import {
  nodeFindings,
  roleFacts,
  type LabelledText,
  type NodeFindings,
} from '../../shared/report/explain-text.ts'
import { onItsOwnText, outcomeSentence } from '../../shared/report/outcome-words.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { roleNotes } from '../../shared/report/words.ts'
import type { Problem } from '../../shared/problem.ts'
import { joinSections, problemLines } from './report.ts'
import type { Style } from './style.ts'
import { displayWidth, hang, pad, printable } from './width.ts'

/**
 * One role explained: verdict, facts, notes to the letter, every node with what it fails and lacks and what would
 * change that, problems.
 */
export function explainLines(
  role: RolePlan,
  adviceOf: (node: number) => readonly string[],
  problems: readonly Problem[],
  width: number,
  style: Style,
): string[] {
  const about = printable(role.imported.entry.role)
  const alone = onItsOwnText(role)
  const notes = roleNotes(role)
  const nodes = nodeFindings(role)
  const sections: string[][] = [
    [
      `${style.heading(role.role)}${about === '' || about === role.role ? '' : style.faint(` (${about})`)}`,
      ...hang('', outcomeSentence(role), width),
      ...(alone === null ? [] : hang('', alone, width)),
    ],
    labelled(roleFacts(role), 2, width, style),
    // Never wrapped: the notes are the reference's, to the letter.
    notes.length === 0 ? [] : [style.heading('Notes'), ...notes.map((note) => `  ${note}`)],
    [
      style.heading('Nodes'),
      ...(nodes.length === 0
        ? ['  no node is known']
        : nodes.flatMap((node, i) => [
            ...nodeLines(node, width, style),
            ...adviceOf(i).flatMap((advice) => hang('      → ', printable(advice), width)),
          ])),
    ],
    problems.length === 0 ? [] : [style.heading('Problems'), ...problemLines(problems, width, style)],
  ]
  return joinSections(sections)
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

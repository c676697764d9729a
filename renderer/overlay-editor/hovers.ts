import { excludedRole } from '../../shared/overlay/edit-step.ts'
import { OVERLAY_KEYS } from '../../shared/overlay/types.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { contextAt, nameAround } from './caret-context.ts'
import { describeRole, escapeMarkdown, KEY_DOCS, VALUE_DOCS } from './overlay-words.ts'

export interface Hover {
  /** 1-based UTF-16 columns of the line, `end` exclusive. */
  readonly start: number
  readonly end: number
  /** Paragraphs of Markdown. */
  readonly paragraphs: readonly string[]
}

/**
 * What the name at 1-based `line` and UTF-16 `column` means: a key, a role of the plan, or a value. Else
 * null.
 */
export function hoverAt(
  lines: readonly string[],
  line: number,
  column: number,
  plan: LabPlan | null,
): Hover | null {
  const text = lines[line - 1] ?? ''
  const { name, start, end } = nameAround(text, column)
  if (name === '') return null
  const context = contextAt(lines, line, end)
  const hover = (paragraphs: readonly string[]): Hover => ({ start, end, paragraphs })
  const roleNamed = (role: string): Hover | null => {
    const found = plan?.roles.find((candidate) => candidate.role === role)
    if (found) return hover(describeRole(found))
    const skipped = plan?.skipped.find(({ id }) => id === role)
    return skipped
      ? hover([`**${escapeMarkdown(role)}** was skipped: ${escapeMarkdown(skipped.reason)}`])
      : null
  }
  switch (context.at) {
    case 'key': {
      const key = OVERLAY_KEYS.find((candidate) => candidate === name)
      return key === undefined ? null : hover([`**${escapeMarkdown(key)}**`, KEY_DOCS[key]])
    }
    case 'role':
      return roleNamed(name)
    case 'exclude':
    case 'exclude_list':
      return roleNamed(name) ?? roleNamed(excludedRole(name))
    case 'value': {
      const docs = VALUE_DOCS[name]
      return docs === undefined ? null : hover([`**${name}**: ${docs}`])
    }
    case 'nothing':
      return null
  }
}

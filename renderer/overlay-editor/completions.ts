import { LATENCY_CLASSES } from '../../shared/inference-spec.ts'
import { writeScalar } from '../../shared/overlay/edit-scalars.ts'
import { excludedRole } from '../../shared/overlay/edit-step.ts'
import { OVERLAY_KEYS, type OverlayDocument, type OverlayKey } from '../../shared/overlay/types.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { contextAt, nameAround, type CaretContext } from './caret-context.ts'
import { describeRole, KEY_DOCS, roleDetail, VALUE_DOCS } from './overlay-words.ts'

export interface Completion {
  readonly kind: 'key' | 'role' | 'value'
  readonly label: string
  readonly detail: string
  /** Markdown. */
  readonly documentation: string
  /** A snippet when `isSnippet`: `$0` is where the caret goes. */
  readonly insertText: string
  readonly isSnippet: boolean
  /** More is to be chosen right behind it. */
  readonly goesOn: boolean
}

export interface Completions {
  /** What is replaced: 1-based UTF-16 columns of the line, `end` exclusive. */
  readonly start: number
  readonly end: number
  readonly items: readonly Completion[]
}

/**
 * What can be written at a place of the overlay's text (1-based line and UTF-16 column). `document` is the
 * last text that could be read: names it lists already are not offered again.
 */
export function completionsAt(
  lines: readonly string[],
  line: number,
  column: number,
  plan: LabPlan | null,
  document: OverlayDocument | null,
): Completions {
  const text = lines[line - 1] ?? ''
  const { name, start, end } = nameAround(text, column)
  const context = contextAt(lines, line, column)
  const mentions = document?.mentions ?? []
  return { start, end, items: itemsOf(context) }

  function itemsOf(at: CaretContext): Completion[] {
    switch (at.at) {
      case 'nothing':
        return []
      case 'key':
        return unusedKeys(lines, line).map(keyItem)
      case 'role': {
        const named = new Set(mentions.filter(({ key }) => key === at.key).map(({ role }) => role))
        const hasColon = /^\s*:/.test(text.slice(end - 1))
        return roles(
          (role) => role === name || !named.has(role),
          (role) => roleEntry(at.key, role, hasColon),
        )
      }
      case 'value':
        return at.key === 'latency_class' ? LATENCY_CLASSES.map(valueItem) : ['true', 'false'].map(valueItem)
      case 'exclude_list':
        return roles(
          (role) => role !== at.role,
          (role) => ({ insertText: `[${plain(role)}$0]`, isSnippet: true }),
        )
      case 'exclude': {
        const listed = new Set(
          mentions.flatMap(({ role, exclude }) =>
            role === at.role && exclude !== null ? [excludedRole(exclude)] : [],
          ),
        )
        listed.delete(excludedRole(name))
        const free = (role: string): boolean => role !== at.role && !listed.has(role)
        const inQuotes = /["']$/.test(text.slice(0, start - 1))
        const write = (role: string): string => (inQuotes ? role : plain(role))
        return [
          ...roles(free, (role) => ({ insertText: write(role), isSnippet: false })),
          ...roles(free, (role) => ({ insertText: write(`role:${role}`), isSnippet: false }), 'role:'),
        ]
      }
    }
  }

  function roles(
    wanted: (role: string) => boolean,
    write: (role: string) => Pick<Completion, 'insertText' | 'isSnippet'> & { readonly goesOn?: boolean },
    prefix = '',
  ): Completion[] {
    return (plan?.roles ?? [])
      .filter(({ role }) => wanted(role))
      .map((role) => ({
        kind: 'role',
        label: `${prefix}${role.role}`,
        detail: roleDetail(role),
        documentation: describeRole(role).join('\n\n'),
        goesOn: false,
        ...write(role.role),
      }))
  }
}

function unusedKeys(lines: readonly string[], line: number): OverlayKey[] {
  const used = new Set(
    lines.flatMap((text, i) => (i === line - 1 ? [] : (/^["']?(\w+)["']?\s*:/.exec(text)?.[1] ?? []))),
  )
  return OVERLAY_KEYS.filter((key) => !used.has(key))
}

function keyItem(key: OverlayKey): Completion {
  return {
    kind: 'key',
    label: key,
    detail: 'overlay',
    documentation: KEY_DOCS[key],
    insertText: `${key}:\n  $0`,
    isSnippet: true,
    goesOn: true,
  }
}

function roleEntry(
  key: OverlayKey,
  role: string,
  hasColon: boolean,
): Pick<Completion, 'insertText' | 'isSnippet' | 'goesOn'> {
  if (hasColon) return { insertText: plain(role), isSnippet: false, goesOn: false }
  const value = key === 'excludes' ? '[$0]' : '$0'
  return { insertText: `${plain(role)}: ${value}`, isSnippet: true, goesOn: true }
}

function valueItem(value: string): Completion {
  return {
    kind: 'value',
    label: value,
    detail: '',
    documentation: VALUE_DOCS[value] ?? '',
    insertText: value,
    isSnippet: false,
    goesOn: false,
  }
}

/** A name as YAML: as it stands where that reads back as this very text. */
function plain(name: string): string {
  return writeScalar(name, 'plain')
}

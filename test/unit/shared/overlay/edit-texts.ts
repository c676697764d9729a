import fc from 'fast-check'
import type { OverlayEdit } from '../../../../shared/overlay/edit-overlay.ts'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'

/** Roles that need no quotes, roles that do, and roles that YAML would take for something else. */
const ROLES = ['planner', 'hermes', 'role:x', 'null', '1', 'a: b', '#x', `it's "it"`, 'grün']
const EXCLUDES = ['planner', 'role:hermes', 'voice', 'role:voice', 'on', '1', 'a, b', '[c]', 'x: y', '- z']

type SectionStyle = 'block' | 'flow' | 'flow-lines'
type ListStyle = 'block' | 'block-flush' | 'flow' | 'flow-lines'

interface EntryShape {
  readonly role: string
  readonly quote: 'single' | 'double'
  readonly list: ListStyle
  readonly excludes: readonly { readonly name: string; readonly notes: Notes }[]
  readonly value: boolean
  readonly notes: Notes
}

/** Comments and blank lines around an entry. */
interface Notes {
  readonly above: boolean
  readonly beside: boolean
  readonly blank: boolean
}

interface SectionShape {
  readonly key: 'excludes' | 'latency_class' | 'sticky'
  readonly style: SectionStyle
  readonly entries: readonly EntryShape[]
  readonly trailingComma: boolean
  readonly notes: Notes
  /** A comment within the section behind its last entry. */
  readonly below: boolean
}

interface TextShape {
  readonly sections: readonly SectionShape[]
  readonly indent: string
  readonly rootIndent: string
  readonly lineBreak: string
  readonly byteOrderMark: boolean
  readonly finalBreak: boolean
  readonly startMarker: boolean
  readonly endMarker: boolean
  readonly end: Notes
}

const notes = fc.record({ above: oneIn(4), beside: oneIn(3), blank: oneIn(5) })

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: n }).map((roll) => roll === n)
}

const entryShape: fc.Arbitrary<EntryShape> = fc.record({
  role: fc.constantFrom(...ROLES),
  quote: fc.constantFrom('single', 'double'),
  list: fc.constantFrom('block', 'block-flush', 'flow', 'flow-lines'),
  excludes: fc.uniqueArray(fc.record({ name: fc.constantFrom(...EXCLUDES), notes }), {
    minLength: 1,
    maxLength: 3,
    selector: ({ name }) => name.replace(/^role:/, ''),
  }),
  value: fc.boolean(),
  notes,
})

function sectionShape(key: SectionShape['key']): fc.Arbitrary<SectionShape> {
  return fc.record({
    key: fc.constant(key),
    style: fc.constantFrom('block', 'block', 'flow', 'flow-lines'),
    entries: fc.uniqueArray(entryShape, { maxLength: 4, selector: ({ role }) => role }),
    trailingComma: fc.boolean(),
    notes,
    below: oneIn(4),
  })
}

const textShape: fc.Arbitrary<TextShape> = fc.record({
  sections: fc
    .tuple(sectionShape('excludes'), sectionShape('latency_class'), sectionShape('sticky'))
    .chain((sections) => fc.shuffledSubarray(sections)),
  indent: fc.constantFrom('  ', '    ', ' '),
  rootIndent: fc.constantFrom('', '', '', '  '),
  lineBreak: fc.constantFrom('\n', '\n', '\r\n'),
  byteOrderMark: oneIn(4),
  finalBreak: fc.boolean(),
  startMarker: oneIn(4),
  endMarker: oneIn(5),
  end: notes,
})

/** Valid overlay texts in every style the editor is to keep; each comment is `# cN` with an N of its own. */
const overlayText: fc.Arbitrary<string> = textShape.map(writeText)

export const overlayEdit: fc.Arbitrary<OverlayEdit> = fc.oneof(
  fc.record({
    kind: fc.constant('set_latency_class' as const),
    role: fc.constantFrom(...ROLES),
    latencyClass: fc.constantFrom('interactive' as const, 'batch' as const),
  }),
  fc.record({ kind: fc.constant('unset_latency_class' as const), role: fc.constantFrom(...ROLES) }),
  fc.record({
    kind: fc.constant('set_sticky' as const),
    role: fc.constantFrom(...ROLES),
    sticky: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('unset_sticky' as const), role: fc.constantFrom(...ROLES) }),
  fc.record({
    kind: fc.constant('add_exclude' as const),
    role: fc.constantFrom(...ROLES),
    exclude: fc.constantFrom(...EXCLUDES),
  }),
  fc.record({
    kind: fc.constant('remove_exclude' as const),
    role: fc.constantFrom(...ROLES),
    exclude: fc.constantFrom(...EXCLUDES),
  }),
)

/** A text and an edit of it: half of the time a removal or a change of what is there. */
export const editCase: fc.Arbitrary<[string, OverlayEdit]> = overlayText.chain((text) => {
  const there = editsOfWhatIsThere(text)
  const edit = there.length === 0 ? overlayEdit : fc.oneof(fc.constantFrom(...there), overlayEdit)
  return edit.map((chosen): [string, OverlayEdit] => [text, chosen])
})

function editsOfWhatIsThere(text: string): OverlayEdit[] {
  const read = parseOverlay(text)
  if (!read.ok) return []
  return read.value.mentions.flatMap(({ key, role, exclude }): OverlayEdit[] => {
    if (key === 'sticky') {
      return [
        { kind: 'unset_sticky', role },
        { kind: 'set_sticky', role, sticky: true },
      ]
    }
    if (key === 'latency_class') {
      return [
        { kind: 'unset_latency_class', role },
        { kind: 'set_latency_class', role, latencyClass: 'batch' },
      ]
    }
    return exclude === null
      ? [{ kind: 'add_exclude', role, exclude: 'new' }]
      : [{ kind: 'remove_exclude', role, exclude }]
  })
}

/** Overlays written as JSON, which is YAML too, with at least one role in each section. */
export const jsonOverlay: fc.Arbitrary<string> = fc
  .tuple(
    fc.record(
      {
        excludes: roles(fc.uniqueArray(fc.constantFrom('a', 'role:b', 'null'), { minLength: 1 })),
        latency_class: roles(fc.constantFrom('interactive', 'batch')),
        sticky: roles(fc.boolean()),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(undefined, 2, 4),
  )
  .map(([overlay, space]) => JSON.stringify(overlay, null, space))

function roles<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ROLES), value), {
      minLength: 1,
      maxLength: 3,
      selector: ([role]) => role,
    })
    .map((entries) => Object.fromEntries(entries))
}

function writeText(shape: TextShape): string {
  const lines: string[] = []
  let comments = 0
  const comment = (): string => `# c${++comments}`
  const beside = (has: boolean): string => (has ? `   ${comment()}` : '')
  const lead = (indent: string, { above, blank }: Notes): void => {
    if (blank) lines.push('')
    if (above) lines.push(indent + comment())
  }
  const word = (text: string, quote: EntryShape['quote']): string => {
    if (/^[a-z][a-z:-]*$/.test(text) && !['null', 'true', 'on'].includes(text) && quote === 'single')
      return text
    return quote === 'single' ? `'${text.replaceAll("'", "''")}'` : JSON.stringify(text)
  }
  const flowList = (entry: EntryShape): string =>
    `[${entry.excludes.map(({ name }) => word(name, entry.quote)).join(', ')}]`
  const scalar = (key: SectionShape['key'], entry: EntryShape): string => {
    if (key === 'sticky') return String(entry.value)
    const latency = entry.value ? 'interactive' : 'batch'
    return entry.quote === 'double' ? `"${latency}"` : latency
  }
  const inline = (key: SectionShape['key'], entry: EntryShape): string =>
    `${word(entry.role, entry.quote)}: ${key === 'excludes' ? flowList(entry) : scalar(key, entry)}`
  const listLines = (entry: EntryShape, outer: string, comma: string): void => {
    const inner = outer + shape.indent
    lines.push(`${outer}${word(entry.role, entry.quote)}: [${beside(entry.notes.beside)}`)
    entry.excludes.forEach(({ name, notes: own }, index) => {
      lead(inner, own)
      const isLast = index === entry.excludes.length - 1
      lines.push(`${inner}${word(name, entry.quote)}${isLast ? '' : ','}${beside(own.beside)}`)
    })
    lines.push(`${inner}]${comma}${beside(entry.notes.above)}`)
  }
  const blockEntry = (key: SectionShape['key'], entry: EntryShape, outer: string): void => {
    lead(outer, entry.notes)
    if (key === 'excludes' && entry.list === 'flow-lines') listLines(entry, outer, '')
    else if (key === 'excludes' && entry.list !== 'flow') {
      const inner = entry.list === 'block' ? outer + shape.indent : outer
      lines.push(`${outer}${word(entry.role, entry.quote)}:${beside(entry.notes.beside)}`)
      for (const { name, notes: own } of entry.excludes) {
        lead(inner, own)
        lines.push(`${inner}- ${word(name, entry.quote)}${beside(own.beside)}`)
      }
    } else lines.push(outer + inline(key, entry) + beside(entry.notes.beside))
  }
  // The YAML library counts a byte order mark as indentation of its line, so that an indented mapping cannot
  // follow it.
  // A byte order mark indents the first line by one column.
  const outer = shape.byteOrderMark ? ' ' : shape.rootIndent
  const inner = outer + shape.indent

  if (shape.startMarker) lines.push(`---${beside(shape.end.beside)}`)
  for (const { key, style, entries, trailingComma, notes: own, below } of shape.sections) {
    lead(outer, own)
    if (entries.length === 0 || style === 'flow') {
      const body = entries.map((entry) => inline(key, entry)).join(', ')
      const comma = trailingComma && entries.length > 0 ? ',' : ''
      lines.push(`${outer}${key}: {${body}${comma}}${beside(own.beside)}`)
    } else if (style === 'flow-lines') {
      lines.push(`${outer}${key}: {${beside(own.beside)}`)
      entries.forEach((entry, index) => {
        lead(inner, entry.notes)
        const comma = index < entries.length - 1 || trailingComma ? ',' : ''
        if (key === 'excludes' && entry.list === 'flow-lines') listLines(entry, inner, comma)
        else lines.push(inner + inline(key, entry) + comma + beside(entry.notes.beside))
      })
      if (below) lines.push(inner + comment())
      lines.push(`${inner}}`)
    } else {
      lines.push(`${outer}${key}:${beside(own.beside)}`)
      for (const entry of entries) blockEntry(key, entry, inner)
      if (below) lines.push(inner + comment())
    }
  }
  lead('', shape.end)
  // `...` must have a document to end.
  if (shape.endMarker && (shape.startMarker || shape.sections.length > 0)) {
    lines.push('...')
    if (shape.end.beside) lines.push(comment())
  }
  const body = lines.join(shape.lineBreak) + (shape.finalBreak && lines.length > 0 ? shape.lineBreak : '')
  return shape.byteOrderMark && !shape.startMarker ? `\uFEFF${body.replace(/^ /, '')}` : body
}

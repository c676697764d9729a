import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { runSync, type Task } from '../task.ts'
import { TextLines, type Span } from '../text-lines.ts'
import { exceedsUtf8 } from '../utf8.ts'
import { parseYamlTask } from '../yaml/yaml-source.ts'
import { describe, YamlReader } from '../yaml/reader.ts'
import type { YamlNode } from '../yaml/nodes.ts'
import { readEntry } from './read-entry.ts'
import { oddSpaceWarnings, rosterWarnings } from './roster-warnings.ts'
import type { RosterDocument, RosterEntry } from './types.ts'

/** Largest roster read, in bytes of UTF-8 (docs/reference.md R1). */
const MAX_ROSTER_BYTES = 1024 * 1024
/** Most entries a roster can list (docs/reference.md R1). */
const MAX_ROSTER_ENTRIES = 256

/**
 * Reads a roster text (docs/reference.md R2). Every problem of the text is reported with its place, in the
 * order in which the reference would meet them; with any error there is no document. `file` is the name for
 * messages.
 */
export function readRoster(text: string, file: string): Read<RosterDocument> {
  return runSync(readRosterTask(text, file))
}

/** {@link readRoster} that stops after every part of the text. */
export function* readRosterTask(text: string, file: string): Task<Read<RosterDocument>> {
  const lines = new TextLines(text)
  const problem = (code: string, message: string, span: Span | null, role?: string): Problem => ({
    severity: 'error',
    code,
    message,
    file,
    range: span && lines.range(span),
    ...(role === undefined ? {} : { role }),
  })
  if (exceedsUtf8(text, MAX_ROSTER_BYTES)) {
    const message = `the roster is larger than ${MAX_ROSTER_BYTES} bytes (1 MiB): remove what is not needed`
    return readFailed([problem('roster-too-large', message, null)])
  }
  const source = yield* parseYamlTask(text, 'column')
  yield
  const reader = new YamlReader(source)
  const entries = source.root ? readFile(reader, source.root) : []
  const problems = reader
    .faults('roster-bad-yaml')
    .map(({ code, message, span, role }) => problem(code, message, span, role))
  if (problems.length > 0) return readFailed([...problems, ...oddSpaceWarnings(text, problems, file, lines)])
  const root = source.root?.kind === 'mapping' ? source.root : null
  const warnings = rosterWarnings(root, entries, file, lines)
  const odd = oddSpaceWarnings(text, warnings, file, lines)
  return readOk({ file, lines, entries, warnings: [...warnings, ...odd] })
}

/** The entries below the file's `roster` key; every other key is ignored. */
function readFile(reader: YamlReader, root: YamlNode): RosterEntry[] {
  const keys = reader.entries(root)
  if (!keys) {
    const message = `the roster must be a mapping with a list under \`roster\`, not ${describe(reader, root)}`
    reader.report(root, 'roster-not-a-mapping', message)
    return []
  }
  let entries: RosterEntry[] | null = null
  for (const { key, value } of keys) {
    const target = reader.follow(key)
    const name = target && reader.scalar(target)
    if (!name) {
      if (target)
        reader.report(
          target,
          'roster-bad-key',
          `a key of the roster must be a text, not ${describe(reader, target)}`,
        )
    } else if (name.text === 'roster') {
      if (entries === null) entries = readList(reader, value)
      else {
        const message = '`roster` is given more than once: put all entries into one list'
        reader.report(root, 'roster-repeated-key', message, { foundAt: key.event })
      }
    }
  }
  return entries ?? []
}

function readList(reader: YamlReader, slot: YamlNode): RosterEntry[] {
  const target = reader.follow(slot)
  if (!target) return []
  const items = reader.items(target)
  if (!items) {
    reader.report(
      target,
      'roster-not-a-list',
      `\`roster\` must be a list of entries, not ${describe(reader, target)}`,
    )
    return []
  }
  const entries = items.flatMap((item, index) => {
    return reader.readPart(item, () => readEntry(reader, item, index + 1) ?? [])
  })
  const first = items[MAX_ROSTER_ENTRIES]
  if (first) {
    const message = `the roster lists ${items.length} entries but can list ${MAX_ROSTER_ENTRIES}: remove some`
    // The reference counts entries when it has read all of them.
    reader.report(first, 'roster-too-many-entries', message, { foundAt: Infinity })
  }
  return entries
}

import { isMadeByPlanner } from './made-by.ts'
import { readSpecFile } from './read-spec-file.ts'
import { EXPORT_FORMATS, type ExportFormat } from './export-report.ts'

/** A file's name and content, not written yet. */
export interface NamedText {
  readonly fileName: string
  readonly text: string
}

interface ComparedFile<F extends NamedText> {
  readonly file: F
  /** What writing it would do: create it, replace other content, or nothing. */
  readonly state: 'new' | 'changed' | 'same'
  /** What the folder holds now; null when there is nothing, or nothing that is text. */
  readonly existingText: string | null
}

/** A file in the folder that this export does not write: left over from an earlier one. */
interface StaleFile extends NamedText {
  /** Null for a file of a run book. */
  readonly role: string | null
}

/** Which files of an earlier export are looked for. */
export type LeftoverKind = 'specs' | 'runbook'

export interface ExportComparison<F extends NamedText> {
  /** In the order of the files given. */
  readonly files: readonly ComparedFile<F>[]
  /** In the order of the folder's files. */
  readonly stale: readonly StaleFile[]
}

/**
 * Compares an export with the folder it would go to. A stale file is one that reads as a valid spec and that
 * nothing exported now writes, be it for a role that is gone or in the other format, and for a run book one that says
 * it was made by the planner; anything else in the folder is not the planner's and is left out.
 *
 * @param existing the folder's files by name; null stands for content that is not text.
 */
export function compareExport<F extends NamedText>(
  files: readonly F[],
  existing: ReadonlyMap<string, string | null>,
  leftovers: LeftoverKind = 'specs',
): ExportComparison<F> {
  const written = new Set(files.map((file) => file.fileName))
  const stale: StaleFile[] = []
  for (const [fileName, text] of existing) {
    if (written.has(fileName) || text === null) continue
    if (leftovers === 'runbook') {
      if (isMadeByPlanner(text)) stale.push({ role: null, fileName, text })
      continue
    }
    const role = specRole(fileName, text)
    if (role !== null) stale.push({ role, fileName, text })
  }
  return { files: files.map((file) => compareFile(file, existing.get(file.fileName))), stale }
}

function compareFile<F extends NamedText>(file: F, existing: string | null | undefined): ComparedFile<F> {
  if (existing === undefined) return { file, state: 'new', existingText: null }
  return { file, state: existing === file.text ? 'same' : 'changed', existingText: existing }
}

function specRole(fileName: string, text: string): string | null {
  const format = specFileFormat(fileName)
  if (format === null) return null
  const read = readSpecFile(text, format)
  return read.ok ? read.value.role : null
}

const RUN_BOOK_FILE = /\.(?:fetch\.sh|llama-swap\.yaml|models\.ini|service|plist|kubernetes\.yaml)$/

/** Whether a file may by its name be a left-over of that kind. */
export function mayBeLeftover(fileName: string, kind: LeftoverKind): boolean {
  switch (kind) {
    case 'specs':
      return specFileFormat(fileName) !== null
    case 'runbook':
      return RUN_BOOK_FILE.test(fileName)
  }
}

/** The format that a file's name promises, or null when it is not named as a spec file is. */
function specFileFormat(fileName: string): ExportFormat | null {
  return EXPORT_FORMATS.find((format) => fileName.endsWith(`.${format}`)) ?? null
}

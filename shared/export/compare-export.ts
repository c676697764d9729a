import { readSpecFile } from './read-spec-file.ts'
import type { ExportFormat } from './spec-text.ts'

/** A file's name and content, not written yet. */
export interface NamedText {
  readonly fileName: string
  readonly text: string
}

export interface ComparedFile<F extends NamedText> {
  readonly file: F
  /** What writing it would do: create it, replace other content, or nothing. */
  readonly state: 'new' | 'changed' | 'same'
  /** What the folder holds now; null when there is nothing, or nothing that is text. */
  readonly existingText: string | null
}

/** A spec file in the folder that this export does not write: left over from an earlier one. */
export interface StaleFile extends NamedText {
  readonly role: string
}

export interface ExportComparison<F extends NamedText> {
  /** In the order of the files given. */
  readonly files: readonly ComparedFile<F>[]
  /** In the order of the folder's files. */
  readonly stale: readonly StaleFile[]
}

/**
 * Compares an export with the folder it would go to. A stale file is one that reads as a valid spec and that
 * nothing exported now writes, be it for a role that is gone or in the other format; anything else in the
 * folder is somebody else's and is not told.
 *
 * @param existing the folder's files by name; null stands for content that is not text.
 */
export function compareExport<F extends NamedText>(
  files: readonly F[],
  existing: ReadonlyMap<string, string | null>,
): ExportComparison<F> {
  const written = new Set(files.map((file) => file.fileName))
  const stale: StaleFile[] = []
  for (const [fileName, text] of existing) {
    if (written.has(fileName) || text === null) continue
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

/** The format that a file's name promises, or null when it is not named as a spec file is. */
export function specFileFormat(fileName: string): ExportFormat | null {
  if (fileName.endsWith('.json')) return 'json'
  return fileName.endsWith('.yaml') ? 'yaml' : null
}

import type { InferenceSpec } from '../inference-spec.ts'
import type { NamedText } from './compare-export.ts'
import { exportStems } from './file-names.ts'
import type { ExportFormat } from './export-report.ts'
import { specText } from './spec-text.ts'

/** One file of an export. Its name has no folders and is safe on Windows and macOS. */
export interface ExportFile extends NamedText {
  readonly role: string
}

export interface ExportOptions {
  readonly format: ExportFormat
  /** The roles to export; absent or null means all. Names do not depend on it. */
  readonly roles?: ReadonlySet<string> | null
}

/**
 * The spec files of a roster, in roster order.
 *
 * @param specs all importable entries of the roster (`ImportedSpec`s), also those that `options.roles`
 *   leaves out: two roles that differ in case only must get the same names in every export.
 */
export function exportFiles(
  specs: readonly { readonly spec: InferenceSpec }[],
  options: ExportOptions,
): readonly ExportFile[] {
  const stems = exportStems(specs.map(({ spec }) => spec.role))
  return specs.flatMap(({ spec }, i) => {
    if (options.roles && !options.roles.has(spec.role)) return []
    const fileName = `${stems[i] ?? spec.role}.${options.format}`
    return [{ role: spec.role, fileName, text: specText(spec, options.format) }]
  })
}

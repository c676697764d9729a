import { stringify } from 'yaml'
import { specToJson, type InferenceSpec } from '../inference-spec.ts'
import type { ExportFormat } from './export-report.ts'

/**
 * `spec` as the text of its file: the same data in either format, keys in the order of docs/reference.md S2, one
 * final newline.
 */
export function specText(spec: InferenceSpec, format: ExportFormat): string {
  const json = specToJson(spec)
  switch (format) {
    case 'json':
      return `${JSON.stringify(json, null, 2)}\n`
    case 'yaml':
      // Every text is quoted: a role called `on` or `1_000` is something else to readers of older YAML.
      return stringify(json, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 })
  }
}

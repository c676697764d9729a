import type { YAMLError } from 'yaml'
import type { SyntaxFault } from '../yaml-source.ts'

/**
 * A fault for what the `yaml` library found, or null where the reference finds nothing wrong: libyaml wants no space
 * before a comment, and resolves no tags.
 */
export function syntaxFault(error: YAMLError): SyntaxFault | null {
  if (error.message.startsWith('Comments must be separated')) return null
  if (error.code === 'TAG_RESOLVE_FAILED' && !error.message.startsWith('Could not resolve tag')) return null
  if (error.name === 'YAMLWarning' && error.code !== 'BAD_DIRECTIVE') return null
  return { message: error.message, span: { start: error.pos[0], end: error.pos[1] } }
}

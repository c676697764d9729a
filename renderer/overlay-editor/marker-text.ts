import { printableText } from '../../shared/printable.ts'
import type { Problem } from '../../shared/problem.ts'

/** What the editor says of a problem: it shows it by elements of its own, past where those of the page are made. */
export function markerText({ message, code }: Problem): { readonly message: string; readonly code: string } {
  return { message: printableText(message), code }
}

import { printable, printableText } from '../../shared/printable.ts'

/**
 * A complaint about the command line, fit for a terminal. It quotes what was typed; a name that was pasted may hold
 * what a terminal acts on, or a line that looks like one of ours.
 */
export function printableComplaint(complaint: string, argv: readonly string[]): string {
  const onOneLine = argv
    .filter((typed) => typed.includes('\n'))
    .reduce((text, typed) => text.replaceAll(typed, () => printable(typed)), complaint)
  return printableText(onOneLine)
}

import { plural } from '../../shared/listed.ts'
import type { Problem, Severity } from '../../shared/problem.ts'
import { diagnosticLines, paintSeverity, problemPlace, type SourceOf } from './diagnostics.ts'
import { outputWidth, type CliIo } from './io.ts'
import { styleFor, type Style } from './style.ts'
import { hang, pad, printable } from './width.ts'

/** Writes whole lines to standard output. */
export function writeLines(lines: readonly string[], io: CliIo): void {
  if (lines.length > 0) io.stdout(`${lines.join('\n')}\n`)
}

/** Writes `problems` to standard error, each with the line it is in. */
export function reportProblems(problems: readonly Problem[], sourceOf: SourceOf, io: CliIo): void {
  const style = styleFor('stderr', io)
  const lines = problems.flatMap((problem) => diagnosticLines(problem, sourceOf, outputWidth(io), style))
  if (lines.length > 0) io.stderr(`${lines.join('\n')}\n`)
}

/** A complaint that belongs to no file. */
export function complain(message: string, io: CliIo): void {
  const problem: Problem = { severity: 'error', code: 'cli', message, file: null, range: null }
  reportProblems([problem], () => undefined, io)
}

export function ofSeverity(problems: readonly Problem[], ...severities: readonly Severity[]): Problem[] {
  return problems.filter(({ severity }) => severities.includes(severity))
}

const SEVERITY_COLUMN = '  warning  '.length

/** Problems for standard output: severity, the wrapped message, and below it the place. */
export function problemLines(problems: readonly Problem[], width: number, style: Style): string[] {
  return problems.flatMap((problem) => {
    const { severity } = problem
    const lead = pad(`  ${severity}`, SEVERITY_COLUMN)
    const place =
      problem.file === null ? [] : [' '.repeat(SEVERITY_COLUMN) + style.faint(problemPlace(problem))]
    const paintLead = (text: string): string => text.replace(severity, () => paintSeverity(severity, style))
    return [...hang(lead, printable(problem.message), width, paintLead), ...place]
  })
}

/** `3 errors, 1 warning`; empty when there is nothing to count. */
export function countsText(problems: readonly Problem[]): string {
  const words: readonly [Severity, string][] = [
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'note'],
  ]
  return words
    .map(([severity, word]) => [ofSeverity(problems, severity).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => plural(count, word))
    .join(', ')
}

/** The lines of all sections, a blank line between two; sections without lines are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string[] {
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]))
}

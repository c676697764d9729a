import { plural } from '../../shared/listed.ts'
import type { Problem, Severity } from '../../shared/problem.ts'
import { groupProblems, type ProblemGroup } from '../../shared/report/problem-groups.ts'
import { diagnosticLines, paintSeverity, problemPlace, type SourceOf } from './diagnostics.ts'
import { outputWidth, type CliIo } from './io.ts'
import { styleFor, type Style } from './style.ts'
import { hang, pad, printable } from './width.ts'

/** Writes whole lines to standard output. */
export function writeLines(lines: readonly string[], io: CliIo): void {
  if (lines.length > 0) io.stdout(`${lines.join('\n')}\n`)
}

/** Each error has to be looked at; of the rest, one of a kind stands for all. */
function isFolded({ headline, severity }: ProblemGroup): boolean {
  return headline !== null && severity !== 'error'
}

/** Writes `problems` to standard error, each with the line it is in; without `all`, of many of one kind only the first. */
export function reportProblems(
  problems: readonly Problem[],
  sourceOf: SourceOf,
  io: CliIo,
  all = true,
): void {
  const style = styleFor('stderr', io)
  const kinds = all ? [] : groupProblems(problems).filter(isFolded)
  const folded = new Set(kinds.flatMap(({ problems: own }) => own.slice(1)))
  const more = new Map(kinds.map((kind) => [kind.problems[0], kind]))
  const lines = problems.flatMap((problem) => {
    if (folded.has(problem)) return []
    const kind = more.get(problem)
    return [
      ...diagnosticLines(problem, sourceOf, outputWidth(io), style),
      ...(kind === undefined ? [] : hang('  ', `${kind.headline ?? ''} (--all shows each)`, outputWidth(io))),
    ]
  })
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
export function problemLines(
  problems: readonly Problem[],
  width: number,
  style: Style,
  all = true,
): string[] {
  const kinds = all ? [] : groupProblems(problems).filter(isFolded)
  const folded = new Set(kinds.flatMap(({ problems: own }) => own.slice(1)))
  const headlines = new Map(kinds.map(({ problems: own, headline }) => [own[0], headline]))
  return problems.flatMap((problem) => {
    if (folded.has(problem)) return []
    const { severity } = problem
    const headline = headlines.get(problem) ?? null
    const lead = pad(`  ${severity}`, SEVERITY_COLUMN)
    const place =
      problem.file === null || headline !== null
        ? []
        : [' '.repeat(SEVERITY_COLUMN) + style.faint(problemPlace(problem))]
    const paintLead = (text: string): string => text.replace(severity, () => paintSeverity(severity, style))
    return [
      ...hang(
        lead,
        printable(headline === null ? problem.message : `${headline} (--all shows each)`),
        width,
        paintLead,
      ),
      ...place,
    ]
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

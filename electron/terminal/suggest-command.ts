import { formatBytes } from '../../shared/bytes.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { hasErrors } from '../../shared/problem.ts'
import { suggestionToJson, type SuggestionReport } from '../../shared/report/suggestion-json.ts'
import { proveSuggestion } from '../../shared/suggest/proved-suggestion.ts'
import { loadSolver } from '../host/suggest/load-solver.ts'
import { installedFiles } from '../installed-files.ts'
import type { CommonOptions } from './arguments.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { openLab } from './open-lab.ts'
import { joinSections, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor, type Style } from './style.ts'
import { renderTable } from './table.ts'
import { hang, printable } from './width.ts'

/** `suggest`: nodes for all roles together, found by a solver. It changes nothing. */
export async function suggestCommand(
  { lab, scenario, json, seconds }: CommonOptions & { readonly seconds: number },
  io: CliIo,
): Promise<ExitCode> {
  const opened = await openLab(lab, io)
  const problems = [...opened.overlayProblems, ...opened.lab.problems]
  reportProblems(ofSeverity(problems, 'error'), opened.sourceOf, io)
  if (!opened.readable) return EXIT.badInput
  const solver = await loadSolver(io.solverFile ?? installedFiles(import.meta.dirname).solver)
  const inputs = { lab: opened.lab, overlay: opened.overlay, scenario }
  const report = suggestionToJson(await proveSuggestion(inputs, solver, seconds))
  if (json) io.stdout(`${jsonText({ ...report }, 2)}\n`)
  else writeLines(suggestLines(report, outputWidth(io), styleFor('stdout', io)), io)
  if (hasErrors(problems)) return EXIT.badInput
  return report.cannotRun > 0 ? EXIT.unplaceable : EXIT.fine
}

function suggestLines({ lines, roles }: SuggestionReport, width: number, style: Style): string[] {
  return joinSections([
    lines.flatMap((line) => hang('', printable(line), width)),
    roles.length === 0
      ? []
      : renderTable(
          [
            { title: 'ROLE', min: 8 },
            { title: 'NODE', min: 8 },
            { title: 'MOVES', align: 'right' },
          ],
          roles.map(({ role, nodeId, bytes }) => [
            { text: printable(role), paint: style.strong },
            nodeId === null ? { text: 'nowhere', paint: style.no } : { text: printable(nodeId) },
            bytes === '0'
              ? { text: '-', paint: style.faint }
              : { text: formatBytes(BigInt(bytes)), paint: style.moves },
          ]),
          width,
          style.faint,
        ),
    roles.flatMap(({ role, reason }) => hang(`  ${printable(role)}  `, printable(reason), width)),
    roles.length === 0 ? [] : hang('', 'Nothing was changed. `suggest --json` has it as a scenario.', width),
  ])
}

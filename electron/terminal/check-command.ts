import { jsonText } from '../../shared/json/json-text.ts'
import { problemToJson } from '../../shared/report/plan-json.ts'
import { namedScenarios } from '../../shared/scenario/named-scenarios.ts'
import { hasErrors } from '../../shared/problem.ts'
import { plural } from '../../shared/listed.ts'
import type { CommonOptions } from './arguments.ts'
import { EXIT, type CliIo, type ExitCode } from './io.ts'
import { openLab, planLab } from './open-lab.ts'
import { countsText, ofSeverity, reportProblems, writeLines } from './report.ts'

/** `check`: every problem of every input and of all of them together. */
export async function checkCommand(
  options: CommonOptions & { readonly all: boolean },
  io: CliIo,
): Promise<ExitCode> {
  const { opened, problems: planned } = planLab(await openLab(options.lab, io), options.scenario)
  const scenarios = namedScenarios(opened.lab.scenarioFiles)
  const problems = [...planned, ...scenarios.flatMap(({ problems: own }) => own)]
  reportProblems(problems, opened.sourceOf, io, options.all || options.json)
  if (options.json) {
    const counts = {
      errors: ofSeverity(problems, 'error').length,
      warnings: ofSeverity(problems, 'warning').length,
      infos: ofSeverity(problems, 'info').length,
    }
    io.stdout(`${jsonText({ ...counts, problems: problems.map(problemToJson) }, 2)}\n`)
  } else {
    writeLines(
      [`${plural(opened.files.files.length, 'file')} read: ${countsText(problems) || 'no problems'}.`],
      io,
    )
  }
  return hasErrors(problems) ? EXIT.badInput : EXIT.fine
}

import { planJsonText } from '../../shared/report/plan-json.ts'
import { hasErrors } from '../../shared/problem.ts'
import type { CommonOptions } from './arguments.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { openLab, planLab, type PlannedLab } from './open-lab.ts'
import { planLines } from './plan-text.ts'
import { ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor } from './style.ts'

/** `plan`: every role of the lab decided, as a table or as JSON. */
export async function planCommand(
  options: CommonOptions & { readonly all: boolean },
  io: CliIo,
): Promise<ExitCode> {
  const planned = planLab(await openLab(options.lab, io), options.scenario)
  const { opened, plan, problems } = planned
  if (options.json) {
    reportProblems(problems, opened.sourceOf, io)
    io.stdout(planJsonText(plan, problems))
  } else {
    reportProblems(opened.readable ? ofSeverity(problems, 'error') : problems, opened.sourceOf, io)
    if (opened.readable) {
      const style = styleFor('stdout', io)
      writeLines(planLines(opened.files.name, plan, problems, outputWidth(io), style, options.all), io)
    }
  }
  return planExit(planned)
}

/** Errors count before roles that cannot be placed: with them the plan may not be the lab's. */
function planExit({ opened, plan, problems }: PlannedLab): ExitCode {
  if (!opened.readable || hasErrors(problems)) return EXIT.badInput
  return plan.roles.some(({ outcome }) => outcome.kind === 'cannot_run') ? EXIT.unplaceable : EXIT.fine
}

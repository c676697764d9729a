import { exportedSpecs } from '../../shared/export/exported-specs.ts'
import { exportFiles } from '../../shared/export/export-files.ts'
import { preferenceFiles } from '../../shared/export/preference-files.ts'
import type { ExportRequest, LabSnapshot } from '../../shared/host-api.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import { planJsonText } from '../../shared/report/plan-json.ts'
import { planMarkdown, type PlanSource } from '../../shared/report/plan-markdown.ts'
import { planOutline } from '../../shared/report/plan-diff.ts'
import { runBook } from '../../shared/runbook/run-book.ts'
import { runningAt, runningOf, type RunningNode } from '../../shared/runbook/running.ts'
import { plan } from '../../shared/plan/planner.ts'
import { scenarioFileText } from '../../shared/scenario/scenario-file.ts'
import { namedScenarios } from '../../shared/scenario/named-scenarios.ts'
import { sameScenario, scenarioFromJson } from '../../shared/scenario/scenario-json.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import type { Lab } from '../../shared/lab/lab.ts'
import type { OutputFile } from './export.ts'

export type ExportOutputs =
  | { readonly ok: true; readonly files: readonly OutputFile[] }
  /** Why there is nothing to export, as a sentence for a person. */
  | { readonly ok: false; readonly message: string }

/**
 * The files of an export, made here from the roster the host read, so that a page can only choose among what
 * a plan of this lab can say. `lab` is the reading of `snapshot`.
 */
export function exportOutputs(request: ExportRequest, lab: Lab, snapshot: LabSnapshot): ExportOutputs {
  if (lab.roster === null)
    return { ok: false, message: 'There is nothing to export: the roster cannot be read.' }
  const planned = plannedUnder(request, lab, snapshot)
  if (!planned.ok) return planned
  const before = runningBefore(request, planned.plan, lab, snapshot)
  if (!before.ok) return before
  return { ok: true, files: filesOf(request, planned.plan, lab, before.running) }
}

type Before =
  | { readonly ok: true; readonly running: readonly RunningNode[] | null }
  | Extract<ExportOutputs, { readonly ok: false }>

function runningBefore({ before }: ExportRequest, made: LabPlan, lab: Lab, snapshot: LabSnapshot): Before {
  if (before === undefined) return { ok: true, running: null }
  if ('running' in before) {
    const seen = new Map(before.running.map(({ role, node }) => [role, node]))
    return { ok: true, running: runningAt(planOutline(made), seen) }
  }
  const planned = plannedUnder(before, lab, snapshot)
  return planned.ok ? { ok: true, running: runningOf(planOutline(planned.plan)) } : planned
}

type Planned = { readonly ok: true; readonly plan: LabPlan } | Extract<ExportOutputs, { readonly ok: false }>

function plannedUnder(
  { overlayText, scenario }: Pick<ExportRequest, 'overlayText' | 'scenario'>,
  lab: Lab,
  snapshot: LabSnapshot,
): Planned {
  const overlay = parseOverlay(overlayText, snapshot.lab.overlayFile)
  if (overlay.ok) return { ok: true, plan: plan(lab, overlay.value, scenarioFromJson(scenario)) }
  const [first] = overlay.problems
  const place = first?.range ? ` (line ${first.range.start.line})` : ''
  return {
    ok: false,
    message: `Fix the overlay before exporting: ${first?.message ?? 'it cannot be read.'}${place}`,
  }
}

/** The lab, and the scenario of its that assumes the same. */
function sourceOf({ scenario }: LabPlan, lab: Lab): PlanSource {
  // The time to judge facts by is filled in when planning.
  const timeless = (assumed: Scenario): Scenario => ({ ...assumed, nowSecs: null })
  const same = namedScenarios(lab.scenarioFiles).find(
    (named) => named.scenario !== null && sameScenario(timeless(named.scenario), timeless(scenario)),
  )
  return { lab: lab.name, scenario: same?.name ?? null }
}

function filesOf(
  { what, format, roles: wanted }: ExportRequest,
  planned: LabPlan,
  lab: Lab,
  before: readonly RunningNode[] | null,
): readonly OutputFile[] {
  const roles = new Set(wanted)
  switch (what) {
    case 'specs':
      return exportFiles(exportedSpecs(planned), { format, roles })
    case 'preferences':
      return preferenceFiles(planned.roles, { roles }).files
    case 'plan_markdown':
      return [{ fileName: 'plan.md', role: null, text: planMarkdown(planned, sourceOf(planned, lab)) }]
    case 'plan_json':
      return [{ fileName: 'plan.json', role: null, text: planJsonText(planned) }]
    case 'runbook':
      return runBook({ plan: planned, lab, before }).files.map(({ fileName, text }) => ({
        fileName,
        role: null,
        text,
      }))
    case 'scenario':
      return [{ fileName: 'scenario.json', role: null, text: scenarioFileText(planned.scenario) }]
  }
}

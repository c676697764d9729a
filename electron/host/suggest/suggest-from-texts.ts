import type { LabFiles } from '../../../shared/lab/lab.ts'
import { parseOverlay } from '../../../shared/overlay/parse-overlay.ts'
import { scenarioFromJson, type ScenarioJson } from '../../../shared/scenario/scenario-json.ts'
import { withServersSeen } from '../../../shared/live/servers-seen.ts'
import type { ObservedAddress } from '../../../shared/live/types.ts'
import { createLabReader } from '../../../shared/lab/read-lab.ts'
import { suggestionToJson, type SuggestionReport } from '../../../shared/report/suggestion-json.ts'
import { proveSuggestion } from '../../../shared/suggest/proved-suggestion.ts'
import { loadSolver } from './load-solver.ts'

/** All that a suggestion is made from; plain data, so that it can be handed to a worker. */
export interface SuggestJob {
  readonly lab: LabFiles
  /** What the lab's servers run, as far as somebody watches it. */
  readonly observed: readonly ObservedAddress[]
  readonly overlayText: string
  readonly scenario: ScenarioJson
  /** How long the solver may take, in seconds. */
  readonly seconds: number
  /** Where the solver's WebAssembly is. */
  readonly wasmPath: string
}

export type SuggestAnswer =
  | { readonly ok: true; readonly report: SuggestionReport }
  /** Why nothing can be suggested, as a sentence for a person. */
  | { readonly ok: false; readonly message: string }

/** Suggests nodes for all roles of a lab together. Blocks its thread while it solves: run it in a worker. */
export async function suggestFromTexts(job: SuggestJob): Promise<SuggestAnswer> {
  const overlay = parseOverlay(job.overlayText, job.lab.overlayFile)
  if (!overlay.ok)
    return { ok: false, message: 'The overlay has errors. Fix it before asking for a suggestion.' }
  const lab = withServersSeen(createLabReader()(job.lab), job.observed)
  if (lab.roster === null)
    return { ok: false, message: 'There is nothing to suggest: the roster cannot be read.' }
  const inputs = { lab, overlay: overlay.value, scenario: scenarioFromJson(job.scenario) }
  const proved = await proveSuggestion(inputs, await loadSolver(job.wasmPath), job.seconds)
  return { ok: true, report: suggestionToJson(proved) }
}

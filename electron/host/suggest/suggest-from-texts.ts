import { readFile } from 'node:fs/promises'
import highsLoader from 'highs'
import type { SuggestionReport } from '../../../shared/host-api.ts'
import type { LabFiles } from '../../../shared/lab/lab.ts'
import { parseOverlay } from '../../../shared/overlay/parse-overlay.ts'
import { plan } from '../../../shared/plan/planner.ts'
import {
  scenarioFromJson,
  scenarioToJson,
  type ScenarioJson,
} from '../../../shared/scenario/scenario-json.ts'
import { createLabReader } from '../../../shared/lab/read-lab.ts'
import { highsSolver } from '../../../shared/suggest/highs-solver.ts'
import { suggestPlan } from '../../../shared/suggest/suggest-plan.ts'
import { roleSuggestions, suggestionLines } from '../../../shared/report/suggestion-words.ts'

/** All that a suggestion is made from; plain data, so that it can be handed to a worker. */
export interface SuggestJob {
  readonly lab: LabFiles
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
  if (!overlay.ok) return { ok: false, message: 'Fix the overlay before asking for a suggestion.' }
  const lab = createLabReader()(job.lab)
  if (lab.roster === null)
    return { ok: false, message: 'There is nothing to suggest: the roster cannot be read.' }
  const planned = plan(lab, overlay.value, scenarioFromJson(job.scenario))
  const solver = highsSolver(await highsLoader({ wasmBinary: await readFile(job.wasmPath) }))
  const suggestion = await suggestPlan(planned, solver, job.seconds)
  return {
    ok: true,
    report: {
      // The time the plan was judged at is the lab's, not an assumption to keep.
      scenario: { ...scenarioToJson(suggestion.scenario), now_secs: null },
      lines: suggestionLines(suggestion),
      isProved: suggestion.proof.kind === 'optimal',
      roles: roleSuggestions(planned, suggestion).map(({ role, nodeId, bytes, reason }) => ({
        role,
        nodeId,
        bytes: bytes.toString(),
        reason,
      })),
    },
  }
}

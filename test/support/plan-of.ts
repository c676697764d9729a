import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import { plan } from '../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { valueOf } from './problems.ts'

/** One entry of a roster made for a test, each with weights of its own; a backend without an adapter is skipped. */
export interface TestRole {
  readonly id: string
  readonly about?: string
  readonly ramGb?: number
  readonly backend?: string
}

/** The plan of a lab that has nothing but these roles, under an overlay text that can be read. */
export function planOf(
  roles: readonly TestRole[],
  overlayText: string,
): { readonly plan: LabPlan; readonly document: OverlayDocument } {
  const text = `roster:\n${roles.map(entryText).join('')}`
  const lab = createLabReader()({
    name: 'lab',
    files: [{ kind: 'roster', file: 'queue.yaml', text, hash: '0' }],
    problems: [],
    overlayFile: 'overlay.yaml',
  })
  const document = valueOf(parseOverlay(overlayText))
  return { plan: plan(lab, document, DEFAULT_SCENARIO), document }
}

function entryText({ id, about = 'worker', ramGb = 5, backend = 'mlx_lm' }: TestRole): string {
  return `- {id: "${id}", role: ${about}, name: Model-${id}, repo: made/${id}, ram_gb: ${ramGb}, backend: ${backend}}\n`
}

import { loadLabFiles } from '../../electron/host/lab.ts'
import { labPathsByConvention } from '../../electron/host/paths.ts'
import type { Lab, LabFiles } from '../../shared/lab/lab.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import { plan } from '../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { SAMPLE_LAB } from './planner-home.ts'

/** When the sample lab's facts were fresh, in unix seconds. */
export const SAMPLE_NOW = 1_790_000_000

/** The sample lab as a host reads it, and its plan. */
export async function readSampleLab({
  allowTransfer,
  ...changes
}: { readonly allowTransfer: boolean } & Partial<Omit<Scenario, 'policy'>>): Promise<{
  readonly files: LabFiles
  readonly lab: Lab
  readonly overlay: OverlayDocument
  readonly plan: LabPlan
}> {
  const files = await loadLabFiles(labPathsByConvention(SAMPLE_LAB, {}, { cwd: '/', home: '/nowhere' }))
  const lab = createLabReader()(files)
  const overlay = parseOverlay(files.files.find((file) => file.kind === 'overlay')?.text ?? '')
  if (!overlay.ok) throw new Error('the sample overlay does not parse')
  const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: allowTransfer }
  const scenario = { ...DEFAULT_SCENARIO, nowSecs: SAMPLE_NOW, ...changes, policy }
  return { files, lab, overlay: overlay.value, plan: plan(lab, overlay.value, scenario) }
}

import type { InferenceSpec } from '../inference-spec.ts'
import type { LabPlan } from '../plan/types.ts'

/**
 * The specs of a plan as they are exported: with the roster's memory and a KV budget of 0, as the reference has it.
 * Where the operator wants the KV budget exported, roles that are planned with the computed figure have that.
 */
export function exportedSpecs({ roles, scenario }: LabPlan): readonly { readonly spec: InferenceSpec }[] {
  return roles.map(({ imported }) => {
    const { spec, entry } = imported
    if (scenario.exportKvBudget || !scenario.computedMemory.has(spec.role) || entry.ramBytes === null)
      return { spec }
    return { spec: { ...spec, memory: { weightsBytes: entry.ramBytes, kvBudgetBytes: 0n } } }
  })
}

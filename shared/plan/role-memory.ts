import { formatBytes } from '../bytes.ts'
import { MAX_MEMORY_BYTES, specMemoryBytes, type InferenceSpec } from '../inference-spec.ts'
import type { Lab } from '../lab/lab.ts'
import { largestContext } from '../memory/largest-context.ts'
import { memoryNeed, type MemoryNeed } from '../memory/memory-need.ts'
import { formatTokens, sumText } from '../memory/memory-words.ts'
import { USUAL_CONTEXT, USUAL_SETTING, type MemorySetting } from '../memory/setting.ts'
import type { ModelShape } from '../memory/shape.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { Problem } from '../problem.ts'
import type { ImportedSpec } from '../roster/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { rosterProblem } from './cross-checks.ts'
import type { RolePlan } from './types.ts'

/** What a role takes by its model's own files, under the setting that the scenario gives it. */
export interface RoleMemory {
  readonly shape: ModelShape
  readonly need: MemoryNeed
}

/** Null when the lab keeps no shape of the role's model. */
export function roleMemory(
  lab: Lab,
  { spec }: ImportedSpec,
  manifest: ModelManifest | null,
  scenario: Scenario,
): RoleMemory | null {
  const shape = manifest === null ? undefined : lab.shapes.get(manifest.packageId)?.shape
  return shape === undefined ? null : { shape, need: memoryNeed(shape, roleSetting(spec, shape, scenario)) }
}

/**
 * The least memory in which `imported` can run: what it is planned with, or what its model takes by its files with the
 * smallest context, where that is known and less.
 */
export function leastMemoryBytes(
  lab: Lab,
  imported: ImportedSpec,
  manifest: ModelManifest | null,
  scenario: Scenario,
): bigint {
  const planned = specMemoryBytes(imported.spec)
  const memory = roleMemory(lab, imported, manifest, scenario)
  if (memory === null) return planned
  const least = largestContext(memory.shape, memory.need.setting, 0n)
  return least.kind === 'none' && least.bytes < planned ? least.bytes : planned
}

/** The setting of a role's server: what the scenario says, and what is usual for the rest. */
export function roleSetting(
  { role, runtime }: Pick<InferenceSpec, 'role' | 'runtime'>,
  shape: ModelShape | null,
  scenario: Scenario,
): MemorySetting {
  const trainedContext = shape?.trainedContext ?? null
  // mlx-lm keeps K and V in 16 bits, whatever it is asked for.
  const fixed = runtime === 'infer.mlx-lm' ? USUAL_SETTING.keyType : null
  return {
    ...USUAL_SETTING,
    context: scenario.roleContext.get(role) ?? Math.min(USUAL_CONTEXT, trainedContext ?? USUAL_CONTEXT),
    keyType: fixed ?? scenario.roleKeyType.get(role) ?? USUAL_SETTING.keyType,
    valueType: fixed ?? scenario.roleValueType.get(role) ?? USUAL_SETTING.valueType,
    parallel: scenario.roleParallel.get(role) ?? USUAL_SETTING.parallel,
  }
}

/**
 * The role as it is planned with: the roster's word, or the computed figure where the scenario asks for it and all of it
 * is known. The KV cache then is the spec's `kvBudgetBytes`, everything else its `weightsBytes`.
 */
export function plannedSpec(
  lab: Lab,
  imported: ImportedSpec,
  manifest: ModelManifest | null,
  scenario: Scenario,
): ImportedSpec {
  if (!scenario.computedMemory.has(imported.spec.role)) return imported
  const need = roleMemory(lab, imported, manifest, scenario)?.need
  if (need === undefined || need.missing.length > 0 || need.runBytes > MAX_MEMORY_BYTES) return imported
  const memory = { weightsBytes: need.runBytes - need.contextBytes, kvBudgetBytes: need.contextBytes }
  return { ...imported, spec: { ...imported.spec, memory } }
}

/** What is worth a look in the roles' memory: `ram_gb` against the files, and settings that make no sense for a model. */
export function memoryChecks(lab: Lab, scenario: Scenario, roles: readonly RolePlan[]): Problem[] {
  if (lab.shapes.size === 0 && scenario.computedMemory.size === 0) return []
  return roles.flatMap((role): Problem[] => {
    const warn = (code: string, message: string): Problem =>
      rosterProblem(lab, role, 'ram_gb', 'warning', code, `${role.role}: ${message}`)
    const known = roleMemory(lab, role.imported, role.manifest, scenario)
    const computed = scenario.computedMemory.has(role.role)
    if (known === null) {
      return computed ? [warn('memory-not-computed', `the lab has no shape of its model, ${AS_BEFORE}`)] : []
    }
    const { shape, need } = known
    const problems: Problem[] = []
    if (computed && need.missing.length > 0) {
      problems.push(warn('memory-not-computed', `what its model takes is not all known, ${AS_BEFORE}`))
    }
    const { context } = need.setting
    if (shape.trainedContext !== null && context > shape.trainedContext) {
      const trained = formatTokens(shape.trainedContext)
      const message = `a context of ${formatTokens(context)} is over the ${trained} its model was trained for`
      problems.push(warn('context-over-trained', message))
    }
    const said = role.imported.entry.ramBytes
    if (!computed && said !== null && need.runBytes > said)
      problems.push(warn('ram-below-need', tooLittle(said, need)))
    return problems
  })
}

const AS_BEFORE = 'so that it is planned with ram_gb (scan the model where its files are)'

function tooLittle(said: bigint, need: MemoryNeed): string {
  const all = need.missing.length === 0 ? '' : ' or more'
  return (
    `ram_gb says ${formatBytes(said)}; ${sumText(need)} = ${formatBytes(need.runBytes)}${all}: ` +
    `${formatBytes(need.runBytes - said)} too little (raise ram_gb, or plan with the computed figure)`
  )
}

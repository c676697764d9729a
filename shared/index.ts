/**
 * The public face of the mind: pure functions from texts to plans. Hosts and pages may import the modules below this
 * one directly; whoever uses the core as a library starts here.
 */
export { importRoster } from './roster/import-roster.ts'
export { readRoster } from './roster/read-roster.ts'
export { flavorForBackend } from './roster/flavor.ts'
export type { ImportedRoster, ImportedSpec, RosterDocument, SkippedEntry } from './roster/types.ts'

export { parseOverlay } from './overlay/parse-overlay.ts'
export { editOverlay, type OverlayEdit } from './overlay/edit-overlay.ts'
export { EMPTY_OVERLAY, type Overlay, type OverlayDocument } from './overlay/types.ts'

export { invalidSpecReason, specToJson, type InferenceSpec, type Runtime } from './inference-spec.ts'

export { readManifest } from './model-manifest/read-manifest.ts'
export { readRegistry } from './model-manifest/read-registry.ts'
export type { ModelBody, ModelManifest, ModelShards, Shard } from './model-manifest/types.ts'

export { readNodeFacts } from './node/read-node-facts.ts'
export { readFleet } from './node/read-fleet.ts'
export { memoryPools } from './node/memory-pools.ts'
export type { Capability, LabNode, NodeFacts } from './node/types.ts'

export { holdingFromCapabilities } from './locality/holding.ts'
export { decide, sharingFromManifest, type LocalityPlan } from './locality/decide.ts'
export { localityPreference, modelPresentRequirement } from './locality/preference.ts'
export { DEFAULT_POLICY } from './locality/types.ts'
export type { LocalityDecision, NodeHolding, Sharing, TransferPolicy, Unplaceable } from './locality/types.ts'

export { createLabReader } from './read-lab.ts'
export { plan, planOf } from './plan/planner.ts'
export { DEFAULT_SCENARIO } from './plan/scenario.ts'
export { readScenarioFile, scenarioFileText } from './plan/scenario-file.ts'
export { moveCost, type MoveCost } from './plan/move-cost.ts'
export type { LabPlan, NodeResidency, Placement, PlanInputs, RolePlan, Scenario } from './plan/types.ts'

export { admit, emptyLedger, refusalMessage, release, type Ledger, type Refusal } from './co-residency.ts'
export { comparePlans, type Comparison } from './compare/compare-plans.ts'
export { createAdviser, type Adviser, type Advice } from './advice/advise.ts'
export { applyChange } from './advice/apply-change.ts'
export type { Change } from './advice/change.ts'
export { suggestPlan, type Suggestion } from './suggest/suggest-plan.ts'
export type { Problem, Read } from './problem.ts'

import { budgetOf } from '../co-residency.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab.ts'
import type { LocalityPlan } from '../locality/decide.ts'
import type { RankedTarget } from '../locality/targets.ts'
import type { Sharing } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { EMPTY_OVERLAY, type OverlayDocument } from '../overlay/types.ts'
import type { Problem } from '../problem.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { crossChecks } from './cross-checks.ts'
import { prepareNodes, type PreparedLab } from './prepared-lab.ts'
import { placeRoles, type Placed } from './residency.ts'
import { residencyChecks } from './residency-checks.ts'
import { findingsOf, type RoleFindings, type RoleNeed } from './role-findings.ts'
import { scenarioChecks } from './scenario-checks.ts'
import type { LabPlan, NodeVerdict, Placement, PlanInputs, RoleDecision, RolePlan, Scenario } from './types.ts'

/**
 * Plans every role of `lab` under the operator's `overlay` (null: the defaults hold) and `scenario`: the one function
 * that the window, the terminal and the exports show. Roles without a manifest are decided `no_manifest`; a lab whose
 * roster cannot be read has no roles, and its problems say why. Decisions are made at once, placements and problems
 * when they are first read. Decisions do not depend on the overlay: planning the same lab under the same scenario again
 * (the same objects) makes none anew.
 */
export function plan(lab: Lab, overlay: OverlayDocument | null, scenario: Scenario): LabPlan {
  const { facts, of } = findingsOf(lab, scenario)
  const imported = lab.roster
    ? importEntries(lab.roster, overlay?.overlay ?? EMPTY_OVERLAY)
    : { specs: [], skipped: [] }
  const placed = once((): Placed => placeRoles(roles, nodesToFill(facts), scenario))
  const roles = imported.specs.map((spec, i) => {
    const findings = of(spec.entry, needOf(spec, scenario), spec.spec.model)
    return new PlannedRole(spec, findings, () => placed().placements[i] ?? NOWHERE)
  })
  const problems = once((): readonly Problem[] => [
    ...lab.problems,
    ...crossChecks(lab, overlay, scenario, roles, imported.skipped),
    ...scenarioChecks(lab, scenario, roles),
    ...residencyChecks(lab, scenario, roles, placed().residency),
  ])
  return {
    scenario,
    roles,
    skipped: imported.skipped,
    get residency() {
      return placed().residency
    },
    get problems() {
      return problems()
    },
  }
}

/**
 * Decides every role of a plan that is going to be made, and stops after each small part of that: {@link plan} then finds
 * it remembered. For a page that must go on answering while thousands of nodes are planned.
 */
export function* planAhead({ lab, overlay, scenario }: PlanInputs): Generator<void, void> {
  yield* prepareNodes(lab)
  const { of } = findingsOf(lab, scenario)
  const { specs } = lab.roster ? importEntries(lab.roster, overlay?.overlay ?? EMPTY_OVERLAY) : { specs: [] }
  for (const spec of specs) {
    yield
    of(spec.entry, needOf(spec, scenario), spec.spec.model)
  }
}

/** {@link plan} of inputs kept together. */
export function planOf({ lab, overlay, scenario }: PlanInputs): LabPlan {
  return plan(lab, overlay, scenario)
}

const NOWHERE: Placement = { kind: 'none', tried: [] }

/** `make`'s value, made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function nodesToFill(facts: PreparedLab) {
  return facts.profiles.map(({ node, pools, freeBytes }) => ({
    nodeId: node.nodeId,
    budget: budgetOf(pools.roles),
    freeBytes,
  }))
}

/** One role's findings with what the overlay and the other roles make of them. */
class PlannedRole implements RolePlan {
  readonly imported: ImportedSpec
  readonly #findings: RoleFindings
  readonly #placement: () => Placement

  constructor(imported: ImportedSpec, findings: RoleFindings, placement: () => Placement) {
    this.imported = imported
    this.#findings = findings
    this.#placement = placement
  }

  get role(): string {
    return this.imported.spec.role
  }

  get manifest(): ModelManifest | null {
    return this.#findings.manifest
  }

  get sharing(): Sharing {
    return this.#findings.sharing
  }

  get decision(): RoleDecision {
    return this.#findings.decision
  }

  get placement(): Placement {
    return this.#placement()
  }

  get locality(): LocalityPlan | null {
    return this.#findings.locality
  }

  get nodes(): readonly NodeVerdict[] {
    return this.#findings.nodes
  }

  verdictAt(node: number): NodeVerdict | null {
    return this.#findings.verdictAt(node)
  }

  eligibleAt(node: number): boolean {
    return this.#findings.eligibleAt(node)
  }

  targets(): Iterable<RankedTarget> {
    return this.#findings.targets()
  }
}

function needOf({ spec }: ImportedSpec, scenario: Scenario): RoleNeed {
  return {
    runtime: spec.runtime,
    memoryBytes: specMemoryBytes(spec),
    pinnedTo: scenario.pinned.get(spec.role) ?? null,
  }
}

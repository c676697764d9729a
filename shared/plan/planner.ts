import { budgetOf } from '../placement/ledger.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab/lab.ts'
import type { LocalityPlan } from '../locality/decide.ts'
import type { RankedTarget } from '../locality/targets.ts'
import type { Sharing, Unplaceable } from '../locality/types.ts'
import type { ModelManifest, Shard } from '../model-manifest/types.ts'
import { EMPTY_OVERLAY, type OverlayDocument } from '../overlay/types.ts'
import type { Problem } from '../problem.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { runSync, Lazy, type Task } from '../task.ts'
import { crossCheckTask } from './cross-checks.ts'
import { outcomeOf, type Outcome } from './outcome.ts'
import type { PreparedLab } from './prepared-lab.ts'
import { placeRoles, type Placed } from '../placement/place.ts'
import { residencyChecks } from './residency-checks.ts'
import { PlanMemo } from './plan-memo.ts'
import type { RoleFindings, RoleNeed } from './role-findings.ts'
import { leastMemoryBytes, memoryChecks, plannedSpec } from './role-memory.ts'
import { scenarioChecks } from './scenario-checks.ts'
import type { LabPlan, NodeVerdict, Placement, PlanInputs, RoleDecision, RolePlan } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/**
 * Plans every role of `lab` under the operator's `overlay` (null: the defaults hold) and `scenario`: the one function
 * that the window, the terminal and the exports show. Roles without a manifest are decided `no_manifest`; a lab whose
 * roster cannot be read has no roles, and its problems say why. Problems are worked out when they are first read.
 *
 * @param memo What earlier plans found out. Decisions do not depend on the overlay: planning the same lab again under
 *   the same scenario (the same objects) and with the same memo decides nothing again.
 */
export function plan(
  lab: Lab,
  overlay: OverlayDocument | null,
  scenario: Scenario,
  memo = new PlanMemo(),
): LabPlan {
  return runSync(planTask({ lab, overlay, scenario }, memo))
}

/**
 * {@link planTask} with all that a window shows of a plan at once: the problems, and the nodes of the role `lookedAt` (of
 * the first one when there is none of that name). None of that is left to be worked out when it is read.
 */
export function* precomputePlan(
  inputs: PlanInputs,
  memo: PlanMemo,
  lookedAt: string | null = null,
): Task<LabPlan> {
  const made = yield* planTask(inputs, memo)
  const { roles } = made
  yield* made.problemTask()
  yield* (roles.find(({ role }) => role === lookedAt) ?? roles[0])?.nodeTask() ?? []
  return made
}

/** A plan whose lazy parts can also be worked out ahead. */
interface PlannedLab extends LabPlan {
  readonly roles: readonly PlannedRole[]
  readonly problemTask: () => Task<readonly Problem[]>
}

/** {@link plan} in small steps: thousands of nodes take a while, and a page must go on answering meanwhile. */
export function* planTask({ lab, overlay, scenario }: PlanInputs, memo: PlanMemo): Task<PlannedLab> {
  const { facts, of } = yield* memo.findingTask(lab, scenario)
  yield
  const { specs, skipped } = lab.roster
    ? importEntries(lab.roster, overlay?.overlay ?? EMPTY_OVERLAY)
    : { specs: [], skipped: [] }
  const roles: PlannedRole[] = []
  for (const imported of specs) {
    yield
    const { model } = imported.spec
    const manifest = model === null ? null : (facts.manifestByName.get(model) ?? null)
    const spec = plannedSpec(lab, imported, manifest, scenario)
    const findings = yield* of(spec.entry, needOf(spec, scenario), spec.spec.model)
    const i = roles.length
    roles.push(
      new PlannedRole(
        spec,
        findings,
        () => placed.placements[i] ?? NOWHERE,
        () => leastMemoryBytes(lab, spec, manifest, scenario),
      ),
    )
  }
  const placed: Placed = yield* placeRoles(roles, nodesToFill(facts), scenario)
  const { residency } = placed
  const problems = new Lazy(function* (): Task<readonly Problem[]> {
    return [
      ...lab.problems,
      ...(yield* crossCheckTask(lab, overlay, scenario, roles, skipped, memo)),
      ...memoryChecks(lab, scenario, roles),
      ...scenarioChecks(lab, scenario, roles),
      ...residencyChecks(lab, scenario, roles, residency),
    ]
  })
  return {
    scenario,
    roles,
    skipped,
    residency,
    get problems() {
      return problems.value()
    },
    problemTask: () => problems.precompute(),
  }
}

const NOWHERE: Placement = { kind: 'none', tried: [] }

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
  readonly #leastMemory: () => bigint
  #outcome: Outcome | null = null

  constructor(
    imported: ImportedSpec,
    findings: RoleFindings,
    placement: () => Placement,
    leastMemory: () => bigint,
  ) {
    this.imported = imported
    this.#leastMemory = leastMemory
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

  get outcome(): Outcome {
    return (this.#outcome ??= outcomeOf(this.decision, this.placement))
  }

  get locality(): LocalityPlan | null {
    return this.#findings.locality
  }

  get nodes(): readonly NodeVerdict[] {
    return this.#findings.nodes
  }

  nodeTask(): Task<readonly NodeVerdict[]> {
    return this.#findings.nodeTask()
  }

  get holders(): readonly string[] {
    return this.#findings.holders
  }

  get leastMemoryBytes(): bigint {
    return this.#leastMemory()
  }

  get transferBar(): Unplaceable | null {
    return this.#findings.transferBar
  }

  verdictAt(node: number): NodeVerdict | null {
    return this.#findings.verdictAt(node)
  }

  missingShardsAt(node: number): readonly Shard[] {
    return this.#findings.missingShardsAt(node)
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

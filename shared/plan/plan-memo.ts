import type { Need } from '../eligibility/eligibility.ts'
import type { Lab } from '../lab/lab.ts'
import type { Problem } from '../problem.ts'
import type { RosterEntry } from '../roster/types.ts'
import { decideAlike, type Scenario } from '../scenario/scenario.ts'
import type { Task } from '../task.ts'
import { nodeScreen } from './node-screen.ts'
import type { PreparedLab } from './prepared-lab.ts'
import { PreparedLabs } from './prepared-labs.ts'
import { RoleFindings, type RoleNeed, type Surroundings } from './role-findings.ts'

/** The findings of a lab's roles under one scenario. */
export interface LabFindings {
  readonly facts: PreparedLab
  /** Of a roster entry that was imported as a role with that need and model name. */
  readonly of: (entry: RosterEntry, need: RoleNeed, model: string | null) => Task<RoleFindings>
}

/** Scenarios of a lab whose findings are kept: the present one, a baseline, and a few in between. */
const SCENARIOS_KEPT = 4

interface Kept {
  readonly manifests: Lab['manifests']
  readonly scenario: Scenario
  readonly findings: LabFindings
}

/**
 * What planning remembers. Its owner creates it, passes it to every plan that is to profit from the ones before, and
 * drops it. It never changes a plan: it remembers by identity, and nodes, manifests, scenarios and roster entries are
 * values that findings follow from.
 */
export class PlanMemo {
  readonly #prepared: PreparedLabs
  /** Where a {@link branch} looks first. */
  readonly #parent: PlanMemo | null
  /** Newest last. */
  readonly #kept = new WeakMap<Lab['nodes'], readonly Kept[]>()
  readonly #stale = new WeakMap<Lab['nodes'], StaleFacts>()

  constructor(parent: PlanMemo | null = null) {
    this.#parent = parent
    this.#prepared = parent === null ? new PreparedLabs() : parent.#prepared
  }

  /**
   * A memo for trying out changes: it uses what this one remembers, and what it remembers itself never displaces that.
   */
  branch(): PlanMemo {
    return new PlanMemo(this)
  }

  /**
   * What is found of `lab` under `scenario`. Planning again finds it here after an edit of the overlay or of another
   * role's roster entry, and after a change of the scenario that decides nothing: roles switched off, or another role
   * pinned.
   */
  *findingTask(lab: Lab, scenario: Scenario): Task<LabFindings> {
    const known = this.#find(lab, scenario)
    const one = known ?? {
      manifests: lab.manifests,
      scenario,
      findings: emptyFindings(yield* this.#prepared.prepareTask(lab, scenario), scenario),
    }
    const kept = this.#kept.get(lab.nodes) ?? []
    const isParents = known !== undefined && !kept.includes(known)
    if (kept.at(-1) !== one && !isParents)
      this.#kept.set(lab.nodes, [...kept.filter((other) => other !== one), one].slice(-SCENARIOS_KEPT))
    return one.findings
  }

  #find({ nodes, manifests }: Pick<Lab, 'nodes' | 'manifests'>, scenario: Scenario): Kept | undefined {
    const fromParent = this.#parent === null ? undefined : this.#parent.#find({ nodes, manifests }, scenario)
    if (fromParent !== undefined) return fromParent
    const kept = this.#kept.get(nodes) ?? []
    return kept.find((one) => one.manifests === manifests && decideAlike(one.scenario, scenario))
  }

  /** The warnings about stale facts last made for `lab`; no edit of the overlay changes them. */
  staleFacts(lab: Lab, { nowSecs, requireFreshFacts }: Freshness): readonly Problem[] | null {
    const known = this.#stale.get(lab.nodes)
    if (known?.nowSecs === nowSecs && known.requireFreshFacts === requireFreshFacts) return known.problems
    return this.#parent?.staleFacts(lab, { nowSecs, requireFreshFacts }) ?? null
  }

  keepStaleFacts(lab: Lab, { nowSecs, requireFreshFacts }: Freshness, problems: readonly Problem[]): void {
    this.#stale.set(lab.nodes, { nowSecs, requireFreshFacts, problems })
  }
}

type Freshness = Pick<Scenario, 'nowSecs' | 'requireFreshFacts'>

interface StaleFacts extends Freshness {
  readonly problems: readonly Problem[]
}

/** Roles whose verdicts on every node are kept: the one on screen, the one before it, and those of a comparison. */
const ROLES_WITH_VERDICTS = 4

function emptyFindings(lab: PreparedLab, scenario: Scenario): LabFindings {
  const byEntry = new WeakMap<RosterEntry, { readonly need: RoleNeed; readonly findings: RoleFindings }>()
  /** Newest last. */
  let lookedAt: readonly RoleFindings[] = []
  const looked = (findings: RoleFindings): void => {
    if (lookedAt.at(-1) === findings) return
    const others = lookedAt.filter((other) => other !== findings)
    if (others.length === ROLES_WITH_VERDICTS) others[0]?.forgetNodes()
    lookedAt = [...others.slice(1 - ROLES_WITH_VERDICTS), findings]
  }
  const surroundings: Surroundings = { lab, scenario, looked }
  const screen = nodeScreen(lab.profiles, scenario)
  return {
    facts: lab,
    *of(entry, roleNeed, model) {
      const before = byEntry.get(entry)
      if (before !== undefined && isSameNeed(before.need, roleNeed)) return before.findings
      const manifest = model === null ? null : (lab.manifestByName.get(model) ?? null)
      const need: Need = { ...roleNeed, format: manifest?.body.format ?? null }
      const eligible = yield* screen(need)
      const findings = new RoleFindings({ model, manifest, need, eligible }, surroundings)
      byEntry.set(entry, { need: roleNeed, findings })
      return findings
    },
  }
}

/** Of one roster entry, whose runtime is always the same. */
function isSameNeed(a: RoleNeed, b: RoleNeed): boolean {
  return a.pinnedTo === b.pinnedTo && a.memoryBytes === b.memoryBytes
}

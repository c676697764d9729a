import type { PlanInputs } from '../plan/types.ts'
import type { Difference } from './difference.ts'
import { manifestDifferences, mixManifests, type ManifestDifference } from './manifest-differences.ts'
import { mixNodes, nodeDifferences, type NodeDifference } from './node-differences.ts'
import { mixOverlays, overlayDifferences, type OverlayDifference } from './overlay-differences.ts'
import { mixRosters, rosterDifferences, type RosterDifference } from './roster-differences.ts'
import { mixScenarios, scenarioDifferences, type ScenarioDifference } from './scenario-differences.ts'

/** Everything that inputs `b` have differently from inputs `a`, each by itself replayable with {@link mixInputs}. */
export function inputDifferences(a: PlanInputs, b: PlanInputs): Difference[] {
  return [
    ...scenarioDifferences(a.scenario, b.scenario),
    ...overlayDifferences(a.overlay, b.overlay),
    ...nodeDifferences(a.lab.nodes, b.lab.nodes),
    ...manifestDifferences(a.lab.manifests, b.lab.manifests),
    ...rosterDifferences(a.lab.roster, b.lab.roster),
  ]
}

/** Inputs `a` with those of their differences to `b` that are in `taken`: with all of them they plan as `b` does. */
export function mixInputs(a: PlanInputs, b: PlanInputs, taken: readonly Difference[]): PlanInputs {
  const parts = partsOf(taken)
  const isSameLab = parts.nodes.length === 0 && parts.manifests.length === 0 && parts.roster.length === 0
  return {
    // The same lab stays the same object: what planning has prepared of it is then not prepared again.
    lab: isSameLab
      ? a.lab
      : {
          ...a.lab,
          nodes: mixNodes(a.lab.nodes, b.lab.nodes, parts.nodes),
          manifests: mixManifests(a.lab.manifests, b.lab.manifests, parts.manifests),
          roster: mixRosters(a.lab.roster, b.lab.roster, parts.roster),
        },
    overlay: mixOverlays(a.overlay, b.overlay, parts.overlay),
    scenario: mixScenarios(a.scenario, parts.scenario),
  }
}

function partsOf(taken: readonly Difference[]) {
  const scenario: ScenarioDifference[] = []
  const overlay: OverlayDifference[] = []
  const nodes: NodeDifference[] = []
  const manifests: ManifestDifference[] = []
  const roster: RosterDifference[] = []
  for (const difference of taken) {
    switch (difference.of) {
      case 'scenario':
        scenario.push(difference)
        break
      case 'exclude':
      case 'exclude_order':
      case 'latency_class':
      case 'sticky':
        overlay.push(difference)
        break
      case 'node':
      case 'node_fact':
      case 'node_facts_age':
      case 'declaration':
        nodes.push(difference)
        break
      case 'manifest':
        manifests.push(difference)
        break
      case 'roster':
      case 'roster_entry':
      case 'roster_field':
      case 'roster_order':
        roster.push(difference)
    }
  }
  return { scenario, overlay, nodes, manifests, roster }
}

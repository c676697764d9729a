import type { ModelShards } from '../model-manifest/types.ts'
import { MODEL_MARKER_PREFIX } from './holding.ts'

/** A hard requirement on a node's capabilities, as a placement engine takes it. */
export interface Requirement {
  readonly id: 'model.present'
  readonly count: 1
  readonly exclusive: false
  readonly where: readonly [{ readonly attr: 'shards'; readonly op: 'has'; readonly value: string }]
}

/** A soft preference with its weight. */
export interface Preference {
  readonly name: string
  readonly requirement: Requirement
  readonly weight: number
}

/** "The node has this exact attested model present" (docs/reference.md P1). */
export function modelPresentRequirement(packageId: string): Requirement {
  return {
    id: 'model.present',
    count: 1,
    exclusive: false,
    where: [{ attr: 'shards', op: 'has', value: MODEL_MARKER_PREFIX + packageId }],
  }
}

/** Prefer nodes that already hold the model, by `weight` (docs/reference.md P2). */
export function localityPreference(model: ModelShards, packageId: string, weight: number): Preference {
  return { name: `model-local:${model.name}`, requirement: modelPresentRequirement(packageId), weight }
}

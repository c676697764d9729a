import {
  localityPreference,
  modelPresentRequirement,
  type Preference,
  type Requirement,
} from '../locality/preference.ts'
import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { ModelManifest } from '../model-manifest/types.ts'

const DOMAIN = 'lab-planner.local'
const MODEL_PREFIX = `${DOMAIN}/model-`
/** Hex digits of a package id that a label's name holds; its value holds the others. A name ends at 63 characters. */
const NAME_DIGITS = 32

/** Which node a label of the planner stands for. */
export const NODE_LABEL = `${DOMAIN}/node`

/** One condition of node affinity. */
export interface MatchExpression {
  readonly key: string
  readonly operator: 'In'
  readonly values: string[]
}

/** "The node has this exact model present" as a condition on a node's labels. */
function requirementExpression({ where: [{ value }] }: Requirement): MatchExpression {
  const packageId = value.slice(value.indexOf(':') + 1)
  return {
    key: MODEL_PREFIX + packageId.slice(0, NAME_DIGITS),
    operator: 'In',
    values: [packageId.slice(NAME_DIGITS)],
  }
}

/** The package that a condition of node affinity asks for; null when it asks for something else. */
export function packageOfExpression({ key, values }: Pick<MatchExpression, 'key' | 'values'>): string | null {
  const [value] = values
  return values.length === 1 && value !== undefined && key.startsWith(MODEL_PREFIX)
    ? key.slice(MODEL_PREFIX.length) + value
    : null
}

/** The reference's hard requirement as required node affinity, and its soft preference with its weight. */
export function modelAffinity(manifest: ModelManifest, weight: number) {
  const requirement: Requirement = modelPresentRequirement(manifest.packageId)
  const preference: Preference = localityPreference(manifest.body, manifest.packageId, weight)
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [requirementExpression(requirement)] }],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: Math.min(100, Math.max(1, Math.round(preference.weight))),
          preference: { matchExpressions: [requirementExpression(preference.requirement)] },
        },
      ],
    },
  }
}

/** The command that labels a node as one that has the model. */
export function modelLabelLine(nodeId: string, manifest: ModelManifest): string {
  const { key, values } = requirementExpression(modelPresentRequirement(manifest.packageId))
  return `kubectl label node ${kubernetesName(nodeId)} ${key}=${values.join('')} --overwrite   # ${manifest.body.name}`
}

/** The command that labels a node with its id in the lab, by which a Job finds it. */
export function nodeLabelLine(nodeId: string): string {
  return `kubectl label node ${kubernetesName(nodeId)} ${NODE_LABEL}=${kubernetesName(nodeId)} --overwrite`
}

/** `text` as a name of Kubernetes: lower case, digits and dashes, at most 63; kept distinct from similar ones by a hash. */
export function kubernetesName(text: string): string {
  if (/^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text)) return text
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return `${plain === '' ? 'role' : plain}-${bytesToHex(blake3(utf8ToBytes(text))).slice(0, 8)}`
}

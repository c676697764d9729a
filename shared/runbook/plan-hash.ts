import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { specToJson } from '../inference-spec.ts'
import type { LabPlan } from '../plan/types.ts'

/**
 * Names what a plan decides: which role runs where, with which model and settings. The same decisions have the same name,
 * whatever the time and the remarks are. The first 16 hex digits of a BLAKE3.
 */
export function planHash({ roles }: LabPlan): string {
  const decided = roles.map((role) => [
    `${role.outcome.bytes} ${role.outcome.nodeId ?? role.outcome.kind}`,
    role.manifest?.packageId ?? null,
    specToJson(role.imported.spec),
  ])
  return bytesToHex(blake3(utf8ToBytes(JSON.stringify(decided)))).slice(0, 16)
}

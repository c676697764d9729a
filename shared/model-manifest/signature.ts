import { ed25519 } from '@noble/curves/ed25519.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { SignatureState } from './types.ts'

/** One entry of an envelope's `signatures`, as written. */
export interface SignatureEntry {
  readonly algorithm: string
  readonly keyId: string
  /** Hex. */
  readonly publicKey: string
  /** Hex. */
  readonly signature: string
}

/** What the signed bytes start with, before the canonical JSON. */
const SIGNING_CONTEXT = 'weftos.workload-manifest.v1\n'

/**
 * Whether `signatures` are Ed25519 signatures over `canonicalText` (the canonical JSON of body, kind and
 * schema) in this schema's context. Whose keys they are is not judged. One that is not Ed25519 or not hex
 * cannot be checked and counts as invalid.
 */
export function signatureState(canonicalText: string, signatures: readonly SignatureEntry[]): SignatureState {
  if (signatures.length === 0) return 'unsigned'
  const message = utf8ToBytes(SIGNING_CONTEXT + canonicalText)
  return signatures.every((entry) => verifies(entry, message)) ? 'valid' : 'invalid'
}

const PUBLIC_KEY = /^[0-9a-fA-F]{64}$/
const SIGNATURE = /^[0-9a-fA-F]{128}$/

function verifies({ algorithm, publicKey, signature }: SignatureEntry, message: Uint8Array): boolean {
  if (algorithm !== 'ed25519' || !PUBLIC_KEY.test(publicKey) || !SIGNATURE.test(signature)) return false
  // RFC 8032 rather than ZIP 215: one signature has one form.
  return ed25519.verify(hexToBytes(signature), message, hexToBytes(publicKey), { zip215: false })
}

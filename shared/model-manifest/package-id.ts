import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalJson, type Canonical } from '../json/canonical-json.ts'

/**
 * What a package id and a signature are made of: the envelope without its signatures, values as `JSON.parse`
 * gave.
 */
export interface EnvelopeContent {
  readonly schema: unknown
  readonly kind: unknown
  readonly body: unknown
}

/** The text that is hashed and signed: the canonical JSON of body, kind and schema. */
export function canonicalContent({ body, kind, schema }: EnvelopeContent): Canonical {
  return canonicalJson({ body, kind, schema })
}

/** The package id of an envelope's {@link canonicalContent}: its BLAKE3, 64 hex digits. */
export function packageIdOf(canonicalText: string): string {
  return bytesToHex(blake3(utf8ToBytes(canonicalText)))
}

import { readJsonFile, type JsonValue } from '../json/json-reader.ts'
import type { Read } from '../problem.ts'
import { canonicalContent, packageIdOf } from './package-id.ts'
import { readBody } from './read-body.ts'
import { signatureState, type SignatureEntry } from './signature.ts'
import type { ModelManifest, SignatureState } from './types.ts'

/** Largest manifest file, in bytes. */
export const MAX_MANIFEST_BYTES = 1024 * 1024

/** The schema of an envelope. */
export const MANIFEST_SCHEMA = 'weftos.workload-manifest.v1'

/**
 * Reads a model manifest file (docs/formats.md, "Model manifest"): an envelope of at most 1 MiB. Every fault is an
 * error with its place; a signature that does not verify is none, but the manifest's state.
 */
export function readManifest(text: string, file: string): Read<ModelManifest> {
  return readJsonFile(text, file, MAX_MANIFEST_BYTES, (root) => readEnvelope(root, file))
}

/** Reads an envelope inside a JSON text; null when it has faults, which are reported. */
export function readEnvelope(
  envelope: JsonValue,
  file: string,
  refused: string | null = null,
): ModelManifest | null {
  const errorsBefore = envelope.errorsTold
  if (!envelope.object(['schema', 'kind', 'body', 'signatures'])) return null
  const schema = envelope.member('schema').oneOf([MANIFEST_SCHEMA])
  const kind = envelope.member('kind').oneOf(['model'])
  const rawBody = envelope.member('body')
  const body = readBody(rawBody)
  const signatures = readSignatures(envelope.nullable('signatures'))
  if (body === null || envelope.errorsTold > errorsBefore) return null

  const canonical = canonicalContent({ schema, kind, body: rawBody.value })
  if (!canonical.ok) {
    const value = envelope.at(canonical.path)
    value.tell(
      'error',
      'manifest-not-canonical',
      `${value.name} ${canonical.reason}, so the model has no package id`,
    )
    return null
  }
  const content = canonical.text
  // Checking a signature takes milliseconds and a registry can hold thousands: each is checked when it is
  // first looked at.
  let state: SignatureState | null = null
  return {
    packageId: packageIdOf(content),
    body,
    get signature() {
      state ??= signatureState(content, signatures)
      return state
    },
    file,
    refused,
  }
}

function readSignatures(list: JsonValue | null): SignatureEntry[] {
  const signatures: SignatureEntry[] = []
  for (const entry of list?.list(0, Infinity) ?? []) {
    if (!entry.object(['algorithm', 'key_id', 'public_key', 'signature'])) continue
    signatures.push({
      algorithm: entry.member('algorithm').text(),
      keyId: entry.member('key_id').text(),
      publicKey: entry.member('public_key').text(),
      signature: entry.member('signature').text(),
    })
  }
  return signatures
}

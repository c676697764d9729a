import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalContent, packageIdOf } from '../../shared/model-manifest/package-id.ts'

/** A manifest body as its file holds it; tests add, change and break members. */
export type BodyJson = Record<string, unknown>

export interface EnvelopeJson {
  schema: unknown
  kind: unknown
  body: unknown
  signatures?: unknown
}

/** The hash that belongs to nothing, of one hex digit repeated. */
export function hash(digit: string): string {
  return digit.repeat(64)
}

/** A sound body with every optional member. */
export function bodyJson(changes: BodyJson = {}): BodyJson {
  return {
    name: 'Model-7B',
    format: 'safetensors',
    shards: [
      { path: 'model-00001-of-00002.safetensors', size: 5_360_001_712, blake3: hash('a') },
      { path: 'model-00002-of-00002.safetensors', size: 12, blake3: hash('b') },
    ],
    tokenizer_path: 'tokenizer.json',
    tokenizer_blake3: hash('c'),
    template_path: 'sub/chat_template.jinja',
    template_blake3: hash('d'),
    source: { hf_repo: 'example-org/Model-7B', hf_revision: '3f9c1d2', ollama_tag: 'model:latest' },
    redistributable: true,
    ...changes,
  }
}

/** An envelope around `body`, without signatures. */
export function envelopeJson(body: unknown, changes: Partial<EnvelopeJson> = {}): EnvelopeJson {
  return { schema: 'weftos.workload-manifest.v1', kind: 'model', body, signatures: [], ...changes }
}

/** The text that is hashed and signed for `envelope`. */
export function contentOf(envelope: EnvelopeJson): string {
  const canonical = canonicalContent(envelope)
  if (!canonical.ok) throw new Error(canonical.reason)
  return canonical.text
}

/** The package id of `envelope`. */
export function idOf(envelope: EnvelopeJson): string {
  return packageIdOf(contentOf(envelope))
}

/** A signature entry over `content` by the key that grows from `seed`. */
export function sign(content: string, seed: number): Record<string, string> {
  const secret = new Uint8Array(32).fill(seed)
  const message = utf8ToBytes(`weftos.workload-manifest.v1\n${content}`)
  return {
    algorithm: 'ed25519',
    key_id: `ed25519:${seed}`,
    public_key: bytesToHex(ed25519.getPublicKey(secret)),
    signature: bytesToHex(ed25519.sign(message, secret)),
  }
}

import type * as BlakeHash from '@napi-rs/blake-hash'
import { createBLAKE3 } from 'hash-wasm'
import { passed, type LeftOut } from './found-model.ts'

/** A BLAKE3 that is under way. */
export interface Hasher {
  readonly update: (bytes: Uint8Array) => void
  /** The hash of all that was given, 64 hex digits. */
  readonly hex: () => string
}

/**
 * A new BLAKE3: the native one, else one in WebAssembly, which is some ten times slower. The native one is an optional
 * binary that an installer may have left out, and that a machine that is gathered does not have.
 */
export async function newHasher(): Promise<Hasher> {
  const native = await nativeHash()
  if (native !== null) {
    const hasher = new native.Blake3Hasher()
    return { update: (bytes) => void hasher.update(bytes as Buffer), hex: () => hasher.digest('hex') }
  }
  const hasher = await createBLAKE3()
  return { update: (bytes) => void hasher.update(bytes), hex: () => hasher.digest('hex') }
}

async function nativeHash(): Promise<typeof BlakeHash | null> {
  try {
    return await import('@napi-rs/blake-hash')
  } catch {
    return null
  }
}

/** A line where the native hash is missing; none where it is there. */
export async function slowHashLines(): Promise<readonly LeftOut[]> {
  if ((await nativeHash()) !== null) return []
  const reason =
    'the native hash is not installed, so that a slower one reads the weights: install Lab Planner again'
  return [passed('this machine', reason)]
}

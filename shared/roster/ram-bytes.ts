import { floatToU64, GB } from '../bytes.ts'
import type { AnyValue } from '../yaml/any-value.ts'
import { readRustFloat } from '../yaml/scalars.ts'
import { trimWhiteSpace } from './rust-text.ts'

/** The most GB a roster entry can ask for. */
const MAX_RAM_GB = 4096

/**
 * `ram_gb` in bytes, truncated; null when it is no number from 0 to 4096. A text may be trimmed and lose its
 * leading tildes, with which the roster marks an estimate (docs/reference.md R6).
 */
export function ramBytes(value: AnyValue): bigint | null {
  const gb = gigabytes(value)
  if (gb === null || !(gb >= 0 && gb <= MAX_RAM_GB)) return null
  return floatToU64(gb * Number(GB))
}

function gigabytes(value: AnyValue): number | null {
  switch (value.kind) {
    case 'number':
      return value.value
    case 'text':
      return readRustFloat(trimWhiteSpace(value.value).replace(/^~+/, ''))
    case 'other':
      return null
  }
}

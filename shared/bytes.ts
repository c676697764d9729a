/**
 * Byte counts are unsigned 64-bit integers held as `bigint`, so that sums are exact and saturate as the reference's
 * do. GB is 1e9 and GiB is 2^30; every name and label says which.
 */

export const U64_MAX = 2n ** 64n - 1n
export const GB = 1_000_000_000n
export const GIB = 1024n ** 3n

/** `a + b`, held at 2^64-1, as the reference's sums are. */
export function saturatingAdd(a: bigint, b: bigint): bigint {
  const sum = a + b
  return sum > U64_MAX ? U64_MAX : sum
}

/** The saturating sum of byte counts. */
export function sumBytes(counts: Iterable<bigint>): bigint {
  let total = 0n
  for (const count of counts) total = saturatingAdd(total, count)
  return total
}

/** A float as the reference's `as u64` casts it: truncated, negatives and NaN to 0, too large to 2^64-1. */
export function floatToU64(value: number): bigint {
  if (Number.isNaN(value) || value <= 0) return 0n
  if (value >= 18446744073709551616) return U64_MAX
  return BigInt(Math.trunc(value))
}

/** GiB (2^30) as typed by a person, such as `1` or `0.5`, in bytes; null when it is not a finite number from 0. */
export function gibToBytes(gib: number): bigint | null {
  if (!Number.isFinite(gib) || gib < 0) return null
  return floatToU64(gib * Number(GIB))
}

const DECIMAL_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const

/** Bytes for a person in decimal units with one decimal (`55.0 GB`, `1.4 TB`, `512 B`), rounded half up, exactly. */
export function formatBytes(bytes: bigint): string {
  if (bytes < 1000n) return `${bytes} B`
  const [size, unit] = unitOf(bytes)
  const tenths = (bytes * 10n + size / 2n) / size
  // 999.96 MB rounds up to a whole of the next unit: say 1.0 GB, not 1000.0 MB.
  if (tenths >= 10_000n && unit !== DECIMAL_UNITS.at(-1)) return formatBytes(size * 1000n)
  return `${tenths / 10n}.${tenths % 10n} ${unit}`
}

/** Decimals tried before two counts that look equal are shown to the byte. */
const MOST_DECIMALS = 3

/**
 * Two byte counts that are compared: in one unit, with as many decimals (one to three) as they need to differ; to the
 * byte where that is not enough. A count too small for the other's unit keeps its own.
 */
export function formatBytesApart(a: bigint, b: bigint): [a: string, b: string] {
  if (a === b) return [formatBytes(a), formatBytes(b)]
  const [size, unit] = unitOf(a > b ? a : b)
  for (let decimals = 1; decimals <= MOST_DECIMALS && size > 1n; decimals++) {
    const [x, y] = [fixed(a, size, decimals), fixed(b, size, decimals)]
    if (x !== y && !isLost(a, x) && !isLost(b, y)) return [`${x} ${unit}`, `${y} ${unit}`]
  }
  const own: [string, string] = [formatBytes(a), formatBytes(b)]
  return own[0] === own[1] ? [formatExactBytes(a), formatExactBytes(b)] : own
}

function unitOf(bytes: bigint): [size: bigint, unit: string] {
  let unit = 0
  let size = 1n
  while (unit < DECIMAL_UNITS.length - 1 && bytes >= size * 1000n) {
    size *= 1000n
    unit++
  }
  return [size, DECIMAL_UNITS[unit] ?? 'EB']
}

/** `bytes` in units of `size`, rounded half up to that many decimals. */
function fixed(bytes: bigint, size: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals)
  const scaled = (bytes * scale + size / 2n) / size
  return `${scaled / scale}.${(scaled % scale).toString().padStart(decimals, '0')}`
}

/** Whether rounding made nothing of something. */
function isLost(bytes: bigint, text: string): boolean {
  return bytes > 0n && Number(text) === 0
}

/** Bytes in GB (1e9) with one decimal, whatever the size: `55.0 GB`, `0.3 GB` (the co-residency sentence's form). */
export function formatGb(bytes: bigint): string {
  const tenths = (bytes * 10n + GB / 2n) / GB
  return `${tenths / 10n}.${tenths % 10n} GB`
}

/** The exact count with thousands separators: `14,200,034,816 bytes`. */
export function formatExactBytes(bytes: bigint): string {
  const digits = bytes.toString().replace(/\B(?=(\d{3})+$)/g, ',')
  return `${digits} ${bytes === 1n ? 'byte' : 'bytes'}`
}

import type { ReactNode } from 'react'
import { formatBytes, formatExactBytes } from '../../shared/bytes.ts'

/** Bytes in decimal units, the exact count at hand as a tooltip. Unknown counts say so. */
export function BytesText({ bytes }: { readonly bytes: bigint | null }): ReactNode {
  if (bytes === null) return <span title="unknown">–</span>
  return <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>
}

/** One accelerator as its vendor's tool tells of it; bytes. */
export interface Gpu {
  readonly device: string
  /** Null where it has no memory of its own to tell of. */
  readonly memory: { readonly total: bigint; readonly free: bigint } | null
}

/** What is asked of `nvidia-smi`. */
export const NVIDIA_SMI_ARGS = [
  '--query-gpu=name,memory.total,memory.free',
  '--format=csv,noheader,nounits',
] as const
/** What is asked of `rocm-smi`. */
export const ROCM_SMI_ARGS = ['--showproductname', '--showmeminfo', 'vram', '--json'] as const

const MIB = 1024n * 1024n
const MAX_DEVICE = 128

/**
 * Reads what `nvidia-smi` answers to {@link NVIDIA_SMI_ARGS}: a line per GPU, memory in MiB, `[N/A]` where it
 * shares the system's. Null when any line is something else: half of an answer cannot be trusted.
 */
export function readNvidiaSmi(output: string): readonly Gpu[] | null {
  const gpus: Gpu[] = []
  for (const line of output.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [, device, total, free] = /^(.+),\s*(\d+|\[N\/A\]),\s*(\d+|\[N\/A\])\s*$/.exec(line) ?? []
    if (device === undefined || total === undefined || free === undefined) return null
    const known = total !== '[N/A]' && free !== '[N/A]'
    gpus.push({
      device: deviceName(device),
      memory: known ? memoryOf(BigInt(total) * MIB, BigInt(free) * MIB) : null,
    })
  }
  return gpus
}

/**
 * Reads what `rocm-smi` answers to {@link ROCM_SMI_ARGS}: an object per card, memory in bytes. Null when it
 * is something else.
 */
export function readRocmSmi(output: string): readonly Gpu[] | null {
  const cards = cardsOf(output)
  if (cards === null) return null
  const gpus: Gpu[] = []
  for (const [name, card] of cards) {
    if (!/^card\d+$/.test(name)) continue
    const total = wholeBytes(card['VRAM Total Memory (B)'])
    const used = wholeBytes(card['VRAM Total Used Memory (B)'])
    if (total === null || used === null) return null
    const device = card['Card series'] ?? card['Card Series'] ?? card['Card model'] ?? card['Card Model']
    const shown = typeof device === 'string' ? deviceName(device) : 'AMD GPU'
    gpus.push({ device: shown, memory: memoryOf(total, used > total ? 0n : total - used) })
  }
  return gpus
}

function memoryOf(total: bigint, free: bigint): Gpu['memory'] {
  return { total, free: free > total ? total : free }
}

function cardsOf(output: string): [string, Readonly<Record<string, unknown>>][] | null {
  // Warnings may stand before the JSON.
  const start = output.indexOf('{')
  if (start === -1) return null
  try {
    const parsed = JSON.parse(output.slice(start)) as unknown
    if (typeof parsed !== 'object' || parsed === null) return null
    return Object.entries(parsed).filter(
      (entry): entry is [string, Readonly<Record<string, unknown>>] =>
        typeof entry[1] === 'object' && entry[1] !== null,
    )
  } catch {
    return null
  }
}

function wholeBytes(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : null
}

function deviceName(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_DEVICE)
}

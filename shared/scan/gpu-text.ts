/** One accelerator as its vendor's tool lists it; bytes. */
export interface Gpu {
  readonly device: string
  /** Null where it has no memory of its own, or its tool does not say how much. */
  readonly memory: { readonly total: bigint; readonly free: bigint | null } | null
  /**
   * For a GPU that works in the system's memory: how much of that it may use; null where it has no bound of
   * its own. Absent for any other GPU.
   */
  readonly shared?: { readonly limit: { readonly total: bigint; readonly free: bigint } | null }
}

/** What a tool's answer holds: what can be read of it counts, whatever stands beside it. */
export interface GpuAnswer {
  readonly gpus: readonly Gpu[]
  /** The tool says that there is none, whatever its exit code. */
  readonly none?: true
  /** The first line that is no card's, or that says that a card cannot be read; null when there is none. */
  readonly remark: string | null
}

/** What is asked of `nvidia-smi`. */
export const NVIDIA_SMI_ARGS = [
  '--query-gpu=name,memory.total,memory.free',
  '--format=csv,noheader,nounits',
] as const
/** What is asked of `rocm-smi`; an APU works in the system's memory beyond its own (`gtt`). */
export const ROCM_SMI_ARGS = ['--showproductname', '--showmeminfo', 'vram', 'gtt', '--json'] as const

const MIB = 1024n * 1024n
const MAX_DEVICE = 128
const MAX_REMARK = 160
const ROW =
  /^(.+),\s*(\d+|\[[^\]]*\]|N\/A|Not Supported)(?:\s*MiB)?,\s*(\d+|\[[^\]]*\]|N\/A|Not Supported)(?:\s*MiB)?\s*$/i

/** Cards that have memory of their own though their tool may not say how much: those that can be partitioned. */
const PARTITIONABLE = /\b(?:A30|A100|H100|H200|H800|B100|B200|B300|RTX PRO)\b/i

/**
 * Reads what `nvidia-smi` answers to {@link NVIDIA_SMI_ARGS}: a line for each GPU, memory in MiB, `[N/A]` where
 * it shares the system's. Null when no line is a GPU's.
 */
export function readNvidiaSmi(output: string): GpuAnswer | null {
  const gpus: Gpu[] = []
  const odd: string[] = []
  for (const line of output.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [, name, total, free] = ROW.exec(line) ?? []
    if (name === undefined || total === undefined || free === undefined) {
      odd.push(line)
      continue
    }
    const device = deviceName(name)
    if (/^\d/.test(total)) {
      const freeBytes = /^\d/.test(free) ? BigInt(free) * MIB : null
      gpus.push({ device, memory: memoryOf(BigInt(total) * MIB, freeBytes) })
      if (freeBytes === null) odd.push(line)
    } else if (isNotApplicable(total) && !PARTITIONABLE.test(device)) {
      gpus.push({ device, memory: null, shared: { limit: null } })
    } else {
      gpus.push({ device, memory: null })
      odd.push(line)
    }
  }
  if (gpus.length === 0 && odd.some((line) => /^No devices were found/i.test(line)))
    return { gpus, none: true, remark: null }
  if (gpus.length === 0 && odd.length > 0) return null
  return { gpus, remark: remarkOf(odd[0]) }
}

function isNotApplicable(field: string): boolean {
  return /^\[?(?:N\/A|Not Supported)\]?$/i.test(field)
}

/** GPUs that are one with the processor, and take the memory of the system, by their name. */
const APU = /strix|radeon\s+8\d{3}S|radeon\s+[6-8]\d0M|radeon(?:\(tm\))?\s+graphics|ryzen|MI300A/i
/** The same by the version of their instructions, which counts before a name that other cards have too. */
const APU_VERSION = /^gfx(?:902|909|90c|1013|103[356]|1103|115\d)$/i
/** Versions that both kinds have. */
const EITHER_VERSION = /^gfx942$/i

function isApu(names: string, version: unknown): boolean {
  const known = typeof version === 'string' && /^gfx/i.test(version) ? version : null
  if (known === null || EITHER_VERSION.test(known)) return APU.test(names)
  return isApuVersion(known)
}

/** Whether GPUs of this version (`gfx1151`) are one with the processor. */
export function isApuVersion(version: string): boolean {
  return APU_VERSION.test(version)
}

/**
 * Reads what `rocm-smi` answers to {@link ROCM_SMI_ARGS}: an object for each card, memory in bytes. Null when it
 * is something else.
 */
export function readRocmSmi(output: string): GpuAnswer | null {
  const cards = cardsOf(output)
  if (cards === null) return null
  const gpus: Gpu[] = []
  const odd: string[] = []
  for (const [name, card] of cards) {
    if (!/^card\d+$/.test(name)) continue
    const names = ['Card series', 'Card Series', 'Card model', 'Card Model', 'GFX Version']
    const known = names.map((each) => card[each]).find((each) => typeof each === 'string' && each !== 'N/A')
    const device = typeof known === 'string' ? deviceName(known) : 'AMD GPU'
    const vram = figures(card, 'VRAM')
    const gtt = figures(card, 'GTT')
    if (vram === null) odd.push(`${name} does not say its memory`)
    const words = names.flatMap((each) => (typeof card[each] === 'string' ? card[each] : [])).join(' ')
    if (gtt !== null && isApu(words, card['GFX Version'])) {
      const own = vram ?? { total: 0n, free: 0n }
      const limit = { total: own.total + gtt.total, free: own.free + gtt.free }
      gpus.push({ device, memory: null, shared: { limit } })
    } else gpus.push({ device, memory: vram })
  }
  return { gpus, remark: remarkOf(odd[0] ?? output.slice(0, output.indexOf('{')).trim().split('\n')[0]) }
}

type Card = Readonly<Record<string, unknown>>

function figures(card: Card, kind: string): { readonly total: bigint; readonly free: bigint } | null {
  const total = wholeBytes(card[`${kind} Total Memory (B)`])
  const used = wholeBytes(card[`${kind} Total Used Memory (B)`])
  if (total === null || used === null) return null
  return { total, free: used > total ? 0n : total - used }
}

function memoryOf(total: bigint, free: bigint | null): Gpu['memory'] {
  return { total, free: free !== null && free > total ? total : free }
}

function cardsOf(output: string): [string, Card][] | null {
  // Warnings may stand before the JSON and behind it.
  const start = output.indexOf('{')
  const end = output.lastIndexOf('}')
  if (start === -1 || end < start) return null
  try {
    const parsed = JSON.parse(output.slice(start, end + 1)) as unknown
    if (typeof parsed !== 'object' || parsed === null) return null
    return Object.entries(parsed).filter(
      (entry): entry is [string, Card] => typeof entry[1] === 'object' && entry[1] !== null,
    )
  } catch {
    return null
  }
}

function wholeBytes(value: unknown): bigint | null {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : null
}

/** A line of a program for a note: printable, and short. */
export function remarkOf(line: string | undefined): string | null {
  const text = (line ?? '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .trim()
    .slice(0, MAX_REMARK)
  return text === '' ? null : text
}

function deviceName(text: string): string {
  return text
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, MAX_DEVICE)
}

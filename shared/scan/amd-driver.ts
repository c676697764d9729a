import { isApuVersion, type Gpu } from './gpu-text.ts'

/**
 * What Linux' driver for AMD GPUs says of them without any tool: lines `card0 vram_total BYTES` (also `vram_used`, `gtt_total`,
 * `gtt_used`) and `card0 slot 0000:c5:00.0` of each card, and `kfd1 gfx 110501`, `kfd1 location N` and `kfd1 domain N` of each
 * unit that computes. Cards whose kind is not known are left out: the memory of one could be taken for that of the other.
 */
export function readAmdDriver(lines: readonly string[]): readonly Gpu[] {
  const cards = new Map<string, Map<string, string>>()
  for (const line of lines) {
    const [name = '', key = '', value = ''] = line.trim().split(/\s+/)
    cards.set(name, (cards.get(name) ?? new Map<string, string>()).set(key, value))
  }
  const units = [...cards].flatMap(([name, unit]) => (name.startsWith('kfd') ? [unit] : []))
  return [...cards].flatMap(([name, card]): Gpu[] => {
    if (!/^card\d+$/.test(name)) return []
    const slot = card.get('slot')
    const unit = units.find((each) => slot !== undefined && slotOf(each) === slot)
    const version = gfxVersion(unit?.get('gfx'))
    const vram = figures(card, 'vram')
    const gtt = figures(card, 'gtt')
    if (version === null || vram === null) return []
    const device = `AMD GPU (${version})`
    if (!isApuVersion(version)) return [{ device, memory: vram }]
    const own = gtt ?? { total: 0n, free: 0n }
    const limit = { total: vram.total + own.total, free: vram.free + own.free }
    return [{ device, memory: null, shared: { limit } }]
  })
}

function bytesOf(text: string | undefined): bigint | null {
  return text !== undefined && /^\d{1,19}$/.test(text) ? BigInt(text) : null
}

function figures(
  card: ReadonlyMap<string, string>,
  kind: 'vram' | 'gtt',
): { readonly total: bigint; readonly free: bigint } | null {
  const total = bytesOf(card.get(`${kind}_total`))
  const used = bytesOf(card.get(`${kind}_used`))
  if (total === null || used === null) return null
  return { total, free: used > total ? 0n : total - used }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** The place of a unit as a card's slot is written: domain, bus, device and function. */
function slotOf(unit: ReadonlyMap<string, string>): string | null {
  const location = numberOf(unit.get('location'))
  if (location === null) return null
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
  const domain = numberOf(unit.get('domain')) ?? 0
  return `${hex(domain, 4)}:${hex(location >> 8, 2)}:${hex((location >> 3) & 31, 2)}.${location & 7}`
}

/** `110501` as `gfx1151`; null for a unit that is no GPU. */
function gfxVersion(text: string | undefined): string | null {
  const number = numberOf(text)
  if (number === null || number === 0) return null
  const [major, minor, step] = [Math.trunc(number / 10_000), Math.trunc(number / 100) % 100, number % 100]
  return `gfx${major}${minor}${step.toString(16)}`
}

import { floatToU64, sumBytes } from '../bytes.ts'
import type { Capability, MemoryPool, MemoryPools } from './types.ts'

/** What a memory capability reports, in bytes; at least one of the two. */
interface Figures {
  readonly free: bigint
  readonly total: bigint
}

/**
 * The memory a node reports (docs/formats.md, "Node facts"). With `mem.unified` there is one pool: its figures,
 * else those of `mem.system`. Otherwise the host pool is `mem.system` and the accelerator pool the sum of
 * `mem.vram`. Free falls back to total and the reverse; a pool without either figure is not known. Memory that is
 * degraded, reserved or busy for one owner alone is no memory for roles, as with runtimes.
 */
export function memoryPools(capabilities: readonly Capability[]): MemoryPools {
  const system = firstFigures(capabilities, 'mem.system')
  if (capabilities.some((each) => each.id === 'mem.unified' && isUsable(each))) {
    const unified = firstFigures(capabilities, 'mem.unified') ?? system
    return { kind: 'unified', roles: unified && poolOf('unified', [unified]), host: null }
  }
  const vram = allFigures(capabilities, 'mem.vram')
  return {
    kind: 'split',
    roles: vram.length === 0 ? null : poolOf('accelerator', vram),
    host: system && poolOf('host', [system]),
  }
}

function isUsable({ state, exclusive }: Capability): boolean {
  return state === 'available' || (state === 'busy' && !exclusive)
}

function poolOf(name: MemoryPool['name'], parts: readonly Figures[]): MemoryPool {
  return {
    name,
    freeBytes: sumBytes(parts.map(({ free }) => free)),
    totalBytes: sumBytes(parts.map(({ total }) => total)),
  }
}

function firstFigures(capabilities: readonly Capability[], id: string): Figures | null {
  return allFigures(capabilities, id)[0] ?? null
}

/** The figures of every capability `id` that has any. */
function allFigures(capabilities: readonly Capability[], id: string): Figures[] {
  const figures: Figures[] = []
  for (const capability of capabilities) {
    if (capability.id !== id || !isUsable(capability)) continue
    const free = bytesOf(capability, 'free')
    const total = bytesOf(capability, 'total')
    const known = free ?? total
    if (known !== null) figures.push({ free: known, total: total ?? known })
  }
  return figures
}

/** Attribute `name` in bytes; null when it is no number from 0. */
function bytesOf(capability: Capability, name: string): bigint | null {
  const value = capability.attrs.get(name)
  return typeof value === 'number' && value >= 0 ? floatToU64(value) : null
}

import type { HardwareSections } from '../../../shared/gather/hardware-script.ts'
import { readAmdDriver } from '../../../shared/scan/amd-driver.ts'
import { memoryLimitOf, withinLimit } from '../../../shared/scan/control-group.ts'
import { readJetson } from '../../../shared/scan/jetson.ts'
import { readDf } from '../../../shared/scan/df-text.ts'
import type { AskProgram } from '../scan/ask-program.ts'
import type { MachineFacts } from '../scan/own-machine.ts'
import type { ProbeOptions } from '../scan/probe-machine.ts'

const PCI_VENDORS: Readonly<Record<string, string>> = { '0x10de': 'an NVIDIA GPU', '0x1002': 'an AMD GPU' }

/**
 * A machine as the hardware script described it, to be probed like this one: its programs "answer" what the script was
 * answered.
 */
export function scriptedMachine(sections: HardwareSections): ProbeOptions {
  const line = (name: string): string => sections.get(name)?.[0]?.trim() ?? ''
  const isMac = line('system') === 'Darwin'
  const ask: AskProgram = (command) => {
    const code = Number(line(`${command}.exit`) || NaN)
    if (!Number.isInteger(code)) return Promise.resolve({ kind: 'absent' })
    if (code === 124) return Promise.resolve({ kind: 'timed_out' })
    const stdout = (sections.get(command) ?? []).join('\n')
    return Promise.resolve({ kind: 'ended', exitCode: code, stdout, stderr: '' })
  }
  const facts: MachineFacts = {
    cpu: () => Promise.resolve(cpuOf(sections)),
    os: () => Promise.resolve({ version: osVersion(sections), kernel: line('kernel') }),
    memory: () => Promise.resolve(isMac ? macMemory(sections) : linuxMemory(sections)),
    appleGpu: () => Promise.resolve(isMac && line('arch') === 'arm64' ? appleGpu(line) : null),
    amdCards: () => Promise.resolve(readAmdDriver(sections.get('amd') ?? [])),
    jetson: () => Promise.resolve(readJetson(line('board'))),
    gpuDevices: () => Promise.resolve(isMac ? null : gpuDevices(sections)),
    wiredLimit: () => Promise.resolve(wiredLimit(line('iogpu.wired_limit_mb'))),
    mounts: () => Promise.resolve(mountsOf(sections)),
    // The script lists no processes.
    servers: () => Promise.resolve(null),
  }
  const platform = isMac ? 'darwin' : line('system') === 'Linux' ? 'linux' : 'freebsd'
  return { platform, arch: NODE_ARCH[line('arch')] ?? line('arch'), ask, facts, timeoutMs: 1000 }
}

/** The names of `uname` as Node has them. */
const NODE_ARCH: Readonly<Record<string, string>> = {
  x86_64: 'x64',
  amd64: 'x64',
  aarch64: 'arm64',
  arm64: 'arm64',
  armv7l: 'arm',
  i686: 'ia32',
}

function cpuOf(sections: HardwareSections): { model: string; cores: number } | null {
  const info = sections.get('cpuinfo') ?? []
  const cores = info.filter((line) => /^processor\s*:/.test(line)).length
  const model = info.find((line) => /^(?:model name|Model)\s*:/.test(line))?.replace(/^[^:]*:\s*/, '')
  if (cores > 0) return { model: model ?? '', cores }
  const count = Number(sections.get('hw.ncpu')?.[0] ?? NaN)
  const brand = sections.get('machdep.cpu.brand_string')?.[0] ?? ''
  return Number.isInteger(count) && count > 0 ? { model: brand, cores: count } : null
}

function osVersion(sections: HardwareSections): string {
  const pretty = (sections.get('release') ?? []).find((line) => line.startsWith('PRETTY_NAME='))
  const quoted = pretty?.slice('PRETTY_NAME='.length).replace(/^["']|["']$/g, '')
  return quoted ?? sections.get('sw_vers')?.[0] ?? ''
}

function linuxMemory(sections: HardwareSections): ReturnType<typeof withinLimit> | null {
  const kib = (key: string): bigint | null => {
    const line = (sections.get('meminfo') ?? []).find((each) => each.startsWith(`${key}:`))
    const [, figure] = /^\S+\s+(\d{1,15}) kB/.exec(line ?? '') ?? []
    return figure === undefined ? null : BigInt(figure) * 1024n
  }
  const total = kib('MemTotal')
  const free = kib('MemAvailable') ?? kib('MemFree')
  if (total === null || free === null) return null
  const text = (name: string): string => (sections.get(name) ?? []).join('\n')
  const limit = memoryLimitOf({ limit: text('limit'), used: text('used'), stat: text('stat') })
  return withinLimit(total, free, limit)
}

function macMemory(sections: HardwareSections): { total: bigint; free: bigint } | null {
  const total = sections.get('hw.memsize')?.[0]?.trim() ?? ''
  if (!/^\d{1,19}$/.test(total)) return null
  const lines = sections.get('vm_stat') ?? []
  const page = BigInt(/page size of (\d{3,6}) bytes/.exec(lines[0] ?? '')?.[1] ?? 16_384)
  const pages = ['free', 'inactive', 'speculative', 'purgeable'].map((kind) => {
    const line = lines.find((each) => each.startsWith(`Pages ${kind}:`))
    return BigInt(/(\d{1,15})\./.exec(line ?? '')?.[1] ?? 0)
  })
  return { total: BigInt(total), free: pages.reduce((sum, each) => sum + each, 0n) * page }
}

function appleGpu(line: (name: string) => string): { device: string; cores: null } {
  return { device: line('machdep.cpu.brand_string') || 'Apple GPU', cores: null }
}

function gpuDevices(sections: HardwareSections): readonly string[] {
  const vendors = (sections.get('vendor') ?? []).flatMap((vendor) => PCI_VENDORS[vendor.trim()] ?? [])
  const devices = (sections.get('device') ?? []).map((device) =>
    device.includes('kfd') ? 'an AMD GPU' : 'an NVIDIA GPU',
  )
  return [...new Set([...vendors, ...devices])]
}

function wiredLimit(text: string): bigint | null {
  return /^[1-9]\d{0,8}$/.test(text) ? BigInt(text) * 1024n * 1024n : null
}

/** File systems with what is free there; read only where the system says so. */
function mountsOf(
  sections: HardwareSections,
): { source: string; path: string; freeBytes: bigint; writable: boolean }[] | null {
  const lines = readDf((sections.get('df') ?? []).join('\n'))
  if (lines.length === 0) return null
  const readOnly = new Set(
    (sections.get('mounts') ?? []).flatMap((line) => {
      const [, path = '', , options = ''] = line.split(' ')
      return options.split(',').includes('ro') ? [path] : []
    }),
  )
  return lines.map(({ source, path, freeBytes }) => {
    return { source, path, freeBytes, writable: !readOnly.has(path) }
  })
}

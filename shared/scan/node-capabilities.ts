import { MODEL_FORMATS, RUNTIME_TRAITS } from '../inference-spec.ts'
import { MAX_ATTR_TEXT_BYTES, MAX_CAPABILITIES } from '../node/read-node-facts.ts'
import { SERVER_HELD } from '../node/held-memory.ts'
import type { AttrValue, Capability } from '../node/types.ts'
import { advertiseModel, type Advertised } from './holdings.ts'
import type { Gpu } from './gpu-text.ts'
import type { Asked, ProbeResults, ProgramFault } from './probe-results.ts'
import { storageTiers } from './storage-tiers.ts'
import { RUNTIME_PROBES } from './version-text.ts'

type Note = Advertised['notes'][number]

/**
 * What a node advertises, and how it was seen. Nothing is in it that no probe saw; no path and no drive's
 * label is.
 */
export function nodeCapabilities(probes: ProbeResults): Advertised {
  const parts = [
    machineOf(probes),
    acceleratorsOf(probes),
    memoryOf(probes),
    serversOf(probes),
    runtimesOf(probes),
    storageOf(probes),
    ...probes.models.map(advertiseModel),
  ]
  const capabilities = parts.flatMap((part) => part.capabilities)
  const notes = parts.flatMap((part) => part.notes)
  if (capabilities.length <= MAX_CAPABILITIES) return { capabilities, notes }
  const left = capabilities.length - MAX_CAPABILITIES
  const note = `${left} capabilities are left out: facts hold ${MAX_CAPABILITIES} at most`
  return {
    capabilities: capabilities.slice(0, MAX_CAPABILITIES),
    notes: [...notes, { probe: 'model.present', note }],
  }
}

function capability(
  id: string,
  attrs: Readonly<Record<string, AttrValue | null>> = {},
  state: Capability['state'] = 'available',
): Capability {
  const known = Object.entries(attrs).flatMap(([name, value]): [string, AttrValue][] => {
    return value === null || value === '' ? [] : [[name, typeof value === 'string' ? attrText(value) : value]]
  })
  return { id, attrs: new Map(known), provenance: 'probed', state, exclusive: false }
}

/** Text of the machine's own as an attribute: printable, and short enough in whatever script it is. */
function attrText(text: string): string {
  return text
    .replace(/\p{C}/gu, ' ')
    .trim()
    .slice(0, Math.floor(MAX_ATTR_TEXT_BYTES / 4))
}

function machineOf({ platform, arch, cpu, os }: ProbeResults): Advertised {
  const capabilities = [
    capability(`cpu.arch.${arch}`, { cores: cpu?.cores ?? null, model: cpu?.model ?? null }),
  ]
  const notes: Note[] = []
  switch (platform) {
    case 'linux':
      capabilities.push(capability('os.linux', { distro: os?.version ?? null, kernel: os?.kernel ?? null }))
      break
    case 'macos':
    case 'windows':
      capabilities.push(capability(`os.${platform}`, { version: os?.version ?? null }))
      break
    case 'other':
      notes.push({ probe: 'os', note: 'this operating system has no name among capabilities' })
      break
  }
  const note = cpu === null ? 'the processor did not say its model in time' : SYSTEM_REPORTED
  return { capabilities, notes: [{ probe: `cpu.arch.${arch}`, note: note }, ...notes] }
}

const SYSTEM_REPORTED = 'as the operating system says'

const NO_GPUS: readonly Gpu[] = []

function gpusOf(asked: Asked<readonly Gpu[]>): readonly Gpu[] {
  return asked.kind === 'answered' ? asked.value : NO_GPUS
}

function acceleratorsOf({ appleGpu, nvidia, rocm }: ProbeResults): Advertised {
  const gpus = (id: string, found: readonly Gpu[]): Capability[] =>
    found.map(({ device, memory }) => {
      return capability(id, {
        device,
        mem_bytes: memory && Number(memory.total),
        mem_free_bytes: typeof memory?.free === 'bigint' ? Number(memory.free) : null,
      })
    })
  const apple = appleGpu && capability('accel.gpu.metal', { ...appleGpu, unified: true, vendor: 'apple' })
  return {
    capabilities: [
      ...(apple ? [apple] : []),
      ...gpus('accel.gpu.cuda', gpusOf(nvidia)),
      ...gpus('accel.gpu.rocm', gpusOf(rocm)),
    ],
    notes: [
      ...(apple ? [{ probe: 'accel.gpu.metal', note: 'seen in the system’s list of displays' }] : []),
      askedNote('accel.gpu.cuda', 'nvidia-smi', nvidia),
      askedNote('accel.gpu.rocm', 'rocm-smi', rocm),
    ],
  }
}

function askedNote(probe: string, program: string, asked: Asked<readonly Gpu[]>): Note {
  const remark = asked.remark ? `; it says: ${asked.remark}` : ''
  if (asked.kind === 'absent') {
    const note = `${program} was not found, on PATH or in its usual places: not known whether there is such a GPU`
    return { probe, note }
  }
  if (asked.kind !== 'answered') return { probe, note: `${program} ${FAULT_WORDS[asked.kind]}${remark}` }
  const silent = asked.value.filter(({ memory, shared }) => memory === null && shared === undefined).length
  if (asked.by === 'driver') {
    const found = `by the driver’s own files: ${asked.value.length} found`
    return { probe, note: `${program} lists no card${remark}; ${found}` }
  }
  const words = silent > 0 ? `, of which ${silent} cannot be read` : ''
  return { probe, note: `${program} answered: ${asked.value.length} found${words}${remark}` }
}

const FAULT_WORDS: Readonly<Record<ProgramFault, string>> = {
  absent: 'was not found',
  timed_out: 'did not answer in time',
  failed: 'failed',
  not_recognised: 'answered something that is not understood',
}

/**
 * Whether nothing speaks for an accelerator: no tool lists one or failed to say, and the system lists no device.
 */
function runsOnCpu({ platform, arch, appleGpu, nvidia, rocm, gpuDevices }: ProbeResults): boolean {
  const none = [nvidia, rocm].every((asked) => {
    return asked.kind === 'absent' || (asked.kind === 'answered' && asked.value.length === 0)
  })
  const noDevice = (gpuDevices ?? []).length === 0
  return none && noDevice && appleGpu === null && !(platform === 'macos' && arch === 'aarch64')
}

const GIB = 2n ** 30n

/** What the GPU of an Apple chip may use of its memory where no limit was set: its share by default. */
function defaultWiredLimit(total: bigint): bigint {
  return total > 36n * GIB ? (total * 3n) / 4n : (total * 2n) / 3n
}

type Memory = NonNullable<ProbeResults['memory']>

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function poolFigures(total: bigint, free: bigint): { readonly total: number; readonly free: number } {
  return { total: Number(total), free: Number(least(free, total)) }
}

/**
 * Memory: one unified pool where processor and GPU share it, with what roles may really use of it; else the
 * host's, and each accelerator's own. A machine without any accelerator runs models on its processor, from its
 * one pool, and so advertises that one as unified: a role's memory is looked for nowhere else.
 */
function memoryOf(probes: ProbeResults): Advertised {
  const { memory, platform, arch, nvidia, rocm } = probes
  const own = [...gpusOf(nvidia), ...gpusOf(rocm)]
  const vram = own.flatMap(({ device, memory: pool }) => {
    if (pool === null) return []
    const free = pool.free === null ? null : Number(pool.free)
    return [capability('mem.vram', { device, total: Number(pool.total), free })]
  })
  if (memory === null) {
    return {
      capabilities: vram,
      notes: [{ probe: 'mem.system', note: 'the machine did not answer in time' }],
    }
  }
  const system = capability('mem.system', poolFigures(memory.total, memory.free))
  const said =
    memory.limited === true ? `${SYSTEM_REPORTED}, within the limit of its container` : SYSTEM_REPORTED
  const systemNote = { probe: 'mem.system', note: said }
  if (platform === 'macos' && arch === 'aarch64') return appleMemory(memory, probes.wiredLimit)
  const shared = own.find((gpu) => gpu.shared !== undefined)
  if (vram.length === 0 && shared?.shared !== undefined) {
    return sharedMemory(memory, shared.device, shared.shared.limit, [system], [systemNote])
  }
  if (runsOnCpu(probes)) {
    const note =
      'no accelerator was seen, by a tool or a device: models run on the processor, from its one pool'
    const unified = capability('mem.unified', poolFigures(memory.total, memory.free))
    return { capabilities: [system, unified], notes: [systemNote, { probe: 'mem.unified', note }] }
  }
  const devices = probes.gpuDevices ?? []
  const unread = vram.length === 0 && devices.length > 0
  const note = `the system lists ${devices.join(', ')}, whose memory no tool says: no pool for models is known`
  return {
    capabilities: [system, ...vram],
    notes: [systemNote, ...(unread ? [{ probe: 'mem.vram', note }] : [])],
  }
}

function appleMemory({ total, free }: Memory, wiredLimit: bigint | null): Advertised {
  const limit = wiredLimit ?? defaultWiredLimit(total)
  const share = wiredLimit === null ? 'its default share' : 'the wired limit that was set'
  const note = `${SYSTEM_REPORTED}; an Apple chip: one pool, of which its GPU may use ${share}`
  const figures = poolFigures(least(limit, total), free)
  return { capabilities: [capability('mem.unified', figures)], notes: [{ probe: 'mem.unified', note }] }
}

function sharedMemory(
  { total, free }: Memory,
  device: string,
  limit: { readonly total: bigint; readonly free: bigint } | null,
  capabilities: readonly Capability[],
  notes: readonly Note[],
): Advertised {
  const figures =
    limit === null ? poolFigures(total, free) : poolFigures(limit.total, least(limit.free, free))
  const bound = limit === null ? '' : ', of which it may use what its driver says'
  const note = `${device} shares the memory of the system${bound}: one pool`
  return {
    capabilities: [...capabilities, capability('mem.unified', figures)],
    notes: [...notes, { probe: 'mem.unified', note }],
  }
}

/** What inference servers hold of the memory for roles, so that a plan can give a role's own back to it. */
function serversOf({ servers }: ProbeResults): Advertised {
  if (servers === null) {
    return { capabilities: [], notes: [] }
  }
  const capabilities = servers
    .filter(({ bytes }) => bytes > 0n)
    .map(({ pid, process, port, model, bytes }) => {
      return capability(SERVER_HELD, { process, pid, port, model, bytes: Number(bytes) })
    })
  const note =
    servers.length === 0
      ? 'no inference server was seen running'
      : `${servers.length} inference server${servers.length === 1 ? '' : 's'} seen running, by the list of processes`
  return { capabilities, notes: [{ probe: SERVER_HELD, note }] }
}

function runtimesOf({ runtimes }: ProbeResults): Advertised {
  const capabilities: Capability[] = []
  const notes: Note[] = []
  const formats = new Set<string>()
  for (const { runtime, asked } of runtimes) {
    const { capability: id, formats: loads } = RUNTIME_TRAITS[runtime]
    const probe = RUNTIME_PROBES.find((each) => each.runtime === runtime)
    const program = probe?.command ?? runtime
    if (asked.kind !== 'answered') {
      const remark = asked.remark ? `; it says: ${asked.remark}` : ''
      notes.push({ probe: id, note: `${program} ${FAULT_WORDS[asked.kind]}${remark}` })
      continue
    }
    const { version } = asked.value
    capabilities.push(capability(id, { version, formats: loads }))
    const said =
      version === null ? 'answered with its usage, which names no version' : `answered: version ${version}`
    notes.push({ probe: id, note: `${program} ${(probe?.args ?? []).join(' ')} ${said}` })
    for (const format of loads) formats.add(format)
  }
  const loadable = MODEL_FORMATS.filter((format) => formats.has(format)).map((format) =>
    capability(`format.${format}`),
  )
  return { capabilities: [...capabilities, ...loadable], notes }
}

function storageOf({ mounts, awayMounts }: ProbeResults): Advertised {
  const note = mounts === null ? 'the machine did not answer in time' : SYSTEM_REPORTED
  const notes: Note[] = [{ probe: 'store.tier.internal', note: note }]
  const tiers = storageTiers(mounts ?? [], awayMounts)
  const capabilities = tiers.map(({ kind, freeBytes }) => {
    if (freeBytes === null) return capability('store.tier.external', { mounted: false }, 'degraded')
    const free = Number(freeBytes)
    return kind === 'internal'
      ? capability('store.tier.internal', { free })
      : capability('store.tier.external', { free, mounted: true })
  })
  const away = tiers.filter(({ freeBytes }) => freeBytes === null).length
  if (away > 0) {
    const drives = away === 1 ? 'a drive' : `${away} drives`
    notes.push({ probe: 'store.tier.external', note: `${drives} that models were scanned on: not mounted` })
  }
  return { capabilities, notes }
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryPools } from '../../../../shared/node/memory-pools.ts'
import { readNodeFacts } from '../../../../shared/node/read-node-facts.ts'
import type { NodeFacts } from '../../../../shared/node/types.ts'
import { nodeCapabilities } from '../../../../shared/scan/node-capabilities.ts'
import { nodeFactsText, nodeIdOf, type FactsHead } from '../../../../shared/scan/node-facts-text.ts'
import type { ProbeResults } from '../../../../shared/scan/probe-results.ts'
import { isExternalMount, storageTiers, type Mount } from '../../../../shared/scan/storage-tiers.ts'
import { hash } from '../../../support/manifests.ts'

const ABSENT = { kind: 'absent' } as const

const LINUX: ProbeResults = {
  platform: 'linux',
  arch: 'x86_64',
  cpu: { model: 'AMD EPYC', cores: 16 },
  os: { version: 'Debian GNU/Linux 12', kernel: '6.1.0' },
  memory: { total: 64_000_000_000n, free: 50_000_000_000n },
  appleGpu: null,
  gpuDevices: [],
  servers: null,
  wiredLimit: null,
  nvidia: ABSENT,
  rocm: ABSENT,
  runtimes: [],
  mounts: [{ source: '/dev/sda1', path: '/', freeBytes: 900n, writable: true }],
  awayMounts: [],
  models: [],
}
const MAC: ProbeResults = {
  ...LINUX,
  platform: 'macos',
  arch: 'aarch64',
  appleGpu: { device: 'Apple M3 Ultra', cores: 80 },
}
const HEAD: FactsHead = { nodeId: 'box', issuedAt: 1000, previousSeq: null }

function factsOf(probes: ProbeResults, head = HEAD): NodeFacts {
  const read = readNodeFacts(nodeFactsText(head, nodeCapabilities(probes)), 'box.json')
  expect(read.problems).toEqual([])
  if (!read.ok) throw new Error('not read')
  return read.value
}

function ids(probes: ProbeResults): string[] {
  return factsOf(probes).capabilities.map(({ id }) => id)
}

describe('the facts of a machine', () => {
  test('have its memory as one pool on an Apple chip, beside its GPU', () => {
    const { capabilities } = factsOf(MAC)
    expect(memoryPools(capabilities)).toMatchObject({
      kind: 'unified',
      roles: { freeBytes: 48_000_000_000n, totalBytes: 48_000_000_000n },
    })
    expect(ids(MAC)).toEqual([
      'cpu.arch.aarch64',
      'os.macos',
      'accel.gpu.metal',
      'mem.unified',
      'store.tier.internal',
    ])
  })

  test.each([
    ['an eighth more than its share, as it was set', 54_000_000_000n, 54_000_000_000n],
    ['all there is, at most', 90_000_000_000n, 64_000_000_000n],
  ])('let the GPU of an Apple chip use %s', (_what, wiredLimit, totalBytes) => {
    const { capabilities } = factsOf({ ...MAC, wiredLimit })
    expect(memoryPools(capabilities)).toMatchObject({ kind: 'unified', roles: { totalBytes } })
  })

  test.each([
    ['all of it', null, 50_000_000_000n],
    ['what its driver lets it', { total: 40_000_000_000n, free: 39_000_000_000n }, 39_000_000_000n],
  ])('have one pool where a GPU works in the system’s memory: %s', (_what, limit, freeBytes) => {
    const gpu = { device: 'NVIDIA GB10', memory: null, shared: { limit } }
    const facts = factsOf({ ...LINUX, nvidia: { kind: 'answered', value: [gpu] } })
    expect(memoryPools(facts.capabilities)).toMatchObject({ kind: 'unified', roles: { freeBytes } })
  })

  test('have no pool for models where a device is listed and no tool was found', () => {
    const facts = factsOf({ ...LINUX, gpuDevices: ['an AMD GPU'] })
    expect(memoryPools(facts.capabilities)).toMatchObject({ kind: 'split', roles: null })
    expect(facts.notes.map(({ note }) => note).join()).toContain('the system lists an AMD GPU')
  })

  test('say what a tool said beside its answer', () => {
    const gpu = { device: 'RTX', memory: { total: 10n, free: null } }
    const nvidia = { kind: 'answered', value: [gpu], remark: 'exit code 14, “WARNING”' } as const
    const { notes, capabilities } = factsOf({ ...LINUX, nvidia })
    expect(notes.map(({ note }) => note)).toContain(
      'nvidia-smi answered: 1 found; it says: exit code 14, “WARNING”',
    )
    expect(capabilities.some(({ id }) => id === 'mem.vram')).toBe(true)
  })

  test('have a pool for each card that its tool reports', () => {
    const memory = { total: 48_000_000_000n, free: 40_000_000_000n }
    const gpu = { device: 'RTX', memory }
    const { capabilities } = factsOf({ ...LINUX, nvidia: { kind: 'answered', value: [gpu, gpu] } })
    expect(memoryPools(capabilities)).toMatchObject({
      kind: 'split',
      roles: { freeBytes: 80_000_000_000n },
      host: { freeBytes: 50_000_000_000n },
    })
  })

  test('have the processor’s pool for models where no accelerator is, and say so', () => {
    const facts = factsOf(LINUX)
    expect(memoryPools(facts.capabilities)).toMatchObject({
      kind: 'unified',
      roles: { freeBytes: 50_000_000_000n },
    })
    expect(facts.notes.find(({ probe }) => probe === 'mem.unified')?.note).toContain('no accelerator')
  })

  test.each(['timed_out', 'failed', 'not_recognised'] as const)(
    'have no pool for models where nvidia-smi is there and %s: what it would run on is not known',
    (kind) => {
      expect(ids({ ...LINUX, nvidia: { kind } })).not.toContain('mem.unified')
      expect(ids({ ...LINUX, nvidia: { kind } })).not.toContain('accel.gpu.cuda')
    },
  )

  test('have a runtime and its formats only when it answered', () => {
    const runtimes: ProbeResults['runtimes'] = [
      { runtime: 'infer.llamacpp', asked: { kind: 'answered', value: { version: '6527' } } },
      { runtime: 'infer.ollama', asked: { kind: 'timed_out' } },
      { runtime: 'infer.mlx-lm', asked: { kind: 'not_recognised' } },
    ]
    expect(ids({ ...LINUX, runtimes }).filter((id) => /^(?:runtime|format)\./.test(id))).toEqual([
      'runtime.infer.llamacpp',
      'format.gguf',
    ])
    const notes = factsOf({ ...LINUX, runtimes }).notes.map(({ note }) => note)
    expect(notes).toContain('ollama did not answer in time')
    expect(notes).toContain('mlx_lm.server answered something that is not understood')
    expect(notes).toContain('llama-server --version answered: version 6527')
  })

  test('advertise nothing where no probe answered', () => {
    const silent: ProbeResults = { ...LINUX, cpu: null, os: null, memory: null, mounts: null }
    expect(ids(silent)).toEqual(['cpu.arch.x86_64', 'os.linux'])
  })

  test('hold no path and no drive’s label', () => {
    const mounts: Mount[] = [
      { source: '/dev/sdb1', path: '/Volumes/SECRET-LABEL', freeBytes: 5n, writable: true },
    ]
    const text = nodeFactsText(
      HEAD,
      nodeCapabilities({ ...MAC, mounts, awayMounts: ['/Volumes/OTHER-LABEL'] }),
    )
    expect(text).not.toMatch(/LABEL|Volumes|sdb1/)
    expect(text).toContain('"mounted": false')
  })

  test('say of every capability but formats how it was seen', () => {
    const told = new Set(factsOf(LINUX).notes.map(({ probe }) => probe))
    for (const id of ids(LINUX).filter((each) => !each.startsWith('os.'))) expect(told).toContain(id)
  })

  test('stay within the 512 capabilities that a reader takes', () => {
    const models = Array.from({ length: 600 }, (_, i) => ({
      name: `M${i}`,
      packageId: hash('f'),
      shardHashes: [hash('a')],
      places: [{ kind: 'detached' as const }],
    }))
    expect(factsOf({ ...LINUX, models }).capabilities).toHaveLength(512)
  })

  test('read back without problems whatever the machine calls its parts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3000 })
    fc.assert(
      fc.property(text, text, text, (model, version, device) => {
        const memory = { total: 10n, free: 5n }
        factsOf({
          ...LINUX,
          cpu: { model, cores: 4 },
          os: { version, kernel: version },
          nvidia: { kind: 'answered', value: [{ device, memory }] },
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('the seq of new facts', () => {
  test.each([
    ['the time, when there are none before', null, 1000],
    ['one above the ones before, when those are ahead of the time', 5000, 5001],
    ['the time, when it is ahead of the ones before', 7, 1000],
  ])('is %s', (_what, previousSeq, seq) => {
    expect(factsOf(LINUX, { ...HEAD, previousSeq }).seq).toBe(seq)
  })
})

describe('storage tiers', () => {
  const mount = (path: string, source = path, writable = true): Mount => ({
    source,
    path,
    freeBytes: 7n,
    writable,
  })

  test.each(['/Volumes/Models', '/media/me/disk', '/mnt/usb', '/run/media/me/disk'])(
    '%s is external',
    (path) => {
      expect(isExternalMount(path)).toBe(true)
    },
  )

  test.each(['/', '/home', '/data', '/Volumes', '/mnt'])('%s is internal', (path) => {
    expect(isExternalMount(path)).toBe(false)
  })

  test('leave out file systems that hold no weights, and count a file system once', () => {
    const mounts = [
      mount('/', 'a'),
      mount('/boot/efi'),
      mount('/home', 'a'),
      mount('/iso', 'i', false),
      mount('/mnt/x'),
    ]
    expect(storageTiers(mounts, [])).toEqual([
      { kind: 'internal', freeBytes: 7n },
      { kind: 'external', freeBytes: 7n },
    ])
  })

  test('name an external drive that is away, and nothing else that is', () => {
    expect(storageTiers([], ['/Volumes/X', '/nas'])).toEqual([{ kind: 'external', freeBytes: null }])
  })
})

test.each([
  ['mac-studio.local', 'mac-studio'],
  ['My Mac (2)', 'My-Mac-2'],
  ['日本', null],
])('the machine %j is node %j', (host, id) => {
  expect(nodeIdOf(host)).toBe(id)
})

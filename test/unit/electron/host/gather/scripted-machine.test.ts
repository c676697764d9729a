import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { scriptedMachine } from '../../../../../electron/host/gather/scripted-machine.ts'
import { probeMachine } from '../../../../../electron/host/scan/probe-machine.ts'
import { FrameReader } from '../../../../../shared/gather/frames.ts'
import { hardwareScript, hardwareSections } from '../../../../../shared/gather/hardware-script.ts'
import { nodeCapabilities } from '../../../../../shared/scan/node-capabilities.ts'

const MARK = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'

function idsOf(probes: Awaited<ReturnType<typeof probeMachine>>): Set<string> {
  const { capabilities } = nodeCapabilities({ ...probes, models: [], awayMounts: [] })
  return new Set(capabilities.map(({ id }) => id))
}

test('this machine, looked at by the shell script, has a processor, memory and storage', async () => {
  const output = execFileSync('sh', ['-s'], { input: hardwareScript(MARK), encoding: 'utf8' })
  const lines = new FrameReader(MARK, 1_000_000).push(output)
  expect(lines.at(-1)).toBe('end')
  const probes = await probeMachine(scriptedMachine(hardwareSections(lines)))
  const ids = idsOf(probes)
  expect([...ids].some((id) => id.startsWith('cpu.arch.'))).toBe(true)
  expect(ids.has('mem.system') || ids.has('mem.unified')).toBe(true)
  expect(ids.has('store.tier.internal')).toBe(true)
})

test('a machine with cards, a limit and a read-only root is judged as a scan on it would', async () => {
  const sections = hardwareSections([
    'system Linux',
    'arch x86_64',
    'meminfo MemTotal:       65536000 kB',
    'meminfo MemAvailable:   60000000 kB',
    'limit 34359738368',
    'used 4294967296',
    'cpuinfo processor : 0',
    'cpuinfo model name : Some CPU',
    'nvidia-smi NVIDIA GeForce RTX 4090, 24564, 24000',
    'nvidia-smi.exit 14',
    'llama-server version: 6527 (7f76692)',
    'llama-server.exit 0',
    'ollama.exit 124',
    'mounts /dev/root / squashfs ro,relatime 0 0',
    'mounts tank/models /models zfs rw,xattr 0 0',
    'df Filesystem Type 1024-blocks Used Available Capacity Mounted on',
    'df /dev/root ext4 1000 900 100 90% /',
    'df tank/models zfs 9000000 1000000 8000000 12% /models',
    'df nas:/share nfs4 9000000 1000000 5000000 12% /mnt/nas',
  ])
  const probes = await probeMachine(scriptedMachine(sections))
  expect(probes.memory).toEqual({ total: 34_359_738_368n, free: 30_064_771_072n, limited: true })
  expect(probes.nvidia).toMatchObject({ kind: 'answered', value: [{ device: 'NVIDIA GeForce RTX 4090' }] })
  expect(probes.rocm).toEqual({ kind: 'absent' })
  const { capabilities, notes } = nodeCapabilities({ ...probes, models: [], awayMounts: [] })
  const free = (id: string) =>
    capabilities.filter((each) => each.id === id).map(({ attrs }) => attrs.get('free'))
  expect(free('store.tier.internal')).toEqual([8_192_000_000])
  expect(free('store.tier.external')).toEqual([5_120_000_000])
  expect(free('mem.vram')).toEqual([25_165_824_000])
  expect(capabilities.some(({ id }) => id === 'runtime.infer.llamacpp')).toBe(true)
  expect(notes.find(({ probe }) => probe === 'runtime.infer.ollama')?.note).toContain(
    'did not answer in time',
  )
})

test('a machine whose processor has a GPU of AMD’s is one pool, though no tool is there', async () => {
  const sections = hardwareSections([
    'system Linux',
    'arch x86_64',
    'meminfo MemTotal:       128000000 kB',
    'meminfo MemAvailable:   120000000 kB',
    'vendor 0x1002',
    'device /dev/kfd',
    'amd card0 slot 0000:c5:00.0',
    'amd card0 vram_total 536870912',
    'amd card0 vram_used 0',
    'amd card0 gtt_total 65536000000',
    'amd card0 gtt_used 0',
    'amd kfd1 gfx 110501',
    'amd kfd1 location 50432',
  ])
  const probes = await probeMachine(scriptedMachine(sections))
  const { capabilities, notes } = nodeCapabilities({ ...probes, models: [], awayMounts: [] })
  const [unified] = capabilities.filter(({ id }) => id === 'mem.unified')
  expect(unified?.attrs.get('total')).toBe(66_072_870_912)
  expect(notes.find(({ probe }) => probe === 'accel.gpu.rocm')?.note).toContain(
    'by the driver’s own files: 1 found',
  )
})

test.each([[[]], [['device /dev/nvidia0']]])(
  'a Jetson is one pool, though nvidia-smi is not there: %j',
  async (devices) => {
    const sections = hardwareSections([
      'system Linux',
      'arch aarch64',
      'meminfo MemTotal:       64000000 kB',
      'meminfo MemAvailable:   60000000 kB',
      'board NVIDIA Jetson AGX Orin Developer Kit',
      ...devices,
    ])
    const probes = await probeMachine(scriptedMachine(sections))
    const { capabilities } = nodeCapabilities({ ...probes, models: [], awayMounts: [] })
    const [unified] = capabilities.filter(({ id }) => id === 'mem.unified')
    expect(unified?.attrs.get('free')).toBe(61_440_000_000)
    expect(capabilities.find(({ id }) => id === 'accel.gpu.cuda')?.attrs.get('device')).toBe(
      'NVIDIA Jetson AGX Orin Developer Kit',
    )
  },
)

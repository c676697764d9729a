import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNvidiaSmi, readRocmSmi } from '../../../../shared/scan/gpu-text.ts'
import { readVersion, RUNTIME_PROBES, type RuntimeProbe } from '../../../../shared/scan/version-text.ts'

function probeOf(command: string): RuntimeProbe {
  const probe = RUNTIME_PROBES.find((each) => each.command === command)
  if (!probe) throw new Error(command)
  return probe
}

describe('the version of a runtime', () => {
  test.each([
    ['llama-server', 'version: 6527 (7f76692)\nbuilt with gcc', '6527'],
    ['llama-server', 'ggml_cuda_init: found 1\nversion: 5-dirty', '5-dirty'],
    ['ollama', 'ollama version is 0.12.3', '0.12.3'],
    [
      'ollama',
      'Warning: could not connect to a running Ollama instance\nWarning: client version is 0.5.1',
      '0.5.1',
    ],
    ['mlx_lm.server', '0.28.2', '0.28.2'],
    ['mlx_lm.server', 'mlx_lm.server 0.28.2\n', '0.28.2'],
  ])('%s that says %j has it', (command, output, version) => {
    expect(readVersion(probeOf(command), 0, output)).toEqual({ kind: 'runtime', version })
  })

  test('is not taken from a program that failed', () => {
    expect(readVersion(probeOf('ollama'), 1, 'ollama version is 0.12.3')).toEqual({ kind: 'not_recognised' })
  })

  test('is not known of an mlx_lm.server that only reports its usage, which is enough to know it', () => {
    const usage = 'usage: mlx_lm.server [-h] [--model MODEL]\nerror: unrecognized arguments: --version'
    expect(readVersion(probeOf('mlx_lm.server'), 2, usage)).toEqual({ kind: 'runtime', version: null })
  })

  test.each(['', 'hello', '\u0000\u0001\ufffd', 'usage: something else', 'versionless 12'])(
    'is not seen in %j',
    (output) => {
      for (const probe of RUNTIME_PROBES) expect(readVersion(probe, 0, output).kind).toBe('not_recognised')
    },
  )
})

const MIB = 1048576n

describe('the cards nvidia-smi lists', () => {
  test('have their memory in bytes', () => {
    expect(readNvidiaSmi('NVIDIA RTX 6000, 49140, 41960\nNVIDIA RTX 6000, 49140 MiB, 48000 MiB\n')).toEqual({
      gpus: [
        { device: 'NVIDIA RTX 6000', memory: { total: 49140n * MIB, free: 41960n * MIB } },
        { device: 'NVIDIA RTX 6000', memory: { total: 49140n * MIB, free: 48000n * MIB } },
      ],
      remark: null,
    })
  })

  test('share the memory of the system where they have none of their own', () => {
    expect(readNvidiaSmi('NVIDIA GB10, [N/A], [N/A]')?.gpus).toEqual([
      { device: 'NVIDIA GB10', memory: null, shared: { limit: null } },
    ])
    expect(readNvidiaSmi('Orin (nvgpu), [Not Supported], [Not Supported]')?.gpus[0]?.shared).toBeDefined()
  })

  test('count each for itself, whatever stands beside it', () => {
    const read = readNvidiaSmi(
      'WARNING: infoROM is corrupted\nNVIDIA A100, [N/A], [N/A]\nRTX, [Unknown Error], [Unknown Error]\nRTX, 10, [N/A]',
    )
    expect(read?.remark).toBe('WARNING: infoROM is corrupted')
    expect(read?.gpus).toEqual([
      { device: 'NVIDIA A100', memory: null },
      { device: 'RTX', memory: null },
      { device: 'RTX', memory: { total: 10n * MIB, free: null } },
    ])
  })

  test.each(['N/A', 'Not Supported', '[N/A]'])('share it too where their tool writes %s', (words) => {
    expect(readNvidiaSmi(`NVIDIA Thor, ${words}, ${words}`)?.gpus[0]?.shared).toEqual({ limit: null })
  })

  test('are none, and no fault, where it says that there are none', () => {
    expect(readNvidiaSmi('No devices were found\n')).toEqual({ gpus: [], none: true, remark: null })
  })

  test('are none in what is no list of cards', () => {
    expect(readNvidiaSmi('Failed to initialize NVML')).toBeNull()
  })
})

describe('the cards rocm-smi lists', () => {
  const card = (name: string, extra = {}) => ({
    'Card Series': name,
    'VRAM Total Memory (B)': '25753026560',
    'VRAM Total Used Memory (B)': '753026560',
    ...extra,
  })

  test('have their memory in bytes, between any warnings; one that cannot be read voids no other', () => {
    const cards = { card0: card('Radeon RX 7900 XTX'), card1: { 'Card Series': 'X' }, system: { a: '6.3' } }
    expect(readRocmSmi(`WARNING: low power\n${JSON.stringify(cards)}\ndone`)).toEqual({
      gpus: [
        { device: 'Radeon RX 7900 XTX', memory: { total: 25753026560n, free: 25000000000n } },
        { device: 'X', memory: null },
      ],
      remark: 'card1 does not say its memory',
    })
  })

  test('share the memory of the system where they are one with the processor', () => {
    const gtt = { 'GTT Total Memory (B)': '60000000000', 'GTT Total Used Memory (B)': '0' }
    expect(readRocmSmi(JSON.stringify({ card0: card('Radeon 8060S Graphics', gtt) }))?.gpus[0]).toMatchObject(
      {
        memory: null,
        shared: { limit: { total: 85753026560n, free: 85000000000n } },
      },
    )
    expect(
      readRocmSmi(JSON.stringify({ card0: card('Radeon RX 7900 XTX', gtt) }))?.gpus[0]?.shared,
    ).toBeUndefined()
  })

  test.each([
    ['gfx1103', 'AMD Radeon Graphics', true],
    ['gfx1036', 'Raphael', true],
    ['gfx90c', 'Cezanne', true],
    ['gfx1151', 'Strix Halo [Radeon Graphics / Radeon 8050S Graphics / Radeon 8060S Graphics]', true],
    ['gfx942', 'AMD Instinct MI300A', true],
    ['gfx942', 'AMD Instinct MI300X', false],
    ['gfx1201', 'AMD Radeon Graphics', false],
    ['gfx1100', 'AMD Radeon Graphics', false],
    ['N/A', 'AMD Radeon 780M Graphics', true],
  ])('of version %s and name %s are one with the processor: %s', (version, name, isApu) => {
    const gtt = { 'GTT Total Memory (B)': '60000000000', 'GTT Total Used Memory (B)': '0' }
    const text = JSON.stringify({ card0: card(name, { ...gtt, 'GFX Version': version }) })
    expect(readRocmSmi(text)?.gpus[0]?.shared !== undefined).toBe(isApu)
  })

  test('are none in what is no list of cards', () => {
    expect(readRocmSmi('no GPU detected')).toBeNull()
  })
})

test('no output of any program breaks a reader', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (output) => {
      readNvidiaSmi(output)
      readRocmSmi(output)
      for (const probe of RUNTIME_PROBES) readVersion(probe, 0, output)
    }),
  )
})

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

  test('is not known of an mlx_lm.server that only tells its usage, which is enough to know it', () => {
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

describe('the cards nvidia-smi tells of', () => {
  test('have their memory in bytes', () => {
    expect(readNvidiaSmi('NVIDIA RTX 6000, 49140, 41960\nNVIDIA RTX 6000, 49140, 48000\n')).toEqual([
      { device: 'NVIDIA RTX 6000', memory: { total: 49140n * 1048576n, free: 41960n * 1048576n } },
      { device: 'NVIDIA RTX 6000', memory: { total: 49140n * 1048576n, free: 48000n * 1048576n } },
    ])
  })

  test('have none of their own where it is shared', () => {
    expect(readNvidiaSmi('NVIDIA GB10, [N/A], [N/A]')).toEqual([{ device: 'NVIDIA GB10', memory: null }])
  })

  test('are none of them believed when one line is something else', () => {
    expect(readNvidiaSmi('NVIDIA RTX 6000, 49140, 41960\nFailed to initialize NVML')).toBeNull()
  })
})

describe('the cards rocm-smi tells of', () => {
  test('have their memory in bytes, behind any warnings', () => {
    const cards = {
      card0: {
        'Card Series': 'Radeon RX 7900 XTX',
        'VRAM Total Memory (B)': '25753026560',
        'VRAM Total Used Memory (B)': '753026560',
      },
      system: { 'Driver version': '6.3' },
    }
    expect(readRocmSmi(`WARNING: low power\n${JSON.stringify(cards)}`)).toEqual([
      { device: 'Radeon RX 7900 XTX', memory: { total: 25753026560n, free: 25000000000n } },
    ])
  })

  test('are not believed without their memory', () => {
    expect(readRocmSmi('{"card0": {"Card Series": "X"}}')).toBeNull()
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

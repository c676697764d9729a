import systeminformation from 'systeminformation'
import type { Gpu } from '../../../shared/scan/gpu-text.ts'
import { NVIDIA_SMI_ARGS, readNvidiaSmi, readRocmSmi, ROCM_SMI_ARGS } from '../../../shared/scan/gpu-text.ts'
import type { Asked, ProbeResults } from '../../../shared/scan/probe-results.ts'
import type { Mount } from '../../../shared/scan/storage-tiers.ts'
import { readVersion, RUNTIME_PROBES, type RuntimeProbe } from '../../../shared/scan/version-text.ts'
import type { AskProgram } from './ask-program.ts'

/** What a machine is; what it holds of a lab's models is looked at elsewhere. */
export type MachineProbes = Omit<ProbeResults, 'awayMounts' | 'models'>

/** What the machine itself tells; each null when it does not in time. */
export interface MachineFacts {
  readonly cpu: () => Promise<ProbeResults['cpu']>
  readonly os: () => Promise<ProbeResults['os']>
  readonly memory: () => Promise<ProbeResults['memory']>
  readonly appleGpu: () => Promise<ProbeResults['appleGpu']>
  readonly mounts: () => Promise<readonly Mount[]>
}

export interface ProbeOptions {
  readonly platform: NodeJS.Platform
  readonly arch: string
  readonly ask: AskProgram
  readonly facts: MachineFacts
  /** How long each question may take, in milliseconds. */
  readonly timeoutMs: number
}

/** Long enough for a Python program to start from a cold disk. */
export const PROBE_TIMEOUT_MS = 10_000

/** Asks the machine and the programs on it, all at once and each for a limited time. */
export async function probeMachine(options: ProbeOptions): Promise<MachineProbes> {
  const { facts, ask, timeoutMs } = options
  const inTime = <T>(question: () => Promise<T | null>): Promise<T | null> => within(question, timeoutMs)
  const [cpu, os, memory, appleGpu, mounts, nvidia, rocm, runtimes] = await Promise.all([
    inTime(facts.cpu),
    inTime(facts.os),
    inTime(facts.memory),
    inTime(facts.appleGpu),
    inTime(facts.mounts),
    askGpus(ask, 'nvidia-smi', NVIDIA_SMI_ARGS, readNvidiaSmi, timeoutMs),
    askGpus(ask, 'rocm-smi', ROCM_SMI_ARGS, readRocmSmi, timeoutMs),
    Promise.all(
      RUNTIME_PROBES.map(async (probe) => {
        return { runtime: probe.runtime, asked: await askRuntime(ask, probe, timeoutMs) }
      }),
    ),
  ])
  return {
    platform: PLATFORM_NAMES[options.platform] ?? 'other',
    arch: archName(options.arch),
    cpu,
    os,
    memory,
    appleGpu,
    mounts,
    nvidia,
    rocm,
    runtimes,
  }
}

/** What a question comes to when it is not answered in time, or cannot be: null. */
async function within<T>(question: () => Promise<T | null>, timeoutMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), timeoutMs)
  })
  try {
    return await Promise.race([question(), late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

async function askGpus(
  ask: AskProgram,
  command: string,
  args: readonly string[],
  read: (output: string) => readonly Gpu[] | null,
  timeoutMs: number,
): Promise<Asked<readonly Gpu[]>> {
  const answer = await ask(command, args, timeoutMs)
  if (answer.kind !== 'ended') return answer
  if (answer.exitCode !== 0) return { kind: 'failed' }
  const gpus = read(answer.stdout)
  return gpus === null ? { kind: 'not_recognised' } : { kind: 'answered', value: gpus }
}

async function askRuntime(
  ask: AskProgram,
  probe: RuntimeProbe,
  timeoutMs: number,
): Promise<Asked<{ readonly version: string | null }>> {
  const answer = await ask(probe.command, probe.args, timeoutMs)
  if (answer.kind !== 'ended') return answer
  const said = readVersion(probe, answer.exitCode, `${answer.stdout}\n${answer.stderr}`)
  if (said.kind === 'runtime') return { kind: 'answered', value: { version: said.version } }
  return { kind: answer.exitCode === 0 ? 'not_recognised' : 'failed' }
}

const PLATFORM_NAMES: Readonly<Partial<Record<NodeJS.Platform, MachineProbes['platform']>>> = {
  linux: 'linux',
  darwin: 'macos',
  win32: 'windows',
}

function archName(arch: string): string {
  const names: Readonly<Record<string, string>> = {
    x64: 'x86_64',
    arm64: 'aarch64',
    arm: 'armv7',
    ia32: 'x86',
  }
  return names[arch] ?? arch
}

/** This machine, by `systeminformation`. */
export function ownMachine(platform: NodeJS.Platform, arch: string): MachineFacts {
  return {
    cpu: async () => {
      const { manufacturer, brand, cores } = await systeminformation.cpu()
      return { model: `${manufacturer} ${brand}`.trim(), cores }
    },
    os: async () => {
      const { distro, release, kernel } = await systeminformation.osInfo()
      return { version: `${distro} ${release}`.trim(), kernel }
    },
    memory: async () => {
      const { total, available } = await systeminformation.mem()
      return total > 0 ? { total: BigInt(total), free: BigInt(Math.max(0, available)) } : null
    },
    appleGpu: async () => {
      // Asked of Apple chips alone: elsewhere the cards' own tools know more, and this takes seconds.
      if (platform !== 'darwin' || arch !== 'arm64') return null
      const { controllers } = await systeminformation.graphics()
      const own = controllers.find(({ vendor, model }) => /apple/i.test(`${vendor} ${model}`))
      if (own === undefined) return null
      const cores = Number(own.cores)
      return { device: own.model, cores: Number.isSafeInteger(cores) && cores > 0 ? cores : null }
    },
    mounts: async () => {
      const sizes = await systeminformation.fsSize()
      return sizes.map(({ fs, mount, available, rw }) => ({
        source: fs,
        path: mount,
        freeBytes: BigInt(Math.max(0, Math.trunc(available))),
        writable: rw !== false,
      }))
    },
  }
}

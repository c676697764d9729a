import {
  NVIDIA_SMI_ARGS,
  readNvidiaSmi,
  readRocmSmi,
  remarkOf,
  ROCM_SMI_ARGS,
  type Gpu,
  type GpuAnswer,
} from '../../../shared/scan/gpu-text.ts'
import type { Asked, ProbeResults } from '../../../shared/scan/probe-results.ts'
import { readVersion, RUNTIME_PROBES, type RuntimeProbe } from '../../../shared/scan/version-text.ts'
import type { AskProgram, ProgramAnswer } from './ask-program.ts'
import type { MachineFacts } from './own-machine.ts'

/** What a machine is; what it holds of a lab's models is looked at elsewhere. */
export type MachineProbes = Omit<ProbeResults, 'awayMounts' | 'models'>

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
  const [
    cpu,
    os,
    memory,
    appleGpu,
    gpuDevices,
    wiredLimit,
    mounts,
    servers,
    nvidia,
    rocm,
    amdCards,
    jetson,
    runtimes,
  ] = await Promise.all([
    inTime(facts.cpu),
    inTime(facts.os),
    inTime(facts.memory),
    inTime(facts.appleGpu),
    inTime(facts.gpuDevices),
    inTime(facts.wiredLimit),
    inTime(facts.mounts),
    inTime(facts.servers),
    askGpus(ask, 'nvidia-smi', NVIDIA_SMI_ARGS, readNvidiaSmi, timeoutMs),
    askGpus(ask, 'rocm-smi', ROCM_SMI_ARGS, readRocmSmi, timeoutMs),
    inTime(facts.amdCards),
    inTime(facts.jetson),
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
    gpuDevices,
    wiredLimit,
    mounts,
    servers,
    nvidia: orByDriver(nvidia, jetson ?? []),
    rocm: orByDriver(rocm, amdCards ?? []),
    runtimes,
  }
}

/** What the driver says of its cards where their tool says nothing. */
function orByDriver(asked: Asked<readonly Gpu[]>, cards: readonly Gpu[]): Asked<readonly Gpu[]> {
  if (asked.kind === 'answered' || cards.length === 0) return asked
  return { kind: 'answered', value: cards, by: 'driver', remark: asked.remark ?? null }
}

/** The answer to a question; null when it is not answered in time, or cannot be. */
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
  read: (output: string) => GpuAnswer | null,
  timeoutMs: number,
): Promise<Asked<readonly Gpu[]>> {
  const answer = await ask(command, args, timeoutMs)
  if (answer.kind !== 'ended') return answer
  const said = read(answer.stdout)
  const failed = answer.exitCode !== 0
  if (said === null || (failed && said.gpus.length === 0 && said.none !== true)) {
    return { kind: failed ? 'failed' : 'not_recognised', remark: remarkIn(answer, null) }
  }
  const remark = (failed && said.none !== true) || said.remark !== null ? remarkIn(answer, said.remark) : null
  return { kind: 'answered', value: said.gpus, remark }
}

/** What an answer that is not all well says first, and its exit code where that is one of a failure. */
function remarkIn(answer: Extract<ProgramAnswer, { kind: 'ended' }>, odd: string | null): string | null {
  const first = odd ?? remarkOf(`${answer.stderr}\n${answer.stdout}`.trim().split('\n')[0])
  const code = answer.exitCode === 0 ? null : `exit code ${answer.exitCode}`
  const parts = [code, first === null ? null : `“${first}”`].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
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
  return { kind: answer.exitCode === 0 ? 'not_recognised' : 'failed', remark: remarkIn(answer, null) }
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

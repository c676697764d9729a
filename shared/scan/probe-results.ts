import type { Runtime } from '../inference-spec.ts'
import type { ModelFinding } from './holdings.ts'
import type { Gpu } from './gpu-text.ts'
import type { RunningServer } from './server-processes.ts'
import type { Mount } from './storage-tiers.ts'

/** What asking a program came to. */
export type ProgramFault =
  /** There is no such program. */
  | 'absent'
  | 'timed_out'
  /** It ended with a failure, or could not be started. */
  | 'failed'
  /** It answered something that is not understood. */
  | 'not_recognised'

/** What a program said, or the system in its place (`by`); `remark` is what else is worth telling: its first odd line, its exit code. */
export type Asked<T> =
  | {
      readonly kind: 'answered'
      readonly value: T
      readonly remark?: string | null
      readonly by?: 'driver'
    }
  | { readonly kind: ProgramFault; readonly remark?: string | null }

/** Everything the probes saw of a machine. Memory and storage are in bytes. */
export interface ProbeResults {
  readonly platform: 'linux' | 'macos' | 'windows' | 'other'
  /** As the capability ids name it: `x86_64`, `aarch64`. */
  readonly arch: string
  /** Null where the machine did not tell in time. */
  readonly cpu: { readonly model: string; readonly cores: number } | null
  readonly os: { readonly version: string; readonly kernel: string } | null
  readonly memory: {
    readonly total: bigint
    readonly free: bigint
    /** Whether a container's limit is in the figures. */
    readonly limited?: boolean
  } | null
  /** The GPU of an Apple chip; null where there is none or it was not seen. */
  readonly appleGpu: { readonly device: string; readonly cores: number | null } | null
  readonly nvidia: Asked<readonly Gpu[]>
  readonly rocm: Asked<readonly Gpu[]>
  /** Devices of accelerators that the system lists, whatever their tools say; null where it lists none. */
  readonly gpuDevices: readonly string[] | null
  /** Bytes that the GPU of an Apple chip was allowed to use by the operator; null where that was left alone. */
  readonly wiredLimit: bigint | null
  /** Inference servers that run here and what they hold; null where nothing could be seen. */
  readonly servers: readonly RunningServer[] | null
  readonly runtimes: readonly {
    readonly runtime: Runtime
    readonly asked: Asked<{ readonly version: string | null }>
  }[]
  /** Null where the machine did not tell in time. */
  readonly mounts: readonly Mount[] | null
  /** Where drives were mounted that models were scanned on and that are away now. */
  readonly awayMounts: readonly string[]
  readonly models: readonly ModelFinding[]
}

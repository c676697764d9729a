import type { Runtime } from '../inference-spec.ts'
import type { ModelFinding } from './holdings.ts'
import type { Gpu } from './gpu-text.ts'
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

export type Asked<T> = { readonly kind: 'answered'; readonly value: T } | { readonly kind: ProgramFault }

/** Everything the probes saw of a machine. Memory and storage are in bytes. */
export interface ProbeResults {
  readonly platform: 'linux' | 'macos' | 'windows' | 'other'
  /** As the capability ids name it: `x86_64`, `aarch64`. */
  readonly arch: string
  /** Null where the machine did not tell in time. */
  readonly cpu: { readonly model: string; readonly cores: number } | null
  readonly os: { readonly version: string; readonly kernel: string } | null
  readonly memory: { readonly total: bigint; readonly free: bigint } | null
  /** The GPU of an Apple chip; null where there is none or it was not seen. */
  readonly appleGpu: { readonly device: string; readonly cores: number | null } | null
  readonly nvidia: Asked<readonly Gpu[]>
  readonly rocm: Asked<readonly Gpu[]>
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

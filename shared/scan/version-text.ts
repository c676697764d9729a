import { RUNTIME_TRAITS, RUNTIMES, type Runtime } from '../inference-spec.ts'

/** How a runtime is asked for its version. */
export interface RuntimeProbe {
  readonly runtime: Runtime
  readonly command: string
  readonly args: readonly string[]
  /** Where the version stands in its answer. */
  readonly version: RegExp
  /** A usage line by which a program without a version option shows that it is the runtime; null: it always has one. */
  readonly usage: RegExp | null
}

const PROBES: Readonly<Record<Runtime, Omit<RuntimeProbe, 'runtime' | 'command'>>> = {
  'infer.llamacpp': {
    args: ['--version'],
    // `version: 6527 (7f76692)`
    version: /\bversion:?\s+v?(\d[\w.+-]*)/i,
    usage: null,
  },
  'infer.ollama': {
    args: ['--version'],
    // `ollama version is 0.12.3`, or `client version is 0.12.3` when no server runs.
    version: /\bversion(?:\s+is)?:?\s+v?(\d+\.\d[\w.+-]*)/i,
    usage: null,
  },
  'infer.mlx-lm': {
    args: ['--version'],
    // `0.28.2`, `mlx_lm.server 0.28.2`, `mlx-lm version 0.28.2`
    version: /^(?:mlx[-_]lm(?:\.server)?[\s:,]+)?(?:version[\s:]+)?v?(\d+\.\d+[\w.+-]*)\s*$/im,
    usage: /^usage: mlx_lm(?:\.server| server)\b/im,
  },
}

export const RUNTIME_PROBES: readonly RuntimeProbe[] = RUNTIMES.map((runtime) => ({
  runtime,
  command: RUNTIME_TRAITS[runtime].program,
  ...PROBES[runtime],
}))

/**
 * What a program answered to a version probe: that it is the runtime, with its version if it says, or it is
 * not.
 */
export type VersionAnswer =
  { readonly kind: 'runtime'; readonly version: string | null } | { readonly kind: 'not_recognised' }

const MAX_VERSION = 64

/** Reads the output of a version probe; a program that failed is the runtime only when its usage says so. */
export function readVersion(probe: RuntimeProbe, exitCode: number, output: string): VersionAnswer {
  const version = exitCode === 0 ? probe.version.exec(output)?.[1] : undefined
  if (version !== undefined) return { kind: 'runtime', version: version.slice(0, MAX_VERSION) }
  const usage = probe.usage?.test(output) === true
  return usage ? { kind: 'runtime', version: null } : { kind: 'not_recognised' }
}

import type { ModelFormat } from '../inference-spec.ts'
import { isGgufName } from './gguf-sets.ts'

/** What a model folder's format is judged by. */
export interface FormatEvidence {
  /** Names of the weight files. */
  readonly weights: readonly string[]
  /**
   * Whether `config.json` has the `quantization` that mlx-lm writes (others write `quantization_config`
   * alone).
   */
  readonly mlxQuantization: boolean
  /** `__metadata__.format` of the first safetensors file; null when there is none. */
  readonly tensorFormat: string | null
}

/**
 * The format of a model folder: `mlx` where mlx-lm wrote it, else `safetensors`, else `gguf`. Null when only
 * formats are there that a manifest has no name for (PyTorch's `.bin`, `.pt`, `.pth`, `.ckpt`).
 */
export function modelFormat({ weights, mlxQuantization, tensorFormat }: FormatEvidence): ModelFormat | null {
  if (weights.some((name) => /\.safetensors$/i.test(name))) {
    return mlxQuantization || tensorFormat === 'mlx' ? 'mlx' : 'safetensors'
  }
  // Before it wrote safetensors, mlx-lm wrote NumPy archives, and no other tool keeps weights in them.
  if (weights.some((name) => /\.npz$/i.test(name))) return 'mlx'
  return weights.some(isGgufName) ? 'gguf' : null
}

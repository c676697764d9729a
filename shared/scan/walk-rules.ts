import { isModelPath, MAX_PATH_BYTES } from '../model-manifest/read-body.ts'
import { isToken } from '../token.ts'

/**
 * How many levels below a model's root are looked at: `root/a/b/c/file` is the deepest (docs/formats.md,
 * "Scanning models where they lie").
 */
export const MAX_WALK_DEPTH = 4
/** The most entries of one model's folders that are looked at. */
export const MAX_WALK_ENTRIES = 4096

const WEIGHTS = /\.(?:safetensors|gguf|bin|pt|pth|npz|ckpt)$/i

/**
 * Whether a walk looks at an entry of this name: hidden ones and those that are not tokens are passed over.
 */
export function isWalkedName(name: string): boolean {
  return isToken(name, MAX_PATH_BYTES)
}

/** Whether a file of this name holds weights. */
export function isWeightName(name: string): boolean {
  return WEIGHTS.test(name)
}

/** Whether `path` can stand in a manifest; only its length can be wrong when every part of it is walked. */
export function isShardPath(path: string): boolean {
  return isModelPath(path)
}

/** The files a tokenizer may be in, at the root, the first that is there counting. */
export const TOKENIZER_NAMES = ['tokenizer.json', 'tokenizer.model'] as const
/** The files a chat template may be in, at the root, the first that is there counting. */
export const TEMPLATE_NAMES = ['chat_template.jinja', 'chat_template.json', 'tokenizer_config.json'] as const

/** The first of `names` that is among `paths`, or null. */
export function firstNamed(names: readonly string[], paths: ReadonlySet<string>): string | null {
  return names.find((name) => paths.has(name)) ?? null
}

/** Files that make a folder a model's own, though its weights may lie in folders below. */
const MODEL_MARKERS: readonly string[] = ['config.json', 'model_index.json', ...TOKENIZER_NAMES]

/** Whether a folder with entries of these names is a model's, and not a folder that models are kept in. */
export function isModelFolder(names: readonly string[]): boolean {
  return names.some((name) => MODEL_MARKERS.includes(name) || (isWalkedName(name) && isWeightName(name)))
}

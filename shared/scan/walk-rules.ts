import { isModelPath, MAX_PATH_BYTES } from '../model-manifest/read-body.ts'
import { isToken } from '../token.ts'

/**
 * How many levels below a root are looked at: `root/a/b/c/file` is the deepest (docs/formats.md, "Scanning models where they lie").
 */
export const MAX_WALK_DEPTH = 4
/** The most entries of one model's folders that are looked at. */
export const MAX_WALK_ENTRIES = 4096
/** The most entries of one place that are looked at, whatever number of models they belong to. */
export const MAX_SEARCH_ENTRIES = 200_000

/** The most threads that hashing can be asked to take. */
export const MAX_HASH_THREADS = 256

const WEIGHTS = /\.(?:safetensors|gguf|bin|pt|pth|npz|ckpt)$/i
const OTHER_FORMATS =
  /\.(?:onnx|ort|tflite|mlmodel|mlmodelc|mlpackage|h5|keras|msgpack|ggml|llamafile|nemo|engine|task|litertlm|exl2|pdparams|ot)$/i
const UNFINISHED = /^(.+)\.(?:incomplete|part|partial|aria2|tmp|download|crdownload)$/i

/** Whether a walk looks at an entry of this name: hidden ones and those that are not tokens are passed over. */
export function isWalkedName(name: string): boolean {
  return isToken(name, MAX_PATH_BYTES)
}

/** Whether a file of this name holds weights. */
export function isWeightName(name: string): boolean {
  return WEIGHTS.test(name)
}

/** Whether a file of this name holds a model in a format that no manifest has. */
export function isOtherFormat(name: string): boolean {
  return OTHER_FORMATS.test(name)
}

/**
 * The file that one of this name would become when its download ends; null when it is no unfinished download of
 * weights.
 */
export function unfinishedTarget(name: string): string | null {
  const target = UNFINISHED.exec(name)?.[1] ?? null
  // Some programs put a number or a hash of theirs between the two.
  return target !== null && /\.(?:safetensors|gguf|bin|pt|pth|npz|ckpt)\b/i.test(target) ? target : null
}

/** Whether `path` can stand in a manifest; only its length can be wrong when every part of it is walked. */
export function isShardPath(path: string): boolean {
  return isModelPath(path)
}

/** The files a tokenizer may be in, at the root, the first that is there counting. */
export const TOKENIZER_NAMES = ['tokenizer.json', 'tokenizer.model'] as const
/** The files a chat template may be in, at the root, the first that is there counting. */
export const TEMPLATE_NAMES = ['chat_template.jinja', 'chat_template.json', 'tokenizer_config.json'] as const
/** The list of a model's shards that lies beside them. */
export const INDEX_NAME = /\.safetensors\.index\.json$/i

/** The first of `names` that is among `paths`, or null. */
export function firstNamed(names: readonly string[], paths: ReadonlySet<string>): string | null {
  return names.find((name) => paths.has(name)) ?? null
}

/** Files of which one at least lies at the root of a model folder. */
const MARKERS: readonly string[] = ['config.json', ...TOKENIZER_NAMES]
/** Files that say that the folders below hold parts of one model, though each has a configuration. */
const PIPELINES: readonly string[] = ['model_index.json', 'modules.json']

/** Whether a file of this name shows that weights beside it are one model. */
export function isModelMarker(name: string): boolean {
  return MARKERS.includes(name) || PIPELINES.includes(name) || INDEX_NAME.test(name)
}

/** Whether a file of this name shows that everything below its folder is one model. */
export function isPipelineMarker(name: string): boolean {
  return PIPELINES.includes(name)
}

/** What an entry could be renamed to, so that a manifest can name it; null when nothing of it is left. */
export function tokenName(name: string): string | null {
  const [, stem = name, extension = ''] =
    /^(.+?)(\.(?:safetensors|gguf|bin|pt|pth|npz|ckpt))$/i.exec(name) ?? []
  const plain = stem
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._+:-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/-+$/, '')
  // A name that has nothing to keep is a file's all the same.
  const token = `${plain === '' && extension !== '' ? 'model' : plain}${extension}`
  return isWalkedName(token) ? token : null
}

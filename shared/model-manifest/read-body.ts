import { MODEL_FORMATS } from '../inference-spec.ts'
import type { JsonValue, TextRule } from '../json/json-reader.ts'
import { compareCodePoints, isHash, isToken } from '../token.ts'
import type { ModelBody, ModelSource, Shard } from './types.ts'

/** Longest model name in a manifest, in bytes. */
export const MAX_NAME_BYTES = 64
/** Most shards of one model. */
export const MAX_SHARDS = 255
/** Longest shard path, in bytes. */
export const MAX_PATH_BYTES = 256

/**
 * Whether `path` can name a file of a model: relative, `/`-separated, at most 256 bytes, each part a token
 * (so never `.` or `..`, which do not start as tokens do).
 */
export function isModelPath(path: string): boolean {
  return path.length <= MAX_PATH_BYTES && path.split('/').every((part) => isToken(part, MAX_PATH_BYTES))
}

const NAME: TextRule = {
  test: (text) => isToken(text, MAX_NAME_BYTES),
  expected:
    `a plain token of 1 to ${MAX_NAME_BYTES} characters ` +
    '(letters, digits and . _ + : -, first a letter or digit)',
}
const PATH: TextRule = {
  test: isModelPath,
  expected: `a relative path of at most ${MAX_PATH_BYTES} bytes whose parts are plain tokens separated by /`,
}
const HASH: TextRule = { test: isHash, expected: 'a BLAKE3 hash of 64 lower-case hex digits' }

const BODY_KEYS = [
  'name',
  'format',
  'shards',
  'tokenizer_path',
  'tokenizer_blake3',
  'template_path',
  'template_blake3',
  'source',
  'redistributable',
] as const

/** Reads a manifest's body (docs/formats.md, "Model manifest"); null when it is not an object. */
export function readBody(body: JsonValue): ModelBody | null {
  if (!body.object(BODY_KEYS)) return null
  return {
    name: body.member('name').text(NAME),
    format: body.member('format').oneOf(MODEL_FORMATS),
    shards: readShards(body.member('shards')),
    tokenizerPath: body.nullable('tokenizer_path')?.text(PATH) ?? null,
    tokenizerBlake3: body.nullable('tokenizer_blake3')?.text(HASH) ?? null,
    templatePath: body.nullable('template_path')?.text(PATH) ?? null,
    templateBlake3: body.nullable('template_blake3')?.text(HASH) ?? null,
    source: readSource(body.nullable('source')),
    redistributable: body.optional('redistributable')?.flag() ?? false,
  }
}

function readShards(list: JsonValue): Shard[] {
  const shards: Shard[] = []
  for (const item of list.list(1, MAX_SHARDS)) {
    if (!item.object(['path', 'size', 'blake3'])) continue
    const path = item.member('path')
    const shard: Shard = {
      path: path.text(PATH),
      size: BigInt(item.member('size').count()),
      blake3: item.member('blake3').text(HASH),
    }
    // A path that was refused reads as '', which has no place in an order.
    if (shard.path === '') continue
    const previous = shards.at(-1)
    const order = previous === undefined ? -1 : compareCodePoints(previous.path, shard.path)
    if (order === 0) {
      path.tell('error', 'manifest-repeated-shard', `${path.name} repeats the path before it`)
    } else if (order > 0) {
      const message = `${path.name} comes before the path above it: shards must be sorted by path`
      path.tell('error', 'manifest-unsorted-shards', message)
    }
    shards.push(shard)
  }
  return shards
}

function readSource(source: JsonValue | null): ModelSource | null {
  if (!source?.object(['hf_repo', 'hf_revision', 'ollama_tag'])) return null
  return {
    hfRepo: source.nullable('hf_repo')?.text() ?? null,
    hfRevision: source.nullable('hf_revision')?.text() ?? null,
    ollamaTag: source.nullable('ollama_tag')?.text() ?? null,
  }
}

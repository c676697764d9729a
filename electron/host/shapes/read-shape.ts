import { join } from 'node:path'
import { sumBytes } from '../../../shared/bytes.ts'
import { configShape } from '../../../shared/memory/config-shape.ts'
import { ggufShape, type ShapeSource } from '../../../shared/memory/gguf-shape.ts'
import type { ModelShape } from '../../../shared/memory/shape.ts'
import { readGgufHeader } from '../../../shared/model-files/gguf-header.ts'
import { readSafetensorsHeader } from '../../../shared/model-files/safetensors-header.ts'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import type { FoundFile, FoundModel } from '../scan/found-model.ts'
import { readHeader } from './read-header.ts'

/** Far above any `config.json` there is. */
const MAX_CONFIG_BYTES = 4 * 1024 * 1024

export type ShapeRead =
  | { readonly ok: true; readonly shape: ModelShape }
  /** Why there is none, naming the file. */
  | { readonly ok: false; readonly reason: string }

/** Reads the shape of a model where its weights lie: nothing but headers and, beside tensors, `config.json`. */
export async function readShape(model: FoundModel, disk: Disk): Promise<ShapeRead> {
  switch (model.format) {
    case 'gguf':
    case 'ollama':
      return readGgufShape(model.shards, disk)
    case 'mlx':
    case 'safetensors':
      return readFolderShape(model, disk)
  }
}

async function readGgufShape(files: readonly FoundFile[], disk: Disk): Promise<ShapeRead> {
  const weights: ShapeSource[] = []
  let projector: ShapeSource | null = null
  for (const { path, real } of files) {
    const read = await readHeader(real, 'GGUF file', readGgufHeader, disk)
    if (!read.ok) return { ok: false, reason: `${path} is unreadable: ${read.reason}` }
    if (isProjector(read.header)) projector = read.header
    else weights.push(read.header)
  }
  const [first, ...more] = weights
  if (first === undefined) return { ok: false, reason: 'it has no weights but a projector’s' }
  return { ok: true, shape: ggufShape([first, ...more], projector) }
}

/** Whether a GGUF file holds what turns images or sound into tokens, and no language model. */
function isProjector({ metadata }: ShapeSource): boolean {
  return metadata.get('general.type') === 'mmproj' || metadata.get('general.architecture') === 'clip'
}

async function readFolderShape({ root, shards }: FoundModel, disk: Disk): Promise<ShapeRead> {
  const bytes: bigint[] = []
  for (const { path, real } of shards) {
    if (!/\.safetensors$/i.test(path)) continue
    const read = await readHeader(real, 'safetensors file', readSafetensorsHeader, disk)
    if (!read.ok) return { ok: false, reason: `${path} is unreadable: ${read.reason}` }
    bytes.push(sumBytes(read.header.tensors.map(({ begin, end }) => BigInt(end - begin))))
  }
  // Weights of another kind beside them have no header to add up.
  const weights = bytes.length === shards.length ? sumBytes(bytes) : null
  const config = await readTextFile(join(root, 'config.json'), MAX_CONFIG_BYTES, disk)
  if (!config.ok) return { ok: true, shape: configShape(null, weights) }
  try {
    return { ok: true, shape: configShape(JSON.parse(config.text) as unknown, weights) }
  } catch {
    return { ok: false, reason: 'config.json is unreadable: it is not JSON' }
  }
}

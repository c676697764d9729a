import { createHash } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { writeTree } from './temp-folder.ts'
import { weightTree } from './weight-files.ts'

/** The BLAKE3 of a text, by another implementation than the one that scans. */
export function blake3Of(content: string | Uint8Array): string {
  return bytesToHex(blake3(typeof content === 'string' ? utf8ToBytes(content) : content))
}

/** A safetensors file: a header that says what `format` is, and some bytes behind it. */
export function safetensors(format: string, payload: string): Uint8Array {
  const header = utf8ToBytes(JSON.stringify({ __metadata__: { format } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, utf8ToBytes(payload)])
}

/**
 * A snapshot in a Hugging Face cache below `cache`, its files links to blobs, as that cache has them. Returns
 * the snapshot's folder.
 */
export async function writeSnapshot(
  cache: string,
  repo: string,
  revision: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = join(cache, `models--${repo.replaceAll('/', '--')}`)
  const snapshot = join(folder, 'snapshots', revision)
  await writeTree(folder, { 'refs/main': revision })
  for (const [path, content] of Object.entries(weightTree(files))) {
    const blob = join(folder, 'blobs', createHash('sha256').update(content).digest('hex'))
    const link = join(snapshot, path)
    await mkdir(dirname(link), { recursive: true })
    await mkdir(dirname(blob), { recursive: true })
    await writeFile(blob, content)
    await symlink(join('../'.repeat(path.split('/').length + 1), 'blobs', blob.slice(-64)), link)
  }
  return snapshot
}

/**
 * One layer of an Ollama manifest: its content, and the size that the manifest claims where it is another.
 */
export interface OllamaLayerInput {
  readonly type: string
  readonly content: string
  readonly size?: number
}

/**
 * A model in an Ollama store at `root`. Returns the paths of its blobs as a manifest names them, in order.
 */
export async function writeOllamaModel(
  root: string,
  name: string,
  tag: string,
  layers: readonly OllamaLayerInput[],
  registry = 'registry.ollama.ai/library',
): Promise<readonly string[]> {
  const listed = layers.map(({ type, content, size }) => ({
    mediaType: `application/vnd.ollama.image.${type}`,
    digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
    size: size ?? Buffer.byteLength(content),
  }))
  const blobs = listed.map(({ digest }) => `blobs/${digest.replace(':', '-')}`)
  await writeTree(root, {
    [`manifests/${registry}/${name}/${tag}`]: JSON.stringify({
      schemaVersion: 2,
      layers: listed,
    }),
    ...Object.fromEntries(layers.map(({ content }, i) => [blobs[i] ?? '', content])),
  })
  return blobs
}

/** Writes `files` below `folder`; texts in the place of weights become whole weight files. */
export async function writeModels(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  await writeTree(folder, weightTree(files))
}

import { join } from 'node:path'
import { exportStems } from '../../../shared/export/file-names.ts'
import type { BuiltManifest } from '../../../shared/scan/model-envelope.ts'
import type { ModelManifest, Shard } from '../../../shared/model-manifest/types.ts'
import { readManifest } from '../../../shared/model-manifest/read-manifest.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import { MAX_FILE_BYTES } from '../../../shared/lab/lab-places.ts'
import { readTextFile } from '../read-text-file.ts'
import { manifestFiles } from './held-models.ts'
import type { ScanLab } from './scan-lab.ts'

/** What became of a model's manifest. */
export type ManifestOutcome =
  | {
      readonly kind: 'written'
      readonly packageId: string
      readonly file: string
      readonly replaced: boolean
    }
  /** The lab has this very manifest. */
  | { readonly kind: 'same'; readonly packageId: string; readonly file: string }
  /** The lab has a manifest of the same name and weights that this one would only stand beside. */
  | { readonly kind: 'known'; readonly packageId: string; readonly file: string }
  /** The lab's manifest of that name has more files, so that it stays; `gone` are those that are not here. */
  | {
      readonly kind: 'part'
      readonly packageId: string
      readonly file: string
      readonly gone: readonly string[]
    }
  | { readonly kind: 'failed'; readonly reason: string }

type Built = Extract<BuiltManifest, { ok: true }>

/** Takes the manifest of a scanned model; says what became of it. */
export type PutManifest = (name: string, shards: readonly Shard[], built: Built) => Promise<ManifestOutcome>

/** Puts manifests into a lab; `explicit` as {@link writeManifest} has it. */
export function manifestsInto(lab: ScanLab, explicit: boolean, disk: Disk = realDisk): PutManifest {
  return (name, shards, built) => writeManifest(name, shards, built, explicit, lab, disk)
}

/** The file name of a model's manifest: its name, as every system can write it. */
export function manifestFileName(name: string): string {
  return `${exportStems([name])[0] ?? name}.json`
}

/**
 * Puts a scanned manifest into the lab, whole or not at all. It replaces the unsigned manifest of the name
 * before it, and never one that somebody signed, or a file that is something else.
 *
 * @param shards the model's weights; `explicit` when the operator asked for terms that the lab's own may not
 *   have.
 */
export async function writeManifest(
  name: string,
  shards: readonly Shard[],
  built: Built,
  explicit: boolean,
  lab: ScanLab,
  disk: Disk,
): Promise<ManifestOutcome> {
  const { packageId } = built
  const there = lab.lab.manifests.find((manifest) => manifest.packageId === packageId)
  if (there) return { kind: 'same', packageId, file: there.file }
  const alike = lab.lab.manifests.find(({ body }) => body.name === name && sameShards(body.shards, shards))
  if (alike && (!explicit || alike.signature !== 'unsigned' || isInRegistry(alike, lab))) {
    return { kind: 'known', packageId: alike.packageId, file: alike.file }
  }
  const fileName = manifestFileName(name)
  const path = join(lab.paths.manifests.path, fileName)
  const file = join(lab.paths.manifests.shown, fileName)
  const existing = await readTextFile(path, MAX_FILE_BYTES.manifest, disk)
  if (!existing.ok && existing.code !== 'file-missing') {
    return { kind: 'failed', reason: `${file} is in its place and cannot be read: ${existing.reason}` }
  }
  const before = existing.ok ? readManifest(existing.text, file) : null
  if (before !== null && !before.ok) {
    return {
      kind: 'failed',
      reason: `${file} is in its place and is no manifest: move it away, or give a --name`,
    }
  }
  if (before?.ok === true && before.value.signature !== 'unsigned') {
    const reason = `${file} is signed and of other weights: move it away to replace it, or give a --name`
    return { kind: 'failed', reason }
  }
  const gone = before?.ok === true ? goneFiles(before.value, built.text) : []
  if (before?.ok === true && gone.length > 0) {
    return { kind: 'part', packageId: before.value.packageId, file, gone }
  }
  const saved = await saveTextAtomically(path, built.text, disk)
  if (!saved.ok) return { kind: 'failed', reason: `${file}: ${saved.message}` }
  return { kind: 'written', packageId, file, replaced: existing.ok }
}

/**
 * The files of the manifest `before` that the new one lacks, where the new one is nothing but a part of it: by
 * its files' paths, or by their bytes.
 */
function goneFiles(before: ModelManifest, text: string): readonly string[] {
  const after = readManifest(text, 'manifest')
  if (!after.ok) return []
  // A tokenizer that came does not make up for a shard that went.
  const shards = goneOf(before.body.shards, after.value.body.shards)
  return shards.length > 0 ? shards : goneOf(manifestFiles(before), manifestFiles(after.value))
}

type NamedHash = Pick<Shard, 'path' | 'blake3'>

/** The paths of `old` that are not in `now`, where `now` is a part of it. */
function goneOf(old: readonly NamedHash[], now: readonly NamedHash[]): readonly string[] {
  if (now.length >= old.length) return []
  for (const key of ['path', 'blake3'] as const) {
    const known = new Set(old.map((file) => file[key]))
    const there = new Set(now.map((file) => file[key]))
    if ([...there].every((each) => known.has(each))) {
      return old.filter((file) => !there.has(file[key])).map(({ path }) => path)
    }
  }
  return []
}

function isInRegistry({ file }: ModelManifest, { paths }: ScanLab): boolean {
  return file === paths.registry.shown
}

/** Whether two lists of shards are the same files, byte for byte. */
export function sameShards(a: readonly Shard[], b: readonly Shard[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ path, blake3 }, i) => {
      const other = b[i]
      return other !== undefined && path === other.path && blake3 === other.blake3
    })
  )
}

import { join, resolve } from 'node:path'
import { jsonText } from '../../shared/json/json-text.ts'
import { plural } from '../../shared/listed.ts'
import type { ModelManifest, Shard } from '../../shared/model-manifest/types.ts'
import { sourceFolders } from '../../shared/runbook/model-folders.ts'
import { realDisk } from '../host/disk.ts'
import { expandHome } from '../host/paths.ts'
import { diskFault } from '../host/system-error.ts'
import type { VerifyInvocation } from './file-arguments.ts'
import { hashAnyFile } from './hash-command.ts'
import { EXIT, type CliIo, type ExitCode } from './io.ts'
import { openLab } from './open-lab.ts'
import { complain, reportProblems, writeLines } from './report.ts'
import { printable } from './width.ts'

type FileVerdict = 'right' | 'missing' | 'wrong' | 'unreadable'

interface VerifiedFile {
  readonly model: string
  readonly path: string
  readonly verdict: FileVerdict
  readonly reason: string | null
}

/** `verify`: every file of the models below some folders, read whole and held against its manifest. */
export async function verifyCommand(options: VerifyInvocation, io: CliIo): Promise<ExitCode> {
  const opened = await openLab({ lab: options.lab, given: {}, declared: [] }, io)
  const { lab } = opened
  const errors = lab.problems.filter(({ severity }) => severity === 'error')
  reportProblems(errors, opened.sourceOf, io)
  if (!opened.readable || errors.length > 0) return EXIT.badInput
  const folders =
    options.node === null
      ? options.folders.map((folder) => resolve(io.cwd, expandHome(folder, io.homeDir)))
      : (lab.nodes.find(({ nodeId }) => nodeId === options.node)?.declared?.site?.roots ?? [])
  if (folders.length === 0) {
    complain(`fleet.yaml has no root for ${printable(options.node ?? '')}: name the folders instead`, io)
    return EXIT.badInput
  }
  for (const folder of folders) {
    const fault = await folderFault(folder)
    if (fault === null) continue
    complain(`${printable(folder)}: ${fault}`, io)
    return EXIT.badInput
  }
  const unknown = options.models.filter((name) => !lab.manifests.some(({ body }) => body.name === name))
  if (unknown.length > 0) {
    complain(`no manifest is named ${unknown.map(printable).join(', ')}`, io)
    return EXIT.badInput
  }
  const files: VerifiedFile[] = []
  for (const manifest of lab.manifests) {
    files.push(...(await verifyModel(manifest, folders, options.models.includes(manifest.body.name))))
  }
  write(options, files, io)
  return files.every(({ verdict }) => verdict === 'right') ? EXIT.fine : EXIT.differs
}

async function folderFault(folder: string): Promise<string | null> {
  try {
    return (await realDisk.stat(folder)).isDirectory() ? null : 'it is a file, not a folder'
  } catch (error) {
    return diskFault(error).reason
  }
}

/** The files of a model in the place where most of it lies; none when nothing is there and nothing must be. */
async function verifyModel(
  manifest: ModelManifest,
  roots: readonly string[],
  wanted: boolean,
): Promise<readonly VerifiedFile[]> {
  let best: { readonly folder: string; readonly count: number } | null = null
  for (const folder of sourceFolders(manifest, null, roots)) {
    const there = await Promise.all(manifest.body.shards.map(({ path }) => isThere(join(folder, path))))
    const count = there.filter(Boolean).length
    if (count > (best?.count ?? 0)) best = { folder, count }
  }
  if (best === null && !wanted) return []
  const verified: VerifiedFile[] = []
  for (const shard of manifest.body.shards) {
    const found = best === null ? MISSING : await verifyFile(join(best.folder, shard.path), shard)
    verified.push({ model: manifest.body.name, path: shard.path, ...found })
  }
  return verified
}

const MISSING: Pick<VerifiedFile, 'verdict' | 'reason'> = { verdict: 'missing', reason: null }

async function isThere(path: string): Promise<boolean> {
  return realDisk.stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  )
}

async function verifyFile(
  path: string,
  { size, blake3 }: Shard,
): Promise<Pick<VerifiedFile, 'verdict' | 'reason'>> {
  const hashed = await hashAnyFile(path)
  if (!hashed.ok) return hashed.missing ? MISSING : { verdict: 'unreadable', reason: hashed.reason }
  if (hashed.bytes !== size)
    return { verdict: 'wrong', reason: `it has ${hashed.bytes} bytes instead of ${size}` }
  return hashed.blake3 === blake3
    ? { verdict: 'right', reason: null }
    : { verdict: 'wrong', reason: 'it has other bytes than the manifest' }
}

function write({ json }: VerifyInvocation, files: readonly VerifiedFile[], io: CliIo): void {
  if (json) {
    io.stdout(`${jsonText({ files: files.map((file) => ({ ...file })) }, 2)}\n`)
    return
  }
  const bad = files.filter(({ verdict }) => verdict !== 'right')
  const models = new Set(files.map(({ model }) => model)).size
  writeLines(
    [
      ...bad.map(
        ({ model, path, verdict, reason }) =>
          `${verdict}  ${printable(model)}: ${printable(path)}${reason === null ? '' : `: ${printable(reason)}`}`,
      ),
      `${plural(models, 'model')}, ${plural(files.length, 'file')}: ${files.length - bad.length} right, ${bad.length} not.`,
    ],
    io,
  )
}

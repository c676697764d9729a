import { join } from 'node:path'
import { shapeFileName, shapeFileText } from '../../../shared/memory/shape-file.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import { MAX_FILE_BYTES } from '../../../shared/lab/lab-places.ts'
import { readTextFile } from '../read-text-file.ts'
import type { FoundModel } from '../scan/found-model.ts'
import type { ScanLab } from '../scan/scan-lab.ts'
import type { ModelOutcome, NamedModel } from '../scan/scan-models.ts'
import { readShape } from './read-shape.ts'

/**
 * Keeps in the lab the shape of every scanned model whose manifest is there, by its package. A shape that cannot be
 * read leaves the model's memory unknown; its manifest is good all the same.
 *
 * @param outcomes what became of `models`, in their order.
 * @returns a line for each shape that is not kept.
 */
export async function writeShapes(
  models: readonly NamedModel[],
  outcomes: readonly ModelOutcome[],
  lab: ScanLab,
  disk: Disk = realDisk,
): Promise<readonly string[]> {
  const notes: string[] = []
  for (const [i, { model, name }] of models.entries()) {
    const outcome = outcomes[i]
    if (name === null || outcome === undefined || !('packageId' in outcome)) continue
    // A part of a model has the package id of the whole, whose shape is not this one.
    if (outcome.kind === 'part') continue
    const fault = await writeShape(model, name.name, outcome.packageId, lab, disk)
    if (fault !== null) notes.push(`what ${name.name} takes in memory stays unknown: ${fault}`)
  }
  return notes
}

/** Null when the shape is kept, else why it is not. One that is there already is replaced when it says something else. */
async function writeShape(
  model: FoundModel,
  name: string,
  packageId: string,
  { paths: { shapes } }: ScanLab,
  disk: Disk,
): Promise<string | null> {
  const read = await readShape(model, disk)
  if (!read.ok) return read.reason
  const text = shapeFileText({ packageId, model: name, shape: read.shape })
  const path = join(shapes.path, shapeFileName(packageId))
  const before = await readTextFile(path, MAX_FILE_BYTES.shape, disk)
  if (before.ok && before.text === text) return null
  const saved = await saveTextAtomically(path, text, disk)
  return saved.ok ? null : saved.message
}

import { join } from 'node:path'
import { shapeFileName, shapeFileText, type KeptShape } from '../../../shared/memory/shape-file.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import { MAX_FILE_BYTES } from '../../../shared/lab/lab-places.ts'
import { readTextFile } from '../read-text-file.ts'
import type { ScanLab } from '../scan/scan-lab.ts'
import type { ModelOutcome, NamedModel } from '../scan/scan-models.ts'
import { readShape } from './read-shape.ts'

/** Shapes of scanned models, and a line for each that could not be read. */
interface ShapesRead {
  readonly shapes: readonly KeptShape[]
  readonly notes: readonly string[]
}

/**
 * The shape of every scanned model that has a package. One that cannot be read leaves the model's memory unknown; its
 * manifest is good all the same.
 *
 * @param outcomes what became of `models`, in their order.
 */
export async function readShapes(
  models: readonly NamedModel[],
  outcomes: readonly ModelOutcome[],
  disk: Disk = realDisk,
): Promise<ShapesRead> {
  const shapes: KeptShape[] = []
  const notes: string[] = []
  for (const [i, { model, name }] of models.entries()) {
    const outcome = outcomes[i]
    if (name === null || outcome === undefined || !('packageId' in outcome)) continue
    // A part of a model has the package id of the whole, whose shape is not this one.
    if (outcome.kind === 'part') continue
    const read = await readShape(model, disk)
    if (read.ok) shapes.push({ packageId: outcome.packageId, model: name.name, shape: read.shape })
    else notes.push(unknownText(name.name, read.reason))
  }
  return { shapes, notes }
}

/**
 * Keeps in the lab the shape of every scanned model whose manifest is there, by its package; see {@link readShapes}.
 *
 * @returns a line for each shape that is not kept.
 */
export async function writeShapes(
  models: readonly NamedModel[],
  outcomes: readonly ModelOutcome[],
  lab: ScanLab,
  disk: Disk = realDisk,
): Promise<readonly string[]> {
  const { shapes, notes } = await readShapes(models, outcomes, disk)
  return [...notes, ...(await keepShapes(shapes, lab, disk))]
}

/** Writes shapes into the lab; one that is there already is replaced when it says something else. */
export async function keepShapes(
  shapes: readonly KeptShape[],
  { paths }: ScanLab,
  disk: Disk = realDisk,
): Promise<readonly string[]> {
  const notes: string[] = []
  for (const kept of shapes) {
    const text = shapeFileText(kept)
    const path = join(paths.shapes.path, shapeFileName(kept.packageId))
    const before = await readTextFile(path, MAX_FILE_BYTES.shape, disk)
    if (before.ok && before.text === text) continue
    const saved = await saveTextAtomically(path, text, disk)
    if (!saved.ok) notes.push(unknownText(kept.model, saved.message))
  }
  return notes
}

function unknownText(model: string, reason: string): string {
  return `what ${model} takes in memory stays unknown: ${reason}`
}

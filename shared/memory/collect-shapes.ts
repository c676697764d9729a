import type { Problem } from '../problem.ts'
import type { ShapeDocument } from './shape-file.ts'

/**
 * The shapes of a lab by package id, with a problem for each file that is of no use: its package is not in the lab, or
 * another file has the same one (of two the first by file name counts).
 */
export function collectShapes(
  documents: readonly ShapeDocument[],
  packages: readonly { readonly packageId: string }[],
): { readonly shapes: ReadonlyMap<string, ShapeDocument>; readonly problems: readonly Problem[] } {
  const inLab = new Set(packages.map(({ packageId }) => packageId))
  const shapes = new Map<string, ShapeDocument>()
  const problems: Problem[] = []
  const note = (document: ShapeDocument, code: string, message: string): void => {
    problems.push({ severity: 'info', code, message, file: document.file, range: null })
  }
  for (const document of documents) {
    const { packageId, model } = document
    const first = shapes.get(packageId)
    if (!inLab.has(packageId)) {
      note(
        document,
        'shape-unused',
        `no manifest of the lab has the package of this shape (${model}): delete the file`,
      )
    } else if (first !== undefined) {
      note(document, 'shape-twice', `${first.file} has the shape of the same package, and counts: delete one`)
    } else {
      shapes.set(packageId, document)
    }
  }
  return { shapes, problems }
}

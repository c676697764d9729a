import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The vector files of `test/conformance/vectors/`; their shapes are told in its README. */
export type VectorFile = 'roster' | 'decide' | 'holding' | 'preference' | 'flavor'

const OWN_VECTORS = fileURLToPath(new URL('../conformance/vectors', import.meta.url))

/**
 * The reference's answers of one file, in the file's order. They come from the folder named by
 * `PLANNER_VECTORS` when it is set and not empty, else from `test/conformance/vectors/`. `T` is what the
 * caller knows of the file's cases: the text is trusted to hold it. An empty file is an error, so that no
 * suite passes by testing nothing.
 */
export function loadVectors<T>(name: VectorFile): T[] {
  const folder = process.env['PLANNER_VECTORS']
  const file = path.join(
    folder === undefined || folder === '' ? OWN_VECTORS : path.resolve(folder),
    `${name}.json`,
  )
  const cases: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(cases) || cases.length === 0) throw new Error(`${file}: not a list of cases`)
  return cases as T[]
}

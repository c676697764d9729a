import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** The vector files of `test/conformance/vectors/`; their shapes are described in its README. */
export type VectorFile = 'roster' | 'decide' | 'holding' | 'preference' | 'flavor'

/** The folders of vectors: the reference's own, and what it answered to texts that are hard to read. */
const OWN_FOLDERS = ['vectors', 'edges'].map((name) =>
  fileURLToPath(new URL(`../conformance/${name}`, import.meta.url)),
)

/**
 * The reference's answers of one kind, folder by folder in the file's order. They come from the folder named by
 * `PLANNER_VECTORS` when it is set and not empty (several are separated as in `PATH`), else from the folders
 * beside the suites. A folder may lack a kind, but not all of them. `T` is what the caller knows of the file's
 * cases: the text is trusted to hold it. An empty file is an error, so that no suite passes by testing nothing.
 */
export function loadVectors<T>(name: VectorFile): T[] {
  const named = process.env['PLANNER_VECTORS'] ?? ''
  const folders =
    named === '' ? OWN_FOLDERS : named.split(path.delimiter).map((folder) => path.resolve(folder))
  const files = folders.map((folder) => path.join(folder, `${name}.json`)).filter((file) => existsSync(file))
  if (files.length === 0) throw new Error(`${folders.join(', ')}: no ${name}.json`)
  return files.flatMap((file) => {
    const cases: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!Array.isArray(cases) || cases.length === 0) throw new Error(`${file}: not a list of cases`)
    return cases as T[]
  })
}

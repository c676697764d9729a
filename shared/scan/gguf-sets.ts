import { compareCodePoints } from '../token.ts'

const PART = /-(\d{5})-of-(\d{5})$/
const EXTENSION = /\.gguf$/i

/** The files of one GGUF model: one, or the parts of one that was split (`NAME-00001-of-00003.gguf`). */
export interface GgufSet {
  /** The file's name without its extension and part number. */
  readonly name: string
  /** Paths, sorted by code points. */
  readonly paths: readonly string[]
}

export function isGgufName(name: string): boolean {
  return EXTENSION.test(name)
}

/** The name of the set that a GGUF file belongs to. */
export function ggufSetName(path: string): string {
  return path.replace(EXTENSION, '').replace(PART, '')
}

/** The models among GGUF files of one folder, in the order of their names; see `missingParts` for what they lack. */
export function ggufSets(paths: readonly string[]): readonly GgufSet[] {
  const sets = new Map<string, string[]>()
  for (const path of [...paths].sort(compareCodePoints)) {
    // `X.gguf` beside `X-00001-of-00002.gguf` is another model, and so is `X.GGUF`, and a split into another
    // number of parts.
    const parts = PART.exec(path.replace(EXTENSION, ''))?.[2]
    const key = parts === undefined ? path : `${ggufSetName(path)}/${parts}`
    sets.set(key, [...(sets.get(key) ?? []), path])
  }
  return [...sets.values()].map((members) => ({ name: ggufSetName(members[0] ?? ''), paths: members }))
}

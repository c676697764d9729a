import type { JsonPath } from './json-source.ts'

/** Where an issue of a schema is in the JSON it was checked against. */
export function issuePath({ path }: { readonly path: readonly PropertyKey[] }): JsonPath {
  return path.filter((part) => typeof part !== 'symbol')
}

/** A place in JSON as messages name it; `whole` names the file's whole content. */
export function placeName(path: JsonPath, whole: string): string {
  return path.length === 0 ? whole : `\`${path.join('.')}\``
}

import type { AttrValue, Capability } from '../../shared/node/types.ts'

/** A probed, available capability. */
export function capability(
  id: string,
  attrs: Readonly<Record<string, AttrValue>> = {},
  changes: Partial<Capability> = {},
): Capability {
  return {
    id,
    attrs: new Map(Object.entries(attrs)),
    provenance: 'probed',
    state: 'available',
    exclusive: false,
    ...changes,
  }
}

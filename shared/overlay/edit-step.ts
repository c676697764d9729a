import type { LatencyClass } from '../inference-spec.ts'
import type { Overlay, OverlayDocument, OverlayKey } from './types.ts'

/** One change of an overlay by hand, as the window makes them. */
export type OverlayEdit =
  | { readonly kind: 'set_latency_class'; readonly role: string; readonly latencyClass: LatencyClass }
  | { readonly kind: 'unset_latency_class'; readonly role: string }
  | { readonly kind: 'set_sticky'; readonly role: string; readonly sticky: boolean }
  | { readonly kind: 'unset_sticky'; readonly role: string }
  | { readonly kind: 'add_exclude'; readonly role: string; readonly exclude: string }
  | { readonly kind: 'remove_exclude'; readonly role: string; readonly exclude: string }

/** The smallest changes of an overlay: each touches one entry of its text. */
export type OverlayStep =
  | {
      readonly kind: 'set'
      readonly key: 'latency_class'
      readonly role: string
      readonly value: LatencyClass
    }
  | { readonly kind: 'set'; readonly key: 'sticky'; readonly role: string; readonly value: boolean }
  /** Removes the role's whole entry. */
  | { readonly kind: 'unset'; readonly key: OverlayKey; readonly role: string }
  /** Removes the first of a role's entries where it has several: it says nothing, as the last one counts. */
  | { readonly kind: 'unshadow'; readonly key: OverlayKey; readonly role: string }
  /** Appends to the role's excludes. */
  | { readonly kind: 'list'; readonly role: string; readonly exclude: string }
  /** Removes the exclude at `index`; the list holds at least one other. */
  | { readonly kind: 'unlist'; readonly role: string; readonly index: number }

/** The role an exclude names: `planner` is written `role:planner` or `planner` (docs/reference.md C1). */
export function excludedRole(exclude: string): string {
  return exclude.startsWith('role:') ? exclude.slice('role:'.length) : exclude
}

/** `role` as an exclude names it: a name that itself begins with `role:` takes the prefix once more. */
export function excludeName(role: string): string {
  return role.startsWith('role:') ? `role:${role}` : role
}

/** What `edit` does to the overlay, one step after the other; none when it says so already. */
export function stepsOf(document: OverlayDocument, edit: OverlayEdit): readonly OverlayStep[] {
  const { overlay } = document
  const { role } = edit
  switch (edit.kind) {
    case 'set_latency_class':
      if (overlay.latencyClass.get(role) === edit.latencyClass) return []
      return [{ kind: 'set', key: 'latency_class', role, value: edit.latencyClass }]
    case 'unset_latency_class':
      return unsetSteps(document, 'latency_class', role)
    case 'set_sticky':
      if (overlay.sticky.get(role) === edit.sticky) return []
      return [{ kind: 'set', key: 'sticky', role, value: edit.sticky }]
    case 'unset_sticky':
      return unsetSteps(document, 'sticky', role)
    case 'add_exclude':
      return listedAt(overlay, role, edit.exclude).length > 0
        ? []
        : [{ kind: 'list', role, exclude: edit.exclude }]
    case 'remove_exclude': {
      const indexes = listedAt(overlay, role, edit.exclude)
      if (indexes.length === 0) return []
      if (indexes.length === overlay.excludes.get(role)?.length) return unsetSteps(document, 'excludes', role)
      // From the end, so that the indexes of those still to go stay what they are.
      return indexes.reverse().map((index) => ({ kind: 'unlist', role, index }))
    }
  }
}

function unsetSteps({ mentions }: OverlayDocument, key: OverlayKey, role: string): OverlayStep[] {
  const entries = mentions.filter(
    (mention) => mention.key === key && mention.role === role && mention.exclude === null,
  )
  return entries.map((_, index) => ({ kind: index < entries.length - 1 ? 'unshadow' : 'unset', key, role }))
}

/** Where `role` lists `exclude`, in either spelling. */
function listedAt(overlay: Overlay, role: string, exclude: string): number[] {
  const name = excludedRole(exclude)
  return (overlay.excludes.get(role) ?? []).flatMap((listed, index) =>
    excludedRole(listed) === name ? [index] : [],
  )
}

/** The overlay that `overlay` is after `step`. */
export function applyStep(overlay: Overlay, step: OverlayStep): Overlay {
  switch (step.kind) {
    case 'set':
      if (step.key === 'sticky')
        return { ...overlay, sticky: withEntry(overlay.sticky, step.role, step.value) }
      return { ...overlay, latencyClass: withEntry(overlay.latencyClass, step.role, step.value) }
    case 'unshadow':
      return overlay
    case 'unset':
      return unset(overlay, step.key, step.role)
    case 'list': {
      const listed = [...(overlay.excludes.get(step.role) ?? []), step.exclude]
      return { ...overlay, excludes: withEntry(overlay.excludes, step.role, listed) }
    }
    case 'unlist': {
      const listed = (overlay.excludes.get(step.role) ?? []).filter((_, index) => index !== step.index)
      return { ...overlay, excludes: withEntry(overlay.excludes, step.role, listed) }
    }
  }
}

function unset(overlay: Overlay, key: OverlayKey, role: string): Overlay {
  switch (key) {
    case 'excludes':
      return { ...overlay, excludes: withoutEntry(overlay.excludes, role) }
    case 'latency_class':
      return { ...overlay, latencyClass: withoutEntry(overlay.latencyClass, role) }
    case 'sticky':
      return { ...overlay, sticky: withoutEntry(overlay.sticky, role) }
  }
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value)
}

function withoutEntry<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}

/** Whether two overlays say the same; the order of roles says nothing, that of a role's excludes is kept. */
export function sameOverlay(a: Overlay, b: Overlay): boolean {
  return (
    sameEntries(a.latencyClass, b.latencyClass, Object.is) &&
    sameEntries(a.sticky, b.sticky, Object.is) &&
    sameEntries(a.excludes, b.excludes, sameList)
  )
}

function sameEntries<V>(
  a: ReadonlyMap<string, V>,
  b: ReadonlyMap<string, V>,
  same: (x: V, y: V) => boolean,
): boolean {
  if (a.size !== b.size) return false
  for (const [key, value] of a) {
    const other = b.get(key)
    if (other === undefined || !same(value, other)) return false
  }
  return true
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index])
}

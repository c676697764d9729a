import type { Span } from '../text-lines.ts'
import type { MappingNode } from '../yaml/nodes.ts'
import { addEntry, addListed, addSection, replaceValue, sectionOf, type NewEntry } from './edit-add.ts'
import { findByHand } from './edit-limits.ts'
import { removeEntry, removeItem } from './edit-remove.ts'
import { quotingOf, writeScalar } from './edit-scalars.ts'
import { findItem, itemsIn, scalarText, type EditSource, type SourceItem } from './edit-source.ts'
import type { Splice } from './edit-splices.ts'
import type { OverlayStep } from './edit-step.ts'

/** One way to write a step into the text. */
export interface EditPlan {
  readonly splices: readonly Splice[]
  /** The item taken out, whose comments on its own lines go with it. */
  readonly removed: Span | null
}

/** The ways to write a step, the best first; or why there is none, and the place that is in the way. */
export type Planned =
  | { readonly ok: true; readonly plans: readonly EditPlan[] }
  | { readonly ok: false; readonly reason: string; readonly span: Span | null }

type Removing = Exclude<OverlayStep, NewEntry>

/** Works out how to write `step` into the text. */
export function planStep(source: EditSource, step: OverlayStep): Planned {
  const root = source.yaml.root
  const key = sectionOf(step)
  const section = root?.kind === 'mapping' ? findItem(root, key) : null
  if (root?.kind !== 'mapping' || !section) {
    const isNew = step.kind === 'set' || step.kind === 'list'
    return isNew ? planned(addSection(source, root, step)) : noWay(step.role)
  }
  const byHand = findByHand(section.span.start, section.key, section.value)
  if (byHand) {
    const reason = `\`${key}\` uses ${byHand.what}, which cannot be edited here: write its values out, or edit the text by hand`
    return { ok: false, reason, span: byHand.span }
  }
  switch (step.kind) {
    case 'set':
    case 'list':
      return planned(write(source, section, step))
    case 'unlist':
    case 'unset':
    case 'unshadow':
      return remove(source, root, section, step)
  }
}

function write(source: EditSource, section: SourceItem, entry: NewEntry): readonly Splice[] | null {
  const role = section.value.kind === 'mapping' ? findItem(section.value, entry.role) : null
  if (!role) return addEntry(source, section, entry)
  if (entry.kind === 'list') return addListed(source, role, entry.exclude)
  const text =
    entry.key === 'sticky' ? String(entry.value) : writeScalar(entry.value, quotingOf(role.value) ?? 'plain')
  return replaceValue(role.value, text)
}

function remove(source: EditSource, root: MappingNode, section: SourceItem, step: Removing): Planned {
  const map = section.value
  if (map.kind !== 'mapping') return noWay(step.role)
  if (step.kind === 'unlist') {
    const list = findItem(map, step.role)?.value
    if (list?.kind !== 'list') return noWay(step.role)
    return { ok: true, plans: removeItem(source, list, step.index) }
  }
  const entries = itemsIn(map)
  const isMeant = ({ key }: SourceItem): boolean => scalarText(key) === step.role
  const index = step.kind === 'unset' ? entries.findLastIndex(isMeant) : entries.findIndex(isMeant)
  return { ok: true, plans: removeEntry(source, root, section, index) }
}

function noWay(role: string): Planned {
  return { ok: false, reason: `the entry of \`${role}\` is not where the overlay says it is`, span: null }
}

function planned(splices: readonly Splice[] | null): Planned {
  return { ok: true, plans: splices && splices.length > 0 ? [{ splices, removed: null }] : [] }
}

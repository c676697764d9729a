import type { Span } from '../text-lines.ts'
import type { AliasNode, YamlNode } from '../yaml/nodes.ts'
import {
  addEntry,
  addListed,
  addSection,
  replaceValue,
  sectionOf,
  writeList,
  type NewEntry,
} from './edit-add.ts'
import { findAliasOf, withInner } from './edit-anchors.ts'
import { removeEntry, removeItem } from './edit-remove.ts'
import { quotingOf, writeScalar } from './edit-scalars.ts'
import { findItem, itemsIn, nodeSpan, scalarText, type EditSource, type SourceItem } from './edit-source.ts'
import type { Splice } from './edit-splices.ts'
import type { OverlayStep } from './edit-step.ts'
import type { Overlay, OverlayKey } from './types.ts'

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

/** Works out how to write `step` into the text; `after` is the overlay that must come of it. */
export function planStep(source: EditSource, step: OverlayStep, after: Overlay): Planned {
  switch (step.kind) {
    case 'set':
    case 'list':
      return planWrite(source, step, after)
    case 'unlist': {
      const role = findRole(source, 'excludes', step.role)
      const list = role?.value
      if (role && list?.kind === 'alias') return replaceAlias(role, after.excludes.get(step.role) ?? [])
      if (!role || list?.kind !== 'list') return noWay(step.role)
      const item = itemsIn(list)[step.index]
      return unlessShared(source, step.role, [list, ...withInner(item?.value ?? null)], () =>
        removeItem(source, list, step.index),
      )
    }
    case 'unset':
    case 'unshadow': {
      const root = source.yaml.root
      const section = root?.kind === 'mapping' ? findItem(source, root, step.key) : null
      const map = section?.value
      if (section && map?.kind === 'alias') return aliasedSection(step.key, map)
      if (root?.kind !== 'mapping' || !section || map?.kind !== 'mapping') return noWay(step.role)
      const entries = itemsIn(map)
      const isMeant = ({ key }: SourceItem): boolean => scalarText(source, key) === step.role
      const index = step.kind === 'unset' ? entries.findLastIndex(isMeant) : entries.findIndex(isMeant)
      const entry = entries[index]
      const touched = [map, ...withInner(entry?.key ?? null), ...withInner(entry?.value ?? null)]
      return unlessShared(source, step.role, touched, () => removeEntry(source, root, section, index))
    }
  }
}

function planWrite(source: EditSource, entry: NewEntry, after: Overlay): Planned {
  const root = source.yaml.root
  const key = sectionOf(entry)
  const section = root?.kind === 'mapping' ? findItem(source, root, key) : null
  if (!section) return planned(addSection(source, root, entry))
  const map = section.value
  if (map.kind === 'alias') return aliasedSection(key, map)
  const role = map.kind === 'mapping' ? findItem(source, map, entry.role) : null
  if (!role) {
    return unlessShared(source, entry.role, [map], () => withoutRemoval(addEntry(source, section, entry)))
  }
  const { value } = role
  const touched = [value]
  if (entry.kind === 'set') {
    const text =
      entry.key === 'sticky' ? String(entry.value) : writeScalar(entry.value, quotingOf(value) ?? 'plain')
    return unlessShared(source, entry.role, touched, () =>
      withoutRemoval(asList(replaceValue(role.value, text))),
    )
  }
  if (value.kind === 'alias') return replaceAlias(role, after.excludes.get(entry.role) ?? [])
  return unlessShared(source, entry.role, touched, () =>
    withoutRemoval(addListed(source, role, entry.exclude)),
  )
}

function findRole(source: EditSource, key: OverlayKey, role: string): SourceItem | null {
  const root = source.yaml.root
  const section = root?.kind === 'mapping' ? findItem(source, root, key) : null
  return section?.value.kind === 'mapping' ? findItem(source, section.value, role) : null
}

/** An alias stands for a list of another role: this role gets a list of its own. */
function replaceAlias(role: SourceItem, excludes: readonly string[]): Planned {
  return planned(asList(replaceValue(role.value, writeList(excludes, 'plain'))))
}

/**
 * Plans an edit of `touched`, unless an alias elsewhere repeats one of them and would say something else
 * after it.
 */
function unlessShared(
  source: EditSource,
  role: string,
  touched: readonly YamlNode[],
  plan: () => readonly EditPlan[],
): Planned {
  const alias = findAliasOf(source, touched)
  if (!alias) return { ok: true, plans: plan() }
  const reason =
    `what stands at \`${role}\` is repeated elsewhere through its anchor \`&${alias.name}\`, and would ` +
    `change there too: write the value out in place of \`*${alias.name}\` first`
  return { ok: false, reason, span: alias.span }
}

function aliasedSection(key: OverlayKey, node: AliasNode): Planned {
  const reason = `\`${key}\` is an alias of another mapping: write its entries out under \`${key}\` first`
  return { ok: false, reason, span: nodeSpan(node) }
}

function noWay(role: string): Planned {
  return { ok: false, reason: `the entry of \`${role}\` is not where the overlay says it is`, span: null }
}

function planned(splices: readonly Splice[]): Planned {
  return { ok: true, plans: withoutRemoval(splices) }
}

function withoutRemoval(splices: readonly Splice[] | null): EditPlan[] {
  return splices && splices.length > 0 ? [{ splices, removed: null }] : []
}

function asList(splice: Splice | null): Splice[] {
  return splice ? [splice] : []
}

import { fleetText, setFleetKey, unsetFleetKey, type FleetEdit } from './edit-fleet.ts'
import { EMPTY_SITE } from './node-site.ts'
import { readFleet } from './read-fleet.ts'
import { siteFields, type SiteFields } from './site-fields.ts'

/** Each key of `fleet.yaml` with its value in one line; null where nothing is to be written. */
function keysOf({
  ssh,
  roots,
  mount,
  start,
  programs,
}: SiteFields): readonly (readonly [string, string | null])[] {
  const [first, ...more] = roots.map(fleetText)
  const members = Object.entries(programs).map(([name, path]) => `${fleetText(name)}: ${fleetText(path)}`)
  return [
    ['ssh', ssh === null ? null : fleetText(ssh)],
    ['root', first === undefined ? null : more.length === 0 ? first : `[${[first, ...more].join(', ')}]`],
    ['mount', mount === null ? null : fleetText(mount)],
    ['start', start],
    ['programs', members.length === 0 ? null : `{${members.join(', ')}}`],
  ]
}

/** What is wrong with `fields`, as reading them in a `fleet.yaml` says it; null when nothing is. */
export function siteFault(fields: SiteFields): string | null {
  const lines = keysOf(fields).flatMap(([key, value]) => (value === null ? [] : [`  ${key}: ${value}`]))
  const read = readFleet(['nodes:', '- id: node', ...lines, ''].join('\n'), 'fleet.yaml')
  return read.problems[0]?.message ?? null
}

/** `text` of a `fleet.yaml` with the fields of a node as given. Only what differs is touched; comments stay. */
export function editSite(before: string, nodeId: string, fields: SiteFields): FleetEdit {
  const read = readFleet(before, '')
  const known = read.ok ? read.value.find((node) => node.nodeId === nodeId)?.site : undefined
  const written = new Map(keysOf(siteFields(known ?? EMPTY_SITE)))
  let edited: FleetEdit = { ok: true, text: before }
  for (const [key, value] of keysOf(fields)) {
    if (!edited.ok || written.get(key) === value) continue
    edited =
      value === null
        ? unsetFleetKey(edited.text, nodeId, key)
        : setFleetKey(edited.text, nodeId, [key, value])
  }
  return edited
}

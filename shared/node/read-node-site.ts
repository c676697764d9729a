import type { YamlNode } from '../yaml/nodes.ts'
import type { FleetSource } from './fleet-source.ts'
import { EMPTY_SITE, START_KINDS, type NodeSite, type StartKind } from './node-site.ts'

/** The keys of a node in `fleet.yaml` that make its {@link NodeSite}. */
export const SITE_KEYS = ['ssh', 'root', 'mount', 'start', 'programs', 'url', 'key_env'] as const

/** Most folders or addresses of one node: more is taken for a mistake. */
const MAX_LISTED = 16
const MAX_PATH_CHARACTERS = 1024
const MAX_URL_CHARACTERS = 2048

/** A host name or alias, perhaps with a user; never anything that ssh could take for an option. */
const SSH_HOST = /^(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,63}@)?[A-Za-z0-9_[][A-Za-z0-9._:%[\]-]{0,253}$/
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/

/**
 * Reads how a node is reached and where it keeps things (docs/formats.md, "Node facts", `fleet.yaml`). Everything is
 * optional; what is wrong is reported at its place and left out.
 */
export function readNodeSite(source: FleetSource, members: ReadonlyMap<string, YamlNode>): NodeSite | null {
  if (!SITE_KEYS.some((key) => members.has(key))) return null
  const of = (key: (typeof SITE_KEYS)[number]): YamlNode | null => {
    const slot = members.get(key)
    return slot === undefined || source.isNull(slot) ? null : slot
  }
  const roots = readList(source, of('root'), readPath)
  const site: NodeSite = {
    ...EMPTY_SITE,
    ssh: readSsh(source, of('ssh')),
    roots,
    mount: readMount(source, of('mount'), roots[0]),
    start: readStart(source, of('start')),
    programs: readPrograms(source, of('programs')),
    urls: readList(source, of('url'), readUrl),
    keyEnv: readKeyEnv(source, of('key_env')),
  }
  return site
}

function readSsh(source: FleetSource, slot: YamlNode | null): string | null {
  if (slot === null) return null
  const host = source.text(slot)
  if (host !== null && SSH_HOST.test(host)) return host
  source.refuseValue(slot, '`ssh` must be a host of your ssh configuration, such as gpu-box or me@gpu-box')
  return null
}

function readList(
  source: FleetSource,
  slot: YamlNode | null,
  read: (source: FleetSource, slot: YamlNode) => string | null,
): string[] {
  if (slot === null) return []
  const items = source.oneOrMore(slot)
  if (items.length > MAX_LISTED) source.refuse(slot, `at most ${MAX_LISTED} can be listed here`)
  return items.slice(0, MAX_LISTED).flatMap((item) => read(source, item) ?? [])
}

function readPath(source: FleetSource, slot: YamlNode): string | null {
  const path = absolutePath(source.text(slot))
  if (path === null) source.refuseValue(slot, ABSOLUTE_PATH)
  return path
}

const ABSOLUTE_PATH = 'this must be an absolute path without . and .. in it, such as /srv/models'

/** `text` as an absolute POSIX path without a slash at its end; null when it is none. */
function absolutePath(text: string | null): string | null {
  if (text === null || text.length > MAX_PATH_CHARACTERS || !text.startsWith('/')) return null
  if (hasControlCharacter(text)) return null
  const parts = text.split('/').filter((part) => part !== '')
  return parts.some((part) => part === '.' || part === '..') ? null : `/${parts.join('/')}`
}

function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function readMount(source: FleetSource, slot: YamlNode | null, root: string | undefined): string | null {
  if (slot === null) return null
  const mount = readPath(source, slot)
  if (mount === null || root === undefined || isWithin(root, mount)) return mount
  source.refuse(
    slot,
    `\`mount\` must be the mount point that \`root\` is on: ${root} is not inside of ${mount}`,
  )
  return null
}

/** Whether the absolute path `path` is `folder` or lies in it. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

function readStart(source: FleetSource, slot: YamlNode | null): StartKind | null {
  if (slot === null) return null
  const text = source.text(slot)
  const start = START_KINDS.find((kind) => kind === text)
  if (start === undefined) source.refuseValue(slot, `\`start\` must be one of ${START_KINDS.join(', ')}`)
  return start ?? null
}

function readPrograms(source: FleetSource, slot: YamlNode | null): ReadonlyMap<string, string> {
  const programs = new Map<string, string>()
  if (slot === null) return programs
  for (const [name, { key, value }] of source.entries(slot, '`programs`', 'program') ?? []) {
    if (!PROGRAM.test(name)) {
      source.refuseValue(key, "a program's name is letters, digits and . _ + -")
      continue
    }
    const path = value && readPath(source, value)
    if (path !== null) programs.set(name, path)
  }
  return programs
}

function readUrl(source: FleetSource, slot: YamlNode): string | null {
  const url = httpUrl(source.text(slot))
  if (url === null) {
    source.refuseValue(
      slot,
      '`url` must be an http or https address without user, password, query and fragment, such as http://gpu-box:8080',
    )
  }
  return url
}

function readKeyEnv(source: FleetSource, slot: YamlNode | null): string | null {
  if (slot === null) return null
  const name = source.text(slot)
  if (name !== null && /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)) return name
  source.refuseValue(slot, '`key_env` must be the name of an environment variable, such as GPU_BOX_KEY')
  return null
}

/** Scheme, host (a bracketed one is an IPv6 address), port and path. */
const HTTP_URL = /^https?:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?(?:\/[A-Za-z0-9._~%/-]*)?$/

/** `text` as an address without a slash at its end; null when it is none that may be asked. */
function httpUrl(text: string | null): string | null {
  if (text === null || text.length > MAX_URL_CHARACTERS) return null
  const match = HTTP_URL.exec(text)
  if (match === null || Number(match[1] ?? 1) > 65_535 || Number(match[1] ?? 1) === 0) return null
  return text.replace(/\/+$/, '')
}

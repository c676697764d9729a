import { MAX_NAME_BYTES } from '../model-manifest/read-body.ts'
import type { ModelSource } from '../model-manifest/types.ts'
import type { RosterEntry } from '../roster/types.ts'
import { isToken } from '../token.ts'
import { repoTail } from './hf-names.ts'

/** What a found model goes by before it has a name. */
export interface Nameable {
  readonly source: ModelSource | null
  /**
   * The last two parts of its folder's path (`ORG/NAME`), as model folders are often laid out; null for a
   * store's.
   */
  readonly folderRepo: string | null
  /**
   * The two parts before the last one, where the folder is one of a repo's for each quantization
   * (`ORG/NAME/Q4_K_M`).
   */
  readonly parentRepo?: string | null
  /** Its folder's or file's own name. */
  readonly folderName: string
  /** The same for models that are copies of each other as far as is known before they are read. */
  readonly likeness: string
}

export interface ModelName {
  readonly name: string
  /** Ids of the roster's roles whose model this is. */
  readonly roles: readonly string[]
  /** What a person should know about the choice. */
  readonly warning: string | null
}

/**
 * A name for each of `models`, in their order: that of the roster entry whose `repo` it is, else its
 * folder's, turned into a token. A roster entry that several different models answer to names none of them,
 * since only the operator can know which one is meant. Of different models of one name, as publishers make them of one
 * release, all but the first have their publisher's before it. Null where no name can be made.
 */
export function nameModels(
  models: readonly Nameable[],
  entries: readonly RosterEntry[],
): readonly (ModelName | null)[] {
  const matches = models.map((model) => rosterNameOf(model, entries))
  const claims = new Map<string, Set<string>>()
  matches.forEach((name, i) => {
    if (name === null) return
    claims.set(name, (claims.get(name) ?? new Set()).add(models[i]?.likeness ?? ''))
  })
  const names = models.map((model, i) => {
    const match = matches[i] ?? null
    const own = folderToken(model.folderName)
    if (match === null) return own === null ? null : named(own, null, entries)
    if ((claims.get(match)?.size ?? 0) > 1) {
      const warning = `several models answer to ${match}: scan the right one alone with --name ${match}`
      return own === null ? null : named(own, warning, entries)
    }
    if (isToken(match, MAX_NAME_BYTES)) return named(match, null, entries)
    const warning = `no manifest can be named ${JSON.stringify(match)}: it is named after its folder`
    return own === null ? null : named(own, warning, entries)
  })
  const isRosters = matches.map((match) => match !== null && (claims.get(match)?.size ?? 0) <= 1)
  return apart(models, names, isRosters, entries)
}

/** `names`, where models that are no copies of each other have different ones, as far as their folders differ. */
function apart(
  models: readonly Nameable[],
  names: readonly (ModelName | null)[],
  isRosters: readonly boolean[],
  entries: readonly RosterEntry[],
): readonly (ModelName | null)[] {
  const owners = new Map<string, Nameable>()
  const result = [...names]
  // What the roster names has its name, whatever comes before it.
  const order = [...models.keys()].sort((a, b) => Number(isRosters[b]) - Number(isRosters[a]))
  for (const i of order) {
    const [model, name] = [models[i], names[i]]
    if (model === undefined || name === undefined || name === null) continue
    const owner = owners.get(name.name.toLowerCase())
    if (owner === undefined) owners.set(name.name.toLowerCase(), model)
    if (owner === undefined || owner.likeness === model.likeness || isRosters[i] === true) continue
    const own = folderToken(`${differingPart(model, owner) ?? ''}-${name.name}`) ?? name.name
    if (owners.has(own.toLowerCase())) continue
    owners.set(own.toLowerCase(), model)
    const warning = `another model is named ${name.name}: this one has its publisher or folder before it`
    result[i] = named(own, warning, entries)
  }
  return result
}

/** What of `model`'s repo or folder another one's is not: its publisher, else its own name. */
function differingPart(model: Nameable, other: Nameable): string | null {
  const parts = ({ source, parentRepo, folderRepo }: Nameable): readonly string[] =>
    (source?.hfRepo ?? parentRepo ?? folderRepo ?? '').split('/')
  const theirs = parts(other)
  return parts(model).find((part, i) => part !== '' && part !== theirs[i]) ?? null
}

/** A name that was given, with the roles it serves. */
export function givenName(name: string, entries: readonly RosterEntry[]): ModelName {
  return named(name, null, entries)
}

function named(name: string, warning: string | null, entries: readonly RosterEntry[]): ModelName {
  return { name, warning, roles: entries.filter((entry) => entry.name === name).map(({ id }) => id) }
}

/** The name of the roster entry whose repo `model` is; null when there is none, or entries disagree. */
function rosterNameOf(model: Nameable, entries: readonly RosterEntry[]): string | null {
  const { source } = model
  const tag = source?.ollamaTag ?? null
  if (tag !== null) {
    const bare = tag.replace(/:latest$/, '')
    return onlyName(entries, ({ repo, name }) =>
      [tag, bare].some((each) => same(repo, each) || name === each),
    )
  }
  const repo = source?.hfRepo ?? null
  if (repo !== null) return onlyName(entries, (entry) => same(entry.repo, repo))
  const { folderRepo, parentRepo = null } = model
  if (folderRepo === null) return null
  const repos = [folderRepo, ...(parentRepo === null ? [] : [parentRepo])]
  const names = [model.folderName, ...repos.map(repoTail)]
  return (
    onlyName(entries, (entry) => repos.some((each) => same(entry.repo, each))) ??
    onlyName(entries, ({ repo }) => repo !== '' && names.some((name) => same(repoTail(repo), name)))
  )
}

/** Hosts of models do not tell repos apart by case. */
function same(repo: string, other: string): boolean {
  return repo.toLowerCase() === other.toLowerCase()
}

function onlyName(entries: readonly RosterEntry[], matches: (entry: RosterEntry) => boolean): string | null {
  const names = new Set(entries.filter(matches).map(({ name }) => name))
  const [name] = names
  return names.size === 1 && name !== undefined && name !== '' ? name : null
}

const QUANT =
  /^(?:UD-)?(?:I?Q\d\w*|BF16|F16|F32|FP16|FP32|FP8|FP4|MXFP[48]\w*|NVFP4|TQ\d\w*|INT[48]|\d[-_]?BITS?)$/i

/** Whether `name` says how weights are quantized and nothing else: it names no model. */
export function isQuantName(name: string): boolean {
  return QUANT.test(name)
}

/** `text` as a model's name: what a token cannot hold becomes a dash. Null when nothing is left. */
export function folderToken(text: string): string | null {
  const token = text
    .replace(/[^A-Za-z0-9._+:-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX_NAME_BYTES)
  return token === '' ? null : token
}

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
 * since only the operator can know which one is meant. Null where no name can be made.
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
  return models.map((model, i) => {
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

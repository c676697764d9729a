import { formatBytes } from '../bytes.ts'
import { RUNTIME_TRAITS, RUNTIMES, type Runtime } from '../inference-spec.ts'
import type { RosterEntry } from '../roster/types.ts'
import { folderToken } from '../scan/naming.ts'
import { MAX_ROLE_BYTES } from '../token.ts'
import type { DraftModel, ListedModel, Proposal } from './types.ts'

export interface DraftInputs {
  readonly models: readonly DraftModel[]
  readonly listed: readonly ListedModel[]
  /** Ports that files of other tools say Ollama listens on. */
  readonly ollamaPorts: readonly number[]
  /** Entries of a roster that is there already: their models are not proposed again. */
  readonly entries: readonly RosterEntry[]
  /** Ports that something on this machine listens on. */
  readonly busyPorts: ReadonlySet<number>
  /** A path of another tool's file as a model is known by: absolute, links resolved. */
  readonly realOf: (path: string) => string
}

/**
 * A roster entry for each model that was found or that another tool lists, in that order. A model that a tool lists
 * takes the id, the port and the runtime from there. Copies of one model are proposed once.
 */
export function proposeRoster(inputs: DraftInputs): readonly Proposal[] {
  const { models, listed, entries } = inputs
  const taken = new Set(entries.map(({ id }) => id.toLowerCase()))
  const known = new Set(entries.map(({ name }) => name.toLowerCase()))
  const ports = new Ports(inputs)
  const lists = new Map<DraftModel, ListedModel[]>()
  const alone: ListedModel[] = []
  for (const each of listed) {
    const model = models.find((candidate) => isModelOf(candidate, each, inputs.realOf))
    if (model === undefined) alone.push(each)
    else lists.set(model, [...(lists.get(model) ?? []), each])
  }
  const proposals: Proposal[] = []
  const propose = (name: string, id: string, rest: Omit<Proposal, 'id' | 'name'>): void => {
    proposals.push({ id: freeId(id, taken), name, ...rest })
  }
  for (const model of models) {
    const { name } = model
    if (known.has(name.toLowerCase())) continue
    known.add(name.toLowerCase())
    // A tool may run one model as several roles, each with a context of its own.
    for (const from of lists.get(model) ?? [null]) {
      propose(name, from?.id ?? name, proposedModel(model, from, ports))
    }
  }
  for (const each of alone) {
    const name = folderToken(nameOf(each)) ?? 'model'
    if (!known.has(name.toLowerCase())) propose(name, each.id, proposedListed(each, ports))
  }
  return proposals
}

function proposedModel(
  model: DraftModel,
  from: ListedModel | null,
  ports: Ports,
): Omit<Proposal, 'id' | 'name'> {
  const listed = from?.runtime ? [from.runtime] : []
  const runtime = [...listed, ...RUNTIMES].find((each) => canRun(each, model)) ?? FALLBACK
  const { memory, fileBytes } = model
  return {
    repo: model.repo ?? model.ollamaTag,
    runtime,
    ramBytes: memory?.bytes ?? fileBytes,
    port: ports.portFor(runtime, from?.port ?? null),
    remarks: [
      `from ${model.shown}${from === null ? '' : ` and ${from.from}`}`,
      memory === null
        ? `ram_gb: the length of its files, ${formatBytes(fileBytes)}; add what its context takes`
        : memory.hasContext
          ? `ram_gb: its weights, buffers and a context of ${memory.context} tokens`
          : 'ram_gb: its weights and buffers; its files do not say what a context takes, so add that',
      ...(model.format === 'safetensors'
        ? ['mlx_lm needs an Apple machine, and may have to convert it']
        : []),
    ],
  }
}

function proposedListed(listed: ListedModel, ports: Ports): Omit<Proposal, 'id' | 'name'> {
  const runtime = listed.runtime ?? FALLBACK
  return {
    repo: listed.repo ?? listed.ollamaTag,
    runtime,
    ramBytes: null,
    port: ports.portFor(runtime, listed.port),
    remarks: [
      `from ${listed.from}; ${listed.path === null ? 'it names no file' : `there is no model at ${listed.path}`}`,
      'ram_gb: not known without its files; fill it in, as the role is left out until then',
      ...(listed.runtime === null ? ['backend: a guess, as nothing says which server runs it'] : []),
    ],
  }
}

/** Whether `runtime` loads the model's format. */
function canRun(runtime: Runtime, { format }: DraftModel): boolean {
  return RUNTIME_TRAITS[runtime].formats.includes(format)
}

function isModelOf(model: DraftModel, listed: ListedModel, realOf: DraftInputs['realOf']): boolean {
  if (listed.path !== null) {
    const real = realOf(listed.path)
    return (
      real === model.file || (real === model.root && model.format !== 'gguf' && model.format !== 'ollama')
    )
  }
  if (listed.ollamaTag !== null)
    return model.ollamaTag !== null && tagOf(model.ollamaTag) === tagOf(listed.ollamaTag)
  return listed.repo !== null && model.repo?.toLowerCase() === listed.repo.toLowerCase()
}

function tagOf(tag: string): string {
  return tag.includes(':') ? tag : `${tag}:latest`
}

function nameOf({ id, path, repo, ollamaTag }: ListedModel): string {
  const text = path ?? repo ?? ollamaTag ?? id
  return text
    .replace(/[/\\]+$/, '')
    .replace(/^.*[/\\]/, '')
    .replace(/\.gguf$/i, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
}

/** `text` as a role id that no entry has, whatever its case. */
function freeId(text: string, taken: Set<string>): string {
  const base = (folderToken(text.toLowerCase()) ?? 'model').slice(0, MAX_ROLE_BYTES)
  let id = base
  for (let number = 2; taken.has(id); number++) {
    const suffix = `-${number}`
    id = `${base.slice(0, MAX_ROLE_BYTES - suffix.length)}${suffix}`
  }
  taken.add(id)
  return id
}

class Ports {
  readonly #taken: Set<number>
  readonly #busy: ReadonlySet<number>
  readonly #ollama: number | null

  constructor({ entries, listed, busyPorts, ollamaPorts }: DraftInputs) {
    const all = [...entries, ...listed].flatMap(({ port }) => port ?? [])
    this.#taken = new Set(entries.flatMap(({ port }) => port ?? []))
    this.#busy = new Set([...busyPorts, ...all])
    this.#ollama = ollamaPorts[0] ?? null
  }

  /** The port that a tool has for it, unless another entry has that; else a free one. */
  portFor(runtime: Runtime, own: number | null): number {
    const { sharesPort, usualPort } = RUNTIME_TRAITS[runtime]
    if (sharesPort) return own ?? this.#ollama ?? usualPort
    let port = own ?? usualPort
    if (own === null || this.#taken.has(own)) {
      port = usualPort
      while (port < 65_535 && (this.#taken.has(port) || this.#busy.has(port) || RESERVED.has(port))) port++
    }
    this.#taken.add(port)
    return port
  }
}

/** Ports that a draft gives to nothing: Ollama's own. */
const RESERVED: ReadonlySet<number> = new Set(
  RUNTIMES.map((runtime) => RUNTIME_TRAITS[runtime]).flatMap(({ sharesPort, usualPort }) =>
    sharesPort ? [usualPort] : [],
  ),
)

/** The runtime of a model whose list does not say one. */
const FALLBACK: Runtime = 'infer.llamacpp'

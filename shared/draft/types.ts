import type { ModelFormat, Runtime } from '../inference-spec.ts'

/** A model that was found on this machine, as far as a draft needs it. */
export interface DraftModel {
  /** The name that its manifest has or will get. */
  readonly name: string
  readonly format: ModelFormat
  readonly repo: string | null
  readonly ollamaTag: string | null
  /** Where it lies, for a person. */
  readonly shown: string
  /** Absolute, links resolved: its first weight file, and the folder that its paths are relative to. */
  readonly file: string
  readonly root: string
  /** What running it takes, in bytes; null when its files do not say. */
  readonly memory: DraftMemory | null
  /** The length of its weight files, in bytes. */
  readonly fileBytes: bigint
}

/** What a model takes with a stated context, in bytes. */
export interface DraftMemory {
  readonly bytes: bigint
  readonly context: number
  /** Whether what the context takes is in `bytes`: its files do not always say. */
  readonly hasContext: boolean
}

/** One model as a file of another tool lists it. Nothing else of that file is kept: no keys, tokens or environment. */
export interface ListedModel {
  /** What the tool calls it. */
  readonly id: string
  /** The tool and its file, for a person. */
  readonly from: string
  readonly runtime: Runtime | null
  /** The weight file or model folder that it names, as written; null when it names none. */
  readonly path: string | null
  readonly repo: string | null
  readonly ollamaTag: string | null
  /** The port of its own that it listens on; null when it has none, or the tool chooses one. */
  readonly port: number | null
  readonly context: number | null
}

/** What a file of another tool says. */
export interface ToolList {
  readonly models: readonly ListedModel[]
  /** Ports that the file says Ollama listens on, in its order. */
  readonly ollamaPorts: readonly number[]
  /** What of it is not in a draft, a sentence part each. */
  readonly notes: readonly string[]
}

/** A roster entry that is proposed. */
export interface Proposal {
  readonly id: string
  readonly name: string
  readonly repo: string | null
  readonly runtime: Runtime
  /** Null when no file says it: the operator must. */
  readonly ramBytes: bigint | null
  readonly port: number
  /** Where it came from, and how its memory was worked out: a sentence part each. */
  readonly remarks: readonly string[]
}

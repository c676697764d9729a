import { z } from 'zod'
import { MAX_HASH_THREADS } from '../scan/walk-rules.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { RosterEntry } from '../roster/types.ts'

/**
 * What a machine is asked and what it answers when a whole lab is gathered. Both ends may be of different versions, and
 * neither trusts the other: everything is validated. Byte counts are decimal strings.
 */

/** Grows when a question or an answer is no longer understood by older planners. */
export const GATHER_PROTOCOL = 1

/** Largest question and largest line of an answer, in characters. */
export const MAX_GATHER_TEXT = 32 * 1024 * 1024

const count = z.string().regex(/^\d{1,20}$/)
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const sideFile = z.object({ path: z.string().max(256), blake3: hash }).nullable()

const askedModel = z.object({
  packageId: hash,
  name: z.string().max(64),
  shards: z.array(z.object({ path: z.string().max(256), size: count, blake3: hash })).max(255),
  tokenizer: sideFile,
  template: sideFile,
})
export type AskedModel = z.infer<typeof askedModel>

export const questionSchema = z.object({
  protocol: z.literal(GATHER_PROTOCOL),
  /** Stands before every line of the answer, so that a banner of the machine is no part of it. */
  mark: z.string().regex(/^[A-Za-z0-9]{16,64}$/),
  nodeId: z.string().max(128),
  /** Folders with models; none: the machine's usual places. */
  roots: z.array(z.string().max(1024)).max(16),
  /** How many threads hash; left out: half of that machine's cores. */
  threads: z.number().int().min(1).max(MAX_HASH_THREADS).optional(),
  /** The lab's manifests: the machine says what it has of each. */
  models: z.array(askedModel).max(4096),
  /** The roster's models, by which what is found is named. */
  entries: z.array(z.object({ id: z.string(), name: z.string(), repo: z.string() })).max(256),
})
export type Question = z.infer<typeof questionSchema>

const leftOut = z.object({
  kind: z.enum(['refused', 'passed']),
  place: z.string().max(8192),
  reason: z.string().max(8192),
})

const progress = z.object({
  kind: z.literal('progress'),
  stage: z.enum(['finding', 'hashing', 'probing']),
  doneBytes: count,
  totalBytes: count,
  /** Seconds that are left of hashing; null when not known. */
  secondsLeft: z.number().nonnegative().nullable(),
})
export type GatherProgress = z.infer<typeof progress>

const answer = z.object({
  kind: z.literal('answer'),
  /** The text of a facts file; its times and number are given by the one who asked. */
  facts: z.string(),
  /** Texts of manifests of whole models that the lab has none of. */
  manifests: z.array(z.string()).max(4096),
  /** Texts of shape files of whole models there; older planners send none. */
  shapes: z.array(z.string()).max(4096).default([]),
  leftOut: z.array(leftOut).max(20_000),
})
export type GatherAnswer = z.infer<typeof answer>

const failure = z.object({ kind: z.literal('failed'), reason: z.string().max(8192) })

export const messageSchema = z.discriminatedUnion('kind', [progress, answer, failure])
export type GatherMessage = z.infer<typeof messageSchema>

/** A manifest of the lab as a machine is asked about it. */
export function askedModelOf({ packageId, body }: ModelManifest): AskedModel {
  const side = (path: string | null, blake3: string | null): AskedModel['tokenizer'] =>
    path === null || blake3 === null ? null : { path, blake3 }
  return {
    packageId,
    name: body.name,
    shards: body.shards.map(({ path, size, blake3 }) => ({ path, size: size.toString(), blake3 })),
    tokenizer: side(body.tokenizerPath, body.tokenizerBlake3),
    template: side(body.templatePath, body.templateBlake3),
  }
}

/** The manifest as the asked machine works with it; what does not matter there is left empty. */
export function manifestOf({ packageId, name, shards, tokenizer, template }: AskedModel): ModelManifest {
  return {
    packageId,
    body: {
      name,
      shards: shards.map(({ path, size, blake3 }) => ({ path, size: BigInt(size), blake3 })),
      redistributable: false,
      format: 'gguf',
      tokenizerPath: tokenizer?.path ?? null,
      tokenizerBlake3: tokenizer?.blake3 ?? null,
      templatePath: template?.path ?? null,
      templateBlake3: template?.blake3 ?? null,
      source: null,
    },
    signature: 'unsigned',
    file: '',
    refused: null,
  }
}

/** A roster entry of a question, as far as naming a model needs it. */
export function entryOf({ id, name, repo }: Question['entries'][number]): RosterEntry {
  const span = { start: 0, end: 0 }
  const rest = { role: '', backend: '', status: '', ramBytes: null, port: null, span, fieldSpans: {} }
  return { id, name, repo, ...rest }
}

import { z } from 'zod'
import { issuePath } from '../json/issue-place.ts'
import { U64_MAX } from '../bytes.ts'
import { LATENCY_CLASSES, RUNTIMES } from '../inference-spec.ts'
import { JsonReport } from '../json/json-reader.ts'
import { endOfString } from '../json/json-scan.ts'
import { readJsonSource } from '../json/json-source.ts'
import type { Unplaceable } from '../locality/types.ts'
import { plainReason } from '../locality/unplaceable-words.ts'
import { readFailed, readOk, type Read } from '../problem.ts'
import { OUTCOME_KINDS } from '../plan/outcome.ts'
import type { OutcomeOutline, PlanOutline } from './plan-diff.ts'
import type { DecisionJson } from './plan-json.ts'

/** The largest plan file read: 256 roles explained over thousands of nodes take tens of megabytes. */
export const MAX_PLAN_JSON_BYTES = 256 * 1024 * 1024

/** A byte count: {@link quoteLargeIntegers} made a text of what a double cannot hold. */
const bytes = z
  .union([z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER), z.string().regex(/^\d{16,20}$/)])
  .transform((count) => BigInt(count))
  .refine((count) => count <= U64_MAX, 'a byte count is at most 2^64-1')

/** The fields that each reason carries beside its name: the type asks for every reason and every field. */
const UNPLACEABLE_FIELDS: {
  readonly [Reason in Unplaceable['reason']]: {
    readonly [Field in keyof Omit<Extract<Unplaceable, { reason: Reason }>, 'reason'>]: z.ZodType<
      Extract<Unplaceable, { reason: Reason }>[Field]
    >
  }
} = {
  no_holder: {},
  no_eligible_node: {},
  transfer_disabled: {},
  not_redistributable: {},
  over_ceiling: { bytes, max: bytes },
  no_space: { needed: bytes, free: bytes.nullable() },
}

type UnplaceableJson = Extract<DecisionJson, { kind: 'unplaceable' }>

const reasonSchemas = Object.entries(UNPLACEABLE_FIELDS).map(([reason, fields]) =>
  z.object({
    kind: z.literal('unplaceable'),
    message: z.string(),
    reason: z.literal(reason),
    ...(fields as z.ZodRawShape),
  }),
)

// The table's type holds what the types of schemas made in a loop cannot.
const unplaceable = z
  .discriminatedUnion('reason', reasonSchemas as [(typeof reasonSchemas)[number]])
  .transform((value) => value as unknown as UnplaceableJson)

const decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('place_at_holder'), node_id: z.string() }),
  z.object({
    kind: z.literal('fetch_then_place'),
    target: z.string(),
    sources: z.array(z.string()),
    bytes,
    missing_shards: z.number().int().nonnegative(),
  }),
  unplaceable,
  z.object({ kind: z.literal('no_manifest'), model: z.string().nullable() }),
])

const spec = z.object({
  role: z.string(),
  model: z.string().exactOptional(),
  runtime: z.enum(RUNTIMES),
  serve: z.object({ port: z.number().int().exactOptional() }),
  memory: z.object({ weights_bytes: z.number().int(), kv_budget_bytes: z.number().int() }),
  excludes: z.array(z.string()).exactOptional(),
  latency_class: z.enum(LATENCY_CLASSES),
  sticky: z.boolean(),
  api: z.literal('openai-v1'),
})

const outcome = z.object({
  kind: z.enum(OUTCOME_KINDS),
  node_id: z.string().nullable(),
  bytes,
  instead_of: z.string().nullable(),
  reason: z.string().nullable(),
})

/** What plan files had before they had outcomes. */
const placement = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('placed'),
    node_id: z.string(),
    at: z.enum(['decided', 'alternative']),
    bytes,
    tried: z.array(z.object({ node_id: z.string(), reason: z.string() })),
  }),
  z.object({ kind: z.literal('none'), reason: z.string() }),
  z.object({ kind: z.literal('off') }),
])

type PlacementFile = z.output<typeof placement>

function outcomeOfPlacement(from: PlacementFile): OutcomeOutline {
  const nowhere = { node_id: null, bytes: 0n, instead_of: null, reason: null }
  switch (from.kind) {
    case 'placed': {
      const { node_id, at, bytes: moved, tried } = from
      const [first] = tried
      if (at === 'alternative' && first !== undefined)
        return {
          kind: 'elsewhere',
          node_id,
          bytes: moved,
          instead_of: first.node_id,
          reason: plainReason(first.reason),
        }
      return { ...nowhere, kind: moved === 0n ? 'in_place' : 'after_fetching', node_id, bytes: moved }
    }
    case 'none':
      return { ...nowhere, kind: 'cannot_run', reason: plainReason(from.reason) }
    case 'off':
      return { ...nowhere, kind: 'switched_off' }
  }
}

const outline = z.object({
  policy: z.object({
    allow_weight_transfer: z.boolean(),
    max_bytes: bytes.nullable(),
    free_headroom_bytes: bytes,
  }),
  roles: z.array(
    z
      .object({
        role: z.string(),
        spec,
        repo: z.string(),
        status: z.string(),
        manifest: z
          .object({ package_id: z.string(), name: z.string(), shards: z.number().int(), bytes })
          .nullable(),
        decision,
        placement: placement.exactOptional(),
        outcome: outcome.exactOptional(),
      })
      .transform(({ placement: before, outcome: own, ...role }) => ({
        ...role,
        outcome: own ?? (before === undefined ? null : outcomeOfPlacement(before)),
      })),
  ),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
})

/** Whether `text` means to be a plan file, rather than an overlay or a roster. */
export function looksLikePlanJson(text: string): boolean {
  return /^\uFEFF?\s*\{/.test(text) && /"roles"\s*:/.test(text)
}

/**
 * Reads what of a plan file (`plan --json`) is compared; byte counts are exact. What else it holds is left
 * alone.
 */
export function readPlanJson(text: string, file: string): Read<PlanOutline> {
  const source = readJsonSource(text, file, MAX_PLAN_JSON_BYTES)
  if (!source.ok) return source
  const parsed = outline.safeParse(JSON.parse(quoteLargeIntegers(text.replace(/^\uFEFF/, ''))), {
    error: inWords,
  })
  if (parsed.success) return readOk(parsed.data, source.problems)
  const report = new JsonReport(source.value)
  for (const issue of parsed.error.issues) {
    const at = issuePath(issue)
    const text = `not a plan file: ${at.join('.') || 'the whole'}: ${issue.message}; write one with plan --json`
    report.add('error', 'plan-file-invalid', text, () => source.value.spanOf(at))
  }
  return readFailed(report.problems)
}

/** What is wrong with a value, where its schema has no words of its own. */
function inWords({ input }: { readonly input?: unknown }): string {
  return input === undefined ? 'it is missing' : 'no plan has such a value there'
}

/** `json` with integers of 16 to 20 digits put in quotes: `JSON.parse` would round them. */
function quoteLargeIntegers(json: string): string {
  // Texts are left out of it by their places: a pattern for them would need a step a character, and a stack for those.
  const parts: string[] = []
  let from = 0
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', from)) {
    parts.push(quoteIntegersOf(json.slice(from, quote)))
    from = endOfString(json, quote) + 1
    parts.push(json.slice(quote, from))
  }
  return [...parts, quoteIntegersOf(json.slice(from))].join('')
}

/** The same for a stretch without texts. Longer ones than 2^64-1 are no byte counts, whatever they are rounded to. */
function quoteIntegersOf(json: string): string {
  return json.replace(/(?<![\d.eE+-])\d{16,20}(?![\d.eE+-])/g, '"$&"')
}

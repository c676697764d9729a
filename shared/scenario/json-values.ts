import { z } from 'zod'
import { U64_MAX } from '../bytes.ts'

const BYTES = 'must be a byte count: a text of decimal digits, such as "4294967296", at most 2^64-1'

/** A byte count in a scenario's JSON: decimal digits in a text, since it may pass 2^53. */
export const bytes = z
  .string(BYTES)
  // What is no number must not reach the next check, which reads it as one.
  .regex(/^(0|[1-9]\d{0,19})$/, { error: BYTES, abort: true })
  .refine((text) => BigInt(text) <= U64_MAX, BYTES)

export const nodeId = z
  .string('must be a node id')
  .min(1, 'must be a node id')
  .max(128, 'must be a node id of at most 128 characters')

export const role = z
  .string('must be a role id')
  .min(1, 'must be a role id')
  .max(64, 'must be a role id of at most 64 characters')

export const flag = z.boolean('must be true or false')

/** A key that zod's records drop without a word. A node may be called so. */
const DROPPED_KEY = '__proto__'
const PLAIN = { configurable: true, enumerable: true, writable: true }

/** An object from names to values that keeps every name, also `__proto__`; `rule` is the message for anything else. */
export function byName<Value>(name: z.ZodType<string, string>, value: z.ZodType<Value>, rule: string) {
  const record = z.record(name, value, rule)
  return z.unknown().transform((input, context): Record<string, Value> => {
    const kept = record.safeParse(input)
    const issues = [...(kept.error?.issues ?? [])]
    const named: Record<string, Value> = { ...kept.data }
    if (typeof input === 'object' && input !== null && Object.hasOwn(input, DROPPED_KEY)) {
      const dropped = value.safeParse((input as Readonly<Record<string, unknown>>)[DROPPED_KEY])
      issues.push(
        ...(dropped.error?.issues ?? []).map((issue) => ({ ...issue, path: [DROPPED_KEY, ...issue.path] })),
      )
      // Assigning to this key would set the object's prototype.
      if (dropped.success) Object.defineProperty(named, DROPPED_KEY, { ...PLAIN, value: dropped.data })
    }
    for (const issue of issues) context.issues.push({ ...issue, input } as z.core.$ZodRawIssue)
    return named
  })
}

export const bytesByNode = byName(nodeId, bytes, 'must be an object from node ids to byte counts')

const name = z.string('must be a text').min(1, 'must not be empty').max(256, 'must be at most 256 characters')

export const names = z.array(name, 'must be a list of texts')

export const namesByNode = byName(nodeId, names, 'must be an object from node ids to lists')

export function namesToJson(lists: ReadonlyMap<string, ReadonlySet<string>>): Record<string, string[]> {
  return Object.fromEntries([...lists].map(([node, all]) => [node, [...all]]))
}

export function namesFromJson(
  lists: Readonly<Record<string, readonly string[]>>,
): Map<string, ReadonlySet<string>> {
  return new Map(Object.entries(lists).map(([node, all]) => [node, new Set(all)]))
}

export function bytesToJson(counts: ReadonlyMap<string, bigint>): Record<string, string> {
  return Object.fromEntries([...counts].map(([node, count]) => [node, count.toString()]))
}

export function bytesFromJson(counts: Readonly<Record<string, string>>): Map<string, bigint> {
  return new Map(Object.entries(counts).map(([node, count]) => [node, BigInt(count)]))
}

import { describe, type YamlReader } from '../yaml/reader.ts'
import { isNullWord, readInteger } from '../yaml/scalars.ts'
import type { YamlNode } from '../yaml/nodes.ts'

const MAX_PORT = 65535
const NULL_TAG = 'tag:yaml.org,2002:null'
const INT_TAG = 'tag:yaml.org,2002:int'

/** A port number, or null for none; or what is wrong with it, and at which slot. */
export type ReadPort = { readonly port: number | null } | { readonly at: YamlNode; readonly message: string }

/**
 * Reads `port` of the entry at `entry` (docs/reference.md R5): nothing or null, else an
 * integer from 0 to 65535 that is written plain. `label` names the entry.
 */
export function readPort(reader: YamlReader, slot: YamlNode, entry: YamlNode, label: string): ReadPort {
  const target = reader.follow(slot)
  if (!target) return { port: null }
  const wanted = `\`port\` of ${label} must be an integer from 0 to ${MAX_PORT}`
  const scalar = reader.scalar(target)
  if (!scalar) return { at: target, message: `${wanted}, not ${describe(reader, target)}` }

  const { text, style, tag } = scalar
  if (style === 'plain' && tag === null && (text === '' || isNullWord(text))) return { port: null }
  if (style === 'plain' && tag === NULL_TAG) {
    if (isNullWord(text)) return { port: null }
    // The reference finds this before it is at the value, and names the entry.
    return { at: entry, message: `\`port\` of ${label} is tagged as null but is not: remove the tag` }
  }

  const isPlain = style === 'plain' || (style === 'literal' && tag === INT_TAG)
  const integer = readInteger(text)
  if (isPlain && integer !== null && isPort(integer, text)) return { port: Number(integer) }
  const mend =
    !isPlain && integer !== null ? `: write ${text} without quotes` : `, not ${describe(reader, target)}`
  return { at: target, message: wanted + mend }
}

/** The reference takes -0 for a negative integer. */
function isPort(integer: bigint, text: string): boolean {
  return integer >= 0n && integer <= BigInt(MAX_PORT) && !text.startsWith('-')
}

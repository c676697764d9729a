import { printableJson } from '../printable.ts'

/**
 * What {@link jsonText} writes: JSON values, with `bigint` for exact integers and `undefined` for members
 * left out.
 */
export type JsonInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonInput[]
  | { readonly [key: string]: JsonInput | undefined }

/**
 * `value` as JSON text, formatted as `JSON.stringify(value, null, indent)` formats it, but for `bigint`,
 * which is written as a JSON integer with all its digits (byte counts go beyond what a double can hold), and
 * for characters that a terminal or a reader would act on, which are escaped.
 *
 * @param indent spaces a level, 0 to 10; 0 writes everything on one line.
 */
export function jsonText(value: JsonInput, indent = 0): string {
  return write(value, ' '.repeat(indent), '')
}

function write(value: JsonInput, step: string, margin: string): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return printableJson(JSON.stringify(value))
  return isList(value) ? writeList(value, step, margin) : writeMembers(value, step, margin)
}

/** `Array.isArray` does not narrow a readonly array out of a union. */
function isList(value: object): value is readonly JsonInput[] {
  return Array.isArray(value)
}

function writeList(items: readonly JsonInput[], step: string, margin: string): string {
  const inner = margin + step
  return enclose(
    '[',
    items.map((item) => write(item, step, inner)),
    ']',
    step,
    margin,
  )
}

function writeMembers(
  value: { readonly [key: string]: JsonInput | undefined },
  step: string,
  margin: string,
): string {
  const inner = margin + step
  const colon = step === '' ? ':' : ': '
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined)
      members.push(printableJson(JSON.stringify(key)) + colon + write(member, step, inner))
  }
  return enclose('{', members, '}', step, margin)
}

function enclose(
  open: string,
  parts: readonly string[],
  close: string,
  step: string,
  margin: string,
): string {
  if (parts.length === 0) return open + close
  if (step === '') return open + parts.join(',') + close
  const inner = `\n${margin}${step}`
  return `${open}${inner}${parts.join(`,${inner}`)}\n${margin}${close}`
}

import { fault, type ScanFault } from './scan-fault.ts'
import type { Token } from './tokens.ts'

/** What is said of tokens that have no place where they stand. */

/** Where the parser met the token: what the innermost open collection is. */
export type Context = 'block-list' | 'block-mapping' | 'flow-list' | 'flow-mapping' | 'document'

/** `token` stands where the next item, key or closing bracket of `context` should. */
export function unexpectedIn(context: Context, token: Token, startsLine: boolean): ScanFault {
  const { start } = token
  switch (context) {
    case 'flow-list':
    case 'flow-mapping':
      return unexpectedInFlow(context === 'flow-list' ? ']' : '}', token)
    case 'document':
      return token.kind === 'directive' || token.kind === 'document-start' || token.kind === 'document-end'
        ? secondDocument(start)
        : fault(start, 'this stands outside of the value that the text holds: check its indentation')
    case 'block-list':
      return fault(
        start,
        startsLine
          ? 'a `-` is missing before this item, or the line should be indented further'
          : MISPLACED.besideValue,
        'nearby',
      )
    case 'block-mapping':
      return unexpectedInMapping(token, startsLine)
  }
}

function unexpectedInMapping({ kind, start }: Token, startsLine: boolean): ScanFault {
  if (isClosing(kind)) return fault(start, closesNothing(kind))
  if (kind === 'comma') return fault(start, MISPLACED.comma)
  if (kind === 'value') return fault(start, MISPLACED.keylessColon)
  return fault(start, startsLine ? MISPLACED.indented : MISPLACED.besideValue, 'nearby')
}

function unexpectedInFlow(close: ']' | '}', { kind, start }: Token): ScanFault {
  switch (kind) {
    case 'text-end':
    case 'document-start':
    case 'document-end':
    case 'directive':
      return fault(start, `${close} is missing: close what was opened with a bracket`)
    case 'flow-list-end':
      return fault(start, `] stands where ${close} must close first`)
    case 'flow-mapping-end':
      return fault(start, `} stands where ${close} must close first`)
    case 'dash':
      return fault(start, MISPLACED.dashInFlow)
    case 'value':
      return fault(start, MISPLACED.keylessFlowColon)
    case 'comma':
      return fault(start, 'a comma too many: remove it', 'nearby')
    case 'key':
    case 'block-list':
    case 'block-mapping':
    case 'block-end':
    case 'flow-list':
    case 'flow-mapping':
    case 'alias':
    case 'anchor':
    case 'tag':
    case 'scalar':
      return fault(start, 'a comma is missing between the entries in brackets', 'nearby')
  }
}

/** `token` stands where a value should begin, in brackets or not. */
export function noContent(token: Token, close: ']' | '}' | null): ScanFault {
  const { kind, start } = token
  if (close !== null) return unexpectedInFlow(close, token)
  if (isClosing(kind)) return fault(start, closesNothing(kind))
  if (kind === 'comma') return fault(start, MISPLACED.comma)
  if (kind === 'value') return fault(start, MISPLACED.keylessColon)
  if (kind === 'document-end') {
    return fault(start, 'there is no document that ... could end: remove the line')
  }
  if (kind === 'dash') {
    return fault(start, 'a list cannot begin here: put it on the line below', 'nearby')
  }
  return fault(start, 'a value is missing here: check the quotes, brackets and indentation before it')
}

export function secondDocument(at: number): ScanFault {
  return fault(at, 'only one YAML document can be read: remove this one and what separates it from the first')
}

/** A tag or an anchor that is one too many, or an alias behind one. */
export function misplacedProperty({ kind, start }: Token): ScanFault {
  const message =
    kind === 'alias'
      ? 'an alias can have neither a tag nor an anchor: remove it'
      : `a value can have only one ${kind}: remove the other`
  return fault(start, message, 'nearby')
}

function isClosing(kind: Token['kind']): kind is 'flow-list-end' | 'flow-mapping-end' {
  return kind === 'flow-list-end' || kind === 'flow-mapping-end'
}

function closesNothing(kind: 'flow-list-end' | 'flow-mapping-end'): string {
  const bracket = kind === 'flow-list-end' ? ']' : '}'
  return `${bracket} closes nothing: remove it, or put quotes around the text`
}

const MISPLACED = {
  besideValue: 'this does not belong behind the value before it: put quotes around the whole text',
  indented: 'this line is indented unlike the others it belongs to: begin all in the same column',
  comma: 'a text cannot begin with a comma: put quotes around it',
  keylessColon: 'there is no key before this `:`: put it there',
  keylessFlowColon: 'there is no key before this `:` on its line: put quotes around the text',
  dashInFlow: 'a list item cannot stand in brackets: put quotes around the dash',
} as const

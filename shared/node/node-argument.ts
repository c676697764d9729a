import { gibToBytes } from '../bytes.ts'
import { readFailed, readOk, type Read } from '../problem.ts'
import { NODE_ID_RULE } from './read-node-facts.ts'
import { EVERY_MODEL, type DeclaredNode } from './types.ts'

const FORM = 'ID=complete|none[:FREE_GIB][,ineligible]'

/**
 * Reads a node named on the command line, `ID=complete|none[:FREE_GIB][,ineligible]` (docs/formats.md, "Node
 * facts"): it holds every model or none, has FREE_GIB (2^30, such as `200` or `0.5`) of room, and is eligible
 * for every role unless it says that it is not.
 */
export function parseNodeArgument(spec: string): Read<DeclaredNode> {
  const fail = (why: string): Read<DeclaredNode> => {
    const message = `--node ${JSON.stringify(spec)}: ${why}; write ${FORM}`
    return readFailed([{ severity: 'error', code: 'node-bad-argument', message, file: null, range: null }])
  }

  const equals = spec.indexOf('=')
  if (equals === -1) return fail('there is no = after the node id')
  const nodeId = spec.slice(0, equals)
  if (!NODE_ID_RULE.test(nodeId)) return fail(`the part before = must be ${NODE_ID_RULE.expected}`)

  const [holding = '', ...flags] = spec.slice(equals + 1).split(',')
  const wrongFlag = flags.find((flag) => flag !== 'ineligible')
  if (wrongFlag !== undefined) return fail(`${JSON.stringify(wrongFlag)} is not known after the comma`)
  if (flags.length > 1) return fail('ineligible is there twice')

  const [presence, freeGib, ...rest] = holding.split(':')
  if (presence !== 'complete' && presence !== 'none') {
    return fail(`${JSON.stringify(presence)} must be complete or none`)
  }
  const freeBytes = freeGib === undefined ? null : parseGib(freeGib)
  if (rest.length > 0 || (freeGib !== undefined && freeBytes === null)) {
    return fail('the free space must be a number of GiB from 0, such as 200 or 0.5')
  }
  return readOk({
    nodeId,
    models: new Map([[EVERY_MODEL, presence]]),
    freeBytes,
    eligible: flags.length === 0,
  })
}

function parseGib(text: string): bigint | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? gibToBytes(Number(text)) : null
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GIB } from '../../../../shared/bytes.ts'
import { parseNodeArgument } from '../../../../shared/node/node-argument.ts'
import { valueOf } from '../../../support/problems.ts'

describe('parseNodeArgument', () => {
  test.each([
    ['mac=complete', 'mac', 'complete', null, true],
    ['mac=none', 'mac', 'none', null, true],
    ['mac=none:200', 'mac', 'none', 200n * GIB, true],
    ['mac=complete:0.5,ineligible', 'mac', 'complete', GIB / 2n, false],
    ['mac=none,ineligible', 'mac', 'none', null, false],
    ['mac=none:0', 'mac', 'none', 0n, true],
    ['a.b:8080_-=none:1', 'a.b:8080_-', 'none', GIB, true],
  ] as const)('reads %s', (spec, nodeId, presence, freeBytes, eligible) => {
    expect(valueOf(parseNodeArgument(spec))).toEqual({
      nodeId,
      models: new Map([['*', presence]]),
      freeBytes,
      eligible,
    })
  })

  const ID = 'the part before = must be a node id: 1 to 128 letters, digits and - _ . :'
  const FREE = 'the free space must be a number of GiB from 0, such as 200 or 0.5'
  test.each([
    ['mac', 'there is no = after the node id'],
    ['', 'there is no = after the node id'],
    ['=complete', ID],
    ['a b=complete', ID],
    [`${'a'.repeat(129)}=none`, ID],
    ['mac=', '"" must be complete or none'],
    ['mac=all', '"all" must be complete or none'],
    ['mac=Complete', '"Complete" must be complete or none'],
    ['mac=none:', FREE],
    ['mac=none:-1', FREE],
    ['mac=none:5GB', FREE],
    ['mac=none:1e3', FREE],
    ['mac=none:0x10', FREE],
    ['mac=none: 5', FREE],
    ['mac=none:1:2', FREE],
    ['mac=none:Infinity', FREE],
    ['mac=none,eligible', '"eligible" is not known after the comma'],
    ['mac=none,', '"" is not known after the comma'],
    ['mac=none,ineligible,ineligible', 'ineligible is there twice'],
  ])('refuses %j and says why', (spec, why) => {
    const outcome = parseNodeArgument(spec)
    expect(outcome.ok).toBe(false)
    expect(outcome.problems).toEqual([
      {
        severity: 'error',
        code: 'node-bad-argument',
        message: `--node ${JSON.stringify(spec)}: ${why}; write ID=complete|none[:FREE_GIB][,ineligible]`,
        file: null,
        range: null,
      },
    ])
  })

  test('reads or refuses any text without throwing', () => {
    const piece = fc.constantFrom('mac', '=', 'complete', 'none', ':', ',', 'ineligible', '5', '.', ' ')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (spec) => {
          const outcome = parseNodeArgument(spec)
          expect(outcome.ok).toBe(outcome.problems.length === 0)
        },
      ),
    )
  })
})

import { describe, expect, test } from 'vitest'
import { ShardIndex } from '../../../../shared/locality/shard-index.ts'
import { mismatchedShards } from '../../../../shared/locality/mismatched-shards.ts'
import type { NodeFacts } from '../../../../shared/node/types.ts'
import {
  advertiseModel,
  type FileState,
  type FoundFile,
  type PlaceFinding,
} from '../../../../shared/scan/holdings.ts'
import { hash } from '../../../support/manifests.ts'
import { presenceOf } from '../../../support/product-holding.ts'

const ID = hash('f')
const HASHES = [hash('a'), hash('b'), hash('c')]
const INDEX = new ShardIndex({
  name: 'M',
  redistributable: false,
  shards: HASHES.map((blake3, i) => ({ path: `${i}.gguf`, size: 10n, blake3 })),
})

/** A place with the shards in these states, and a tokenizer. */
function place(states: readonly FileState[], tokenizer: FileState = 'held'): PlaceFinding {
  const files = states.map((state, i): FoundFile => {
    return { path: `${i}.gguf`, blake3: HASHES[i] ?? '', state, shard: true }
  })
  return {
    kind: 'there',
    files: [...files, { path: 't.json', blake3: hash('9'), state: tokenizer, shard: false }],
  }
}

function advertised(...places: readonly PlaceFinding[]) {
  const { capabilities, notes } = advertiseModel({ name: 'M', packageId: ID, shardHashes: HASHES, places })
  const facts: NodeFacts = { nodeId: 'n', issuedAt: 0, ttlSecs: 0, seq: 0, capabilities, notes }
  const presence = presenceOf(INDEX, ID, capabilities)
  return {
    complete: presence.complete,
    detached: presence.detached,
    held: presence.heldShards,
    mismatched: [...mismatchedShards(facts, ID)],
    notes: notes.map(({ note }) => note),
  }
}

describe('what a node advertises of a model', () => {
  test('is a complete holding when every file of one place is there and unchanged', () => {
    expect(advertised(place(['held', 'held', 'held']))).toMatchObject({
      complete: true,
      held: 3,
      mismatched: [],
    })
  })

  test.each(['missing', 'changed', 'unreadable', 'mismatch'] as const)(
    'is partial when a shard is %s',
    (state) => {
      expect(advertised(place(['held', state, 'held']))).toMatchObject({ complete: false, held: 2 })
    },
  )

  test('is partial when only the tokenizer is not as attested', () => {
    expect(advertised(place(['held', 'held', 'held'], 'mismatch'))).toMatchObject({
      complete: false,
      held: 3,
      mismatched: [],
    })
  })

  test('distinguishes shards with other bytes, and does not count them as held', () => {
    const found = advertised(place(['held', 'mismatch', 'held']))
    expect(found).toMatchObject({ held: 2, mismatched: [HASHES[1]] })
    expect(found.notes).toContain('M: 1.gguf: other bytes than the manifest has')
  })

  test('is complete by one place whatever another one lacks', () => {
    expect(advertised(place(['mismatch', 'missing', 'held']), place(['held', 'held', 'held']))).toMatchObject(
      {
        complete: true,
        mismatched: [],
      },
    )
  })

  test('counts a shard that is sound at another place as held, not as a mismatch', () => {
    expect(
      advertised(place(['mismatch', 'held', 'missing']), place(['held', 'missing', 'missing'])),
    ).toMatchObject({
      complete: false,
      held: 2,
      mismatched: [],
    })
  })

  test('is detached, with nothing usable, when its drive is away', () => {
    expect(advertised({ kind: 'detached' })).toMatchObject({ complete: false, detached: true, held: 0 })
  })

  test('is partial and detached when a part is here and the whole is away', () => {
    expect(advertised({ kind: 'detached' }, place(['held', 'missing', 'missing']))).toMatchObject({
      complete: false,
      detached: true,
      held: 1,
    })
  })

  test('is nothing but a note when it is gone, or was never scanned here', () => {
    expect(advertised({ kind: 'gone' })).toMatchObject({
      held: 0,
      notes: ['M: no longer where it was scanned'],
    })
    expect(advertised()).toMatchObject({
      held: 0,
      notes: ['M: not scanned on this machine, so not known to be here'],
    })
  })
})

test('a mismatch of another model is not this one’s, and no facts have none', () => {
  const { capabilities } = advertiseModel({
    name: 'M',
    packageId: ID,
    shardHashes: HASHES,
    places: [place(['mismatch', 'held', 'held'])],
  })
  const facts: NodeFacts = { nodeId: 'n', issuedAt: 0, ttlSecs: 0, seq: 0, capabilities, notes: [] }
  expect(mismatchedShards(facts, hash('0')).size).toBe(0)
  expect(mismatchedShards(null, ID).size).toBe(0)
})

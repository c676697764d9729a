import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerKeeper } from '../../../../../electron/host/gather/keep-answer.ts'
import type { MachineState } from '../../../../../shared/gather/machines.ts'
import { messageSchema, type GatherAnswer } from '../../../../../shared/gather/messages.ts'
import { shapeFileText } from '../../../../../shared/memory/shape-file.ts'
import { nodeFactsText } from '../../../../../shared/scan/node-facts-text.ts'
import { bodyJson, envelopeJson, hash, idOf } from '../../../../support/manifests.ts'
import { openLabAt } from '../../../../support/scan-lab.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'

const SHAPES = 'docs/models/shapes'
const [A, B] = [envelopeJson(bodyJson({ name: 'Model-A' })), envelopeJson(bodyJson({ name: 'Model-B' }))]
const [IN_LAB, SHAPED] = [idOf(A), idOf(B)]

function shapeText(packageId: string, weightsBytes: bigint): string {
  const caches = { kind: 'known', groups: [] } as const
  const shape = { architecture: 'bert', weightsBytes, projectorBytes: 0n, trainedContext: null, caches }
  return shapeFileText({ packageId, model: 'a', shape })
}

function answerOf(nodeId: string, shapes: readonly string[]): GatherAnswer {
  const facts = nodeFactsText({ nodeId, issuedAt: 0, previousSeq: null }, { capabilities: [], notes: [] })
  return { kind: 'answer', facts, manifests: [], shapes: [...shapes], leftOut: [] }
}

/** A lab with two models, one of which has a shape of 7 bytes, and what keeps answers in it. */
async function keeperOf() {
  const folder = await tempFolder()
  await writeTree(folder, {
    'docs/models/manifests/Model-A.json': JSON.stringify(A),
    'docs/models/manifests/Model-B.json': JSON.stringify(B),
    [`${SHAPES}/${SHAPED}.json`]: shapeText(SHAPED, 7n),
  })
  const keeper = answerKeeper(await openLabAt(folder), () => 1)
  const keep = (nodeId: string, shapes: readonly string[]): Promise<MachineState> =>
    keeper.keep({ nodeId, ssh: nodeId, roots: [], factsAt: null }, 'node', answerOf(nodeId, shapes))
  const textOf = (id: string): Promise<string> => readFile(join(folder, SHAPES, `${id}.json`), 'utf8')
  return { folder, keep, textOf }
}

test('a gathered machine brings the shapes of the lab’s models, and the first one to say counts', async () => {
  const { keep, textOf } = await keeperOf()
  expect(await keep('one', [shapeText(IN_LAB, 5n)])).toMatchObject({ kind: 'gathered', notes: [] })
  expect(await keep('two', [shapeText(IN_LAB, 6n)])).toMatchObject({ kind: 'gathered', notes: [] })
  expect(await textOf(IN_LAB)).toBe(shapeText(IN_LAB, 5n))
})

test('a shape that the lab has stays, and one of a package that is not in the lab is not kept', async () => {
  const { folder, keep, textOf } = await keeperOf()
  await keep('one', [shapeText(SHAPED, 8n), shapeText(hash('e'), 1n)])
  expect(await textOf(SHAPED)).toBe(shapeText(SHAPED, 7n))
  expect(await readdir(join(folder, SHAPES))).toEqual([`${SHAPED}.json`])
})

test('what is no shape is said and not kept, and the machine’s facts are', async () => {
  const { folder, keep } = await keeperOf()
  const state = await keep('one', [
    '{',
    shapeText(IN_LAB, 5n).replace('"weights_bytes": 5', '"weights_bytes": -5'),
  ])
  expect(state.kind === 'gathered' && state.notes).toEqual([
    expect.stringContaining('a model shape of its is not understood'),
    expect.stringContaining('`weights_bytes` must be at least 0'),
  ])
  expect(await readdir(join(folder, SHAPES))).toEqual([`${SHAPED}.json`])
  expect(await readdir(join(folder, 'docs/models/nodes'))).toEqual(['one.json'])
})

test('an answer of an older planner has no shapes, and is understood', () => {
  const { shapes: _, ...older } = answerOf('one', [])
  expect(messageSchema.parse(older)).toEqual(answerOf('one', []))
})

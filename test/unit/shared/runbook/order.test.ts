import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { model } from '../plan/make-lab.ts'
import {
  admit,
  emptyLedger,
  release,
  type Instance,
  type Ledger,
} from '../../../../shared/placement/ledger.ts'
import { orderSteps, type NodeState, type Order } from '../../../../shared/runbook/order.ts'
import type { ModelFetch } from '../../../../shared/runbook/types.ts'

const GB = 1_000_000_000n
const role = (name: string, gb: number, excludes: string[] = []): Instance => ({
  name,
  role: name,
  bytes: BigInt(gb) * GB,
  excludes,
})
const node = (nodeId: string, gb: number | null, running: Instance[], planned: Instance[]): NodeState => ({
  nodeId,
  budget: gb === null ? null : { pool: 'unified-memory', bytes: BigInt(gb) * GB },
  freeBytes: null,
  running,
  planned,
})
const fetchTo = (target: string, gb: number): ModelFetch => ({
  manifest: model('m', 0, { packageId: `${target}-${gb}` }),
  target,
  roles: [],
  repo: null,
  shards: [],
  bytes: BigInt(gb) * GB,
  sources: [],
  seconds: null,
})
const words = ({ steps }: Order): string[] =>
  steps.map((step) =>
    step.kind === 'fetch'
      ? `fetch ${step.fetch.bytes / GB} ${step.nodeId}`
      : `${step.kind} ${step.role} ${step.nodeId}`,
  )

describe('orderSteps', () => {
  test('stops what is planned nowhere, then fetches the smallest first, then starts', () => {
    const nodes = [node('a', 20, [role('old', 15)], [role('new', 12), role('small', 4)])]
    const order = orderSteps(nodes, [fetchTo('a', 9), fetchTo('a', 2)], 0n)
    expect(words(order)).toEqual(['stop old a', 'fetch 2 a', 'fetch 9 a', 'start new a', 'start small a'])
    expect(order).toMatchObject({ knots: [], noSpace: [], stuck: [] })
  })

  test('stops a role that moves only once it runs at its new place', () => {
    const mover = role('mover', 10)
    const order = orderSteps([node('a', 20, [mover], []), node('b', 20, [], [mover])], [], 0n)
    expect(words(order)).toEqual(['start mover b', 'stop mover a'])
  })

  test('lets a role wait until another one has left its place', () => {
    const [x, y] = [role('x', 10), role('y', 10)]
    const order = orderSteps([node('a', 12, [x], [y]), node('b', 12, [], [x])], [], 0n)
    expect(words(order)).toEqual(['start x b', 'stop x a', 'start y a'])
  })

  test('stops the smaller of two that wait for each other, and says what room would spare it', () => {
    const [x, y] = [role('x', 10), role('y', 8)]
    const order = orderSteps([node('a', 12, [x], [y]), node('b', 12, [y], [x])], [], 0n)
    expect(words(order)).toEqual(['stop y b', 'start x b', 'stop x a', 'start y a'])
    expect(order.knots).toEqual([
      {
        waiting: [
          { role: 'y', from: 'b', to: 'a' },
          { role: 'x', from: 'a', to: 'b' },
        ],
        stopped: 'y',
        room: { nodeId: 'a', bytes: 6n * GB },
      },
    ])
  })

  test('offers no room against an exclude', () => {
    const [x, y] = [role('x', 1, ['y']), role('y', 2)]
    const order = orderSteps([node('a', 12, [x], [y]), node('b', 12, [y], [x])], [], 0n)
    expect(order.knots[0]).toMatchObject({ stopped: 'x', room: null })
  })

  test('says which fetch does not fit its disk and by how much, headroom included', () => {
    const target = { ...node('a', 20, [], []), freeBytes: 10n * GB }
    const order = orderSteps([target], [fetchTo('a', 8), fetchTo('a', 4)], GB)
    expect(words(order)).toEqual(['fetch 4 a'])
    expect(order.noSpace).toMatchObject([{ fetch: { bytes: 8n * GB }, missingBytes: 3n * GB }])
  })

  test('with fetches, keeps to memory and disk at every step, and what does not fit a disk is said', () => {
    const fetches = fc.array(fc.record({ at: fc.nat({ max: 2 }), gb: fc.integer({ min: 1, max: 12 }) }), {
      maxLength: 8,
    })
    const disks = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(labs, fetches, disks, ({ nodes }, wanted, free) => {
        const states = nodes.map((each, i) => ({ ...each, freeBytes: BigInt(free[i] ?? 0) * GB }))
        const list = wanted.map(({ at, gb }) => fetchTo(`n${at}`, gb))
        const order = orderSteps(states, list, GB)
        const left = new Map(states.map(({ nodeId, freeBytes }) => [nodeId, freeBytes]))
        const ledgers = new Map(states.map((each) => [each.nodeId, ledgerOf(each)]))
        for (const step of order.steps) {
          const ledger = ledgers.get(step.nodeId)
          if (ledger === undefined) throw new Error(`no node ${step.nodeId}`)
          if (step.kind === 'fetch') {
            const after = (left.get(step.nodeId) ?? 0n) - step.fetch.bytes
            expect(after).toBeGreaterThanOrEqual(GB)
            left.set(step.nodeId, after)
          } else if (step.kind === 'stop') ledgers.set(step.nodeId, release(ledger, step.role))
          else {
            const planned = states.find(({ nodeId }) => nodeId === step.nodeId)?.planned ?? []
            const admission = admit(ledger, planned.find((each) => each.role === step.role) ?? role('?', 99))
            if (!admission.ok) throw new Error(`${step.role} does not fit ${step.nodeId}`)
            ledgers.set(step.nodeId, admission.ledger)
          }
        }
        // Every fetch is a step, or said to lack room.
        const fetched = order.steps.flatMap((step) => (step.kind === 'fetch' ? [step.fetch] : []))
        expect(fetched.length + order.noSpace.length).toBe(list.length)
        for (const { fetch, missingBytes } of order.noSpace)
          expect(missingBytes <= fetch.bytes + GB).toBe(true)
        for (const knot of order.knots) {
          expect(knot.waiting.length).toBeGreaterThan(0)
          expect(knot.waiting.map((each) => each.role)).toContain(knot.stopped)
        }
        for (const { nodeId, planned } of states) {
          const names = ledgers.get(nodeId)?.instances.map(({ name }) => name)
          expect(names?.toSorted()).toEqual(planned.map(({ name }) => name).toSorted())
        }
      }),
      { numRuns: 300 },
    )
  })

  test('keeps to memory and excludes at every step and ends in the plan', () => {
    fc.assert(
      fc.property(labs, ({ nodes }) => {
        const order = orderSteps(nodes, [], 0n)
        const ledgers = new Map(nodes.map((each) => [each.nodeId, ledgerOf(each)]))
        for (const step of order.steps) {
          if (step.kind === 'fetch') continue
          const ledger = ledgers.get(step.nodeId)
          if (ledger === undefined) throw new Error(`no node ${step.nodeId}`)
          if (step.kind === 'stop') {
            expect(ledger.instances.map(({ role }) => role)).toContain(step.role)
            ledgers.set(step.nodeId, release(ledger, step.role))
            continue
          }
          const planned = nodes.find(({ nodeId }) => nodeId === step.nodeId)?.planned ?? []
          const admission = admit(ledger, planned.find(({ role }) => role === step.role) ?? role('?', 9999))
          if (!admission.ok) throw new Error(`${step.role} does not fit ${step.nodeId}`)
          ledgers.set(step.nodeId, admission.ledger)
        }
        expect(order.stuck).toEqual([])
        for (const { nodeId, planned } of nodes) {
          const names = ledgers.get(nodeId)?.instances.map(({ name }) => name)
          expect(names?.toSorted()).toEqual(planned.map(({ name }) => name).toSorted())
        }
      }),
      { numRuns: 300 },
    )
  })
})

function ledgerOf({ budget, running }: NodeState): Ledger {
  const usedBytes = running.reduce((sum, { bytes }) => sum + bytes, 0n)
  return { ...emptyLedger(budget), instances: running, usedBytes }
}

/** Labs of three nodes whose roles run somewhere and are planned somewhere, both within every node's memory. */
const labs = fc
  .record({
    sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 7 }),
    now: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
    then: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
    excludes: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  })
  .map(({ sizes, now, then, excludes }) => {
    const roles = sizes.map((gb, i) => role(`r${i}`, gb, excludes[i] === true && i > 0 ? [`r${i - 1}`] : []))
    const fill = (places: number[]) => {
      const ledgers = [0, 1, 2].map(() => emptyLedger({ pool: 'unified-memory', bytes: 14n * GB }))
      roles.forEach((each, i) => {
        const at = places[i] ?? 3
        const ledger = ledgers[at]
        const admission = ledger && admit(ledger, each)
        if (admission?.ok) ledgers[at] = admission.ledger
      })
      return ledgers
    }
    const [running, planned] = [fill(now), fill(then)]
    return {
      nodes: [0, 1, 2].map((i) =>
        node(`n${i}`, 14, [...(running[i]?.instances ?? [])], [...(planned[i]?.instances ?? [])]),
      ),
    }
  })

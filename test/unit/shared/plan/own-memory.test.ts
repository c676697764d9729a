import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB } from '../../../../shared/bytes.ts'
import { nodesNow, withServersSeen } from '../../../../shared/live/servers-seen.ts'
import type { ObservedAddress } from '../../../../shared/live/types.ts'
import type { Capability } from '../../../../shared/node/types.ts'
import { nodeFindings } from '../../../../shared/report/explain-text.ts'
import { entry, firstRole, lab, model, node, planned, whole } from './make-lab.ts'

type Attrs = Parameters<typeof capability>[1]

const held = (attrs: Attrs): Capability => capability('server.held', attrs)

/** A machine whose card of 48 GB has `free` GB left, and what its servers held. */
function box(free: number, ...servers: readonly Capability[]) {
  return node('w1', [
    capability('runtime.infer.llamacpp'),
    capability('runtime.infer.ollama'),
    capability('format.gguf'),
    capability('mem.system', { total: 64e9, free: 50e9 }),
    capability('mem.vram', { total: 48e9, free: free * 1e9 }),
    whole('model-a'),
    ...servers,
  ])
}

const LIVE = entry('hermes', { ram_gb: '30' })

function labOf(free: number, servers: readonly Capability[], entries = [LIVE]) {
  return lab({ entries, manifests: [model('model-a')], nodes: [box(free, ...servers)] })
}

const memoryOf = (of: ReturnType<typeof lab>) => nodeFindings(firstRole(planned(of)))[0]

describe('memory that a role’s own server held when the facts were gathered', () => {
  const cases: readonly [string, Attrs][] = [
    ['by its port', { process: 'llama-server', port: 8090, bytes: 30e9 }],
    [
      'by its port, whatever file it is called',
      { process: 'llama-server', port: 8090, model: 'x.gguf', bytes: 30e9 },
    ],
    [
      'by its model on another port',
      { process: 'llama-server', port: 9999, model: 'model-a-1.gguf', bytes: 30e9 },
    ],
    ['by its model alone', { process: 'llama-server', model: 'model-a-1.gguf', bytes: 30e9 }],
    ['by the port of a program that is not known', { process: 'my-server', port: 8090, bytes: 30e9 }],
  ]
  test.each(cases)('is given back to the budget, %s', (_, attrs) => {
    const of = labOf(16, [held(attrs)])
    expect(firstRole(planned(of)).outcome).toMatchObject({ kind: 'in_place', nodeId: 'w1' })
    expect(memoryOf(of)?.because).toBe(
      'needs 30.0 GB, 16.0 GB free + 30.0 GB held by hermes itself in the accelerator pool',
    )
    expect(planned(of).residency[0]?.ledger.budget?.bytes).toBe(46n * GB)
  })

  const others: readonly [string, Attrs][] = [
    ['other software on another port', { process: 'trainer', port: 5000, bytes: 30e9 }],
    [
      'another model on another port',
      { process: 'llama-server', port: 9999, model: 'other.gguf', bytes: 30e9 },
    ],
    ['a server of another runtime on its port', { process: 'ollama', port: 8090, bytes: 30e9 }],
    ['a server that holds nothing', { process: 'llama-server', port: 8090, bytes: 0 }],
    ['a server whose figure is no number', { process: 'llama-server', port: 8090, bytes: '30e9' }],
  ]
  test.each(others)('stays held by %s', (_, attrs) => {
    expect(firstRole(planned(labOf(16, [held(attrs)]))).outcome.kind).toBe('cannot_run')
  })

  test('is never counted twice, however often it is reported', () => {
    const server = held({ process: 'llama-server', port: 8090, bytes: 20e9 })
    const byPid = held({ process: 'llama-server', pid: 5, port: 8090, bytes: 20e9 })
    expect(planned(labOf(16, [server, server])).residency[0]?.ledger.budget?.bytes).toBe(36n * GB)
    expect(planned(labOf(16, [byPid, byPid])).residency[0]?.ledger.budget?.bytes).toBe(36n * GB)
  })

  test('is never more than was in use', () => {
    const of = labOf(40, [held({ process: 'llama-server', port: 8090, bytes: 30e9 })])
    expect(planned(of).residency[0]?.ledger.budget?.bytes).toBe(48n * GB)
  })

  test('of several servers is each role’s own, and roles share the budget', () => {
    const entries = [entry('a', { ram_gb: '20', port: '1' }), entry('b', { ram_gb: '20', port: '2' })]
    const servers = [1, 2].map((port) => held({ process: 'llama-server', port, bytes: 20e9 }))
    const plan = planned(labOf(6, servers, entries))
    expect(plan.roles.map(({ outcome }) => outcome.kind)).toEqual(['in_place', 'in_place'])
    expect(nodeFindings(firstRole(plan))[0]?.because).toBe(
      'needs 20.0 GB, 6.0 GB free + 20.0 GB held by a itself + 20.0 GB held by b in the accelerator pool',
    )
    const third = [...entries, entry('c', { ram_gb: '10', port: '3' })]
    expect(planned(labOf(6, servers, third)).roles.map(({ outcome }) => outcome.kind)).toEqual([
      'in_place',
      'in_place',
      'cannot_run',
    ])
  })

  test('of Ollama is matched by model, since all its models share a port', () => {
    const ours = held({ process: 'ollama', port: 11434, model: 'model-a-1.gguf', bytes: 30e9 })
    const theirs = held({ process: 'ollama', port: 11434, model: 'sha256-ff', bytes: 30e9 })
    const entries = [entry('hermes', { ram_gb: '30', backend: 'ollama', port: '11434' })]
    expect(planned(labOf(16, [ours], entries)).residency[0]?.ledger.budget?.bytes).toBe(46n * GB)
    expect(planned(labOf(16, [theirs], entries)).residency[0]?.ledger.budget?.bytes).toBe(16n * GB)
  })

  test('does not count on top of an assumed free figure', () => {
    const of = labOf(16, [held({ process: 'llama-server', port: 8090, bytes: 30e9 })])
    const plan = planned(of, { memory: new Map([['w1', 20n * GB]]) })
    expect(plan.residency[0]?.ledger.budget).toEqual({ pool: 'accelerator-memory', bytes: 20n * GB })
  })
})

test('facts that do not say what servers hold: an explanation says that it may be the role itself', () => {
  const text = memoryOf(labOf(16, []))?.failures[0]?.text
  expect(text).toContain('32.0 GB were in use when the facts were gathered, which may be this role itself')
  expect(memoryOf(labOf(48, [], [entry('big', { ram_gb: '60' })]))?.failures[0]?.text).not.toContain('in use')
})

describe('what runs now', () => {
  const seen = (bytes: bigint | null): ObservedAddress => ({
    nodeId: 'w1',
    url: 'http://w1:8090',
    port: 8090,
    observation: {
      kind: 'server',
      server: 'llama-server',
      models: [
        { id: 'hermes', aliases: [], file: '/m/model-a-1.gguf', contextTokens: null, bytes, state: 'loaded' },
      ],
    },
  })

  // 21 GB: a server that says the size of its weights only.
  test.each([[30n * GB], [21n * GB], [null]])(
    'is given back where the facts do not say it (%s bytes)',
    (bytes) => {
      const of = labOf(16, [])
      const now = withServersSeen(of, [seen(bytes)])
      expect(firstRole(planned(now)).outcome.kind).toBe('in_place')
      expect(memoryOf(now)?.because).toBe(
        'needs 30.0 GB, 16.0 GB free + 30.0 GB held by hermes itself in the accelerator pool',
      )
    },
  )

  test('is what Ollama says of it, which is all of it', () => {
    const ollama: ObservedAddress = {
      nodeId: 'w1',
      url: 'http://w1:11434',
      port: 11434,
      observation: {
        kind: 'server',
        server: 'Ollama',
        models: [
          { id: 'model-a', aliases: [], file: null, contextTokens: null, bytes: 20n * GB, state: 'loaded' },
          { id: 'other', aliases: [], file: null, contextTokens: null, bytes: 8n * GB, state: 'loaded' },
        ],
      },
    }
    const entries = [entry('hermes', { ram_gb: '30', backend: 'ollama', port: '11434' })]
    const now = withServersSeen(labOf(16, [], entries), [ollama])
    // What other models hold stays held.
    expect(planned(now).residency[0]?.ledger.budget?.bytes).toBe(36n * GB)
    expect(nodesNow([ollama]).get('w1')).toEqual({ models: 2, bytes: 28n * GB, isWhole: true })
    expect(nodesNow([seen(30n * GB)]).get('w1')).toEqual({ models: 1, bytes: 30n * GB, isWhole: false })
  })

  test('adds nothing to facts that say it, nor for servers that do not answer', () => {
    const of = labOf(16, [held({ process: 'llama-server', port: 8090, bytes: 30e9 })])
    expect(withServersSeen(of, [seen(30n * GB)])).toBe(of)
    const silent = { ...seen(null), observation: { kind: 'closed' } as const }
    const bare = labOf(16, [])
    expect(withServersSeen(bare, [silent])).toBe(bare)
  })
})

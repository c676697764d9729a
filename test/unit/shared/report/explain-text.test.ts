import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { nodeFindings, roleFacts } from '../../../../shared/report/explain-text.ts'
import {
  able,
  entry,
  firstRole,
  lab,
  model,
  node,
  planned,
  shardHash,
  whole,
  type LabSketch,
} from '../plan/make-lab.ts'

function roleOf(sketch: LabSketch = {}, changes: Parameters<typeof planned>[1] = {}) {
  return firstRole(planned(lab({ manifests: [model('model-a', 5)], ...sketch }), changes))
}

function factsOf(...args: Parameters<typeof roleOf>): Record<string, string> {
  return Object.fromEntries(roleFacts(roleOf(...args)).map(({ label, text }) => [label, text]))
}

describe('the facts of a role', () => {
  test('name model, manifest, sharing, runtime, memory, and where latency and stickiness come from', () => {
    expect(factsOf()).toEqual({
      model: 'model-a',
      manifest: 'gguf, 5 shards, 25.0 GB, signed, package model-a-id…',
      sharing: 'allowed: the manifest is marked redistributable',
      runtime: 'infer.llamacpp, port 8090',
      memory: '10.0 GB (10,000,000,000 bytes)',
      latency: 'batch (default)',
      sticky: 'yes (default)',
      repo: 'repo/role-a',
    })
  })

  test('say what the overlay and the roster’s text decided', () => {
    const overlay =
      'latency_class: {role-a: batch}\nsticky: {role-a: false}\nexcludes: {role-a: [x, "role:y"]}\n'
    expect(factsOf({}, { overlay })).toMatchObject({
      latency: 'batch (from the overlay)',
      sticky: 'no (from the overlay)',
      excludes: 'x, role:y',
    })
    const voice = factsOf({ entries: [entry('role-a', { role: 'voice', port: 'null', status: 'live' })] })
    expect(voice).toMatchObject({
      latency: 'interactive (from the roster’s text)',
      runtime: 'infer.llamacpp, no port',
      status: 'live',
    })
  })

  test('say why sharing is refused', () => {
    const refusing = model('model-a')
    const manifests = [{ ...refusing, body: { ...refusing.body, redistributable: false } }]
    expect(factsOf({ manifests })['sharing']).toBe('refused: the manifest is not marked redistributable')
    expect(factsOf({}, { sharingVeto: true })['sharing']).toBe(
      'refused: copying weights is forbidden in this scenario',
    )
  })

  test('leave nothing to guess without a manifest or a usable name', () => {
    const facts = factsOf({ manifests: [], entries: [entry('role-a', { name: '"x y"' })] })
    expect(facts).toMatchObject({
      model: 'none: rename it, only letters, digits and . _ + : -',
      manifest: 'none',
    })
    expect(facts).not.toHaveProperty('sharing')
  })
})

describe('the findings on a node', () => {
  function finding(capabilities: ReturnType<typeof able>, changes: Parameters<typeof planned>[1] = {}) {
    return nodeFindings(roleOf({ nodes: [node('n', capabilities)] }, changes))[0]
  }
  const some = (...shards: number[]) =>
    capability('model.present', { shards: shards.map((i) => shardHash('model-a', i)) })

  test('a node that fits says by what', () => {
    expect(finding([...able(), whole('model-a')])).toEqual({
      nodeId: 'n',
      eligible: true,
      standing: 'eligible',
      holding: 'holds the whole model',
      free: '100.0 GB free for weights',
      because: 'needs 10.0 GB, 32.0 GB free in the unified pool',
      failures: [],
      missing: null,
    })
  })

  test('a node that fails says every constraint with both operands', () => {
    const found = finding([capability('mem.unified', { free: 5e9 })])
    expect(found?.standing).toBe('not eligible')
    expect(found?.because).toBeNull()
    expect(found?.free).toBe('free space unknown')
    expect(found?.failures).toEqual([
      { label: 'runtime', text: 'runtime.infer.llamacpp is not installed on, or not reported by, this node' },
      { label: 'format', text: 'format.gguf is not installed on, or not reported by, this node' },
      { label: 'memory', text: 'needs 10.0 GB, 5.0 GB free in the unified pool' },
    ])
  })

  test('what is held, missing and away is distinguished', () => {
    const away = capability('model.present', { shards: ['model:model-a-id'] }, { state: 'degraded' })
    expect(finding(able())?.holding).toBe('holds nothing, misses 25.0 GB')
    expect(finding([...able(), some(0, 1)])?.holding).toBe('holds 2 of 5 shards, misses 15.0 GB')
    expect(finding([...able(), away])?.holding).toBe(
      'holds the whole model on storage that is away, misses 25.0 GB',
    )
  })

  test('missing shards are named by path and size, three of them at most', () => {
    expect(finding([...able(), some(0, 1, 2)])?.missing).toBe(
      'model-a-4.gguf (5.0 GB), model-a-5.gguf (5.0 GB)',
    )
    expect(finding([...able(), some(4)])?.missing).toBe(
      'model-a-1.gguf (5.0 GB), model-a-2.gguf (5.0 GB), model-a-3.gguf (5.0 GB) and 1 more',
    )
    expect(finding(able())?.missing).toBeNull()
  })

  test('a forced node says so', () => {
    const forced = (way: 'in' | 'out', capabilities = able()) =>
      finding(capabilities, { forcedNodes: new Map([['n', way]]) })?.standing
    expect(forced('in')).toBe('treated as eligible')
    expect(forced('in', [])).toBe('treated as eligible, despite the failures below')
    expect(forced('out')).toBe('not eligible (ruled out)')
  })

  test('without a manifest there is nothing to hold', () => {
    const [found] = nodeFindings(roleOf({ manifests: [], nodes: [node('n', able())] }))
    expect(found).toMatchObject({ holding: null, missing: null, eligible: true })
  })
})

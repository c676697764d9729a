import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB } from '../../../../shared/bytes.ts'
import type { Capability, LabNode } from '../../../../shared/node/types.ts'
import { failureDetail } from '../../../../shared/eligibility/describe.ts'
import {
  eligibilityOf,
  profileNode,
  type EligibilityTerms,
  type Need,
} from '../../../../shared/eligibility/eligibility.ts'
import { able, declaredNode, ISSUED, node, TTL } from '../plan/make-lab.ts'

const NEED = { runtime: 'infer.llamacpp', format: 'gguf', memoryBytes: 10n * GB, pinnedTo: null } as const
const TERMS = {
  forcedNodes: new Map<string, 'in' | 'out'>(),
  awayNodes: new Set<string>(),
  requireFreshFacts: false,
  nowSecs: null,
}

function judge(of: LabNode, need: Partial<Need> = {}, terms: Partial<EligibilityTerms> = {}) {
  const { eligible, forced, failures } = eligibilityOf(
    profileNode(of),
    { ...NEED, ...need },
    { ...TERMS, ...terms },
  )
  return { eligible, forced, failures: failures.map((each) => `${each.constraint}: ${failureDetail(each)}`) }
}

function failuresOf(of: LabNode, need: Partial<Need> = {}, terms: Partial<EligibilityTerms> = {}): string[] {
  return judge(of, need, terms).failures
}

/** An able node whose capability `id` is replaced. */
function withCapability(id: string, changed: Capability | null): LabNode {
  const rest = able().filter((each) => each.id !== id)
  return node('n', changed ? [...rest, changed] : rest)
}

describe('a node that can run the role', () => {
  test('is eligible and fails nothing', () => {
    expect(judge(node('n', able()))).toEqual({ eligible: true, forced: null, failures: [] })
  })
})

describe('runtime', () => {
  const runtime = 'runtime.infer.llamacpp'

  test.each([
    ['available', false],
    ['available', true],
    ['busy', false],
  ] as const)('%s with exclusive=%s is usable', (state, exclusive) => {
    expect(failuresOf(withCapability(runtime, capability(runtime, {}, { state, exclusive })))).toEqual([])
  })

  test.each([
    ['busy', true, 'runtime: runtime.infer.llamacpp is busy and exclusive'],
    ['reserved', false, 'runtime: runtime.infer.llamacpp is reserved'],
    ['degraded', false, 'runtime: runtime.infer.llamacpp is degraded'],
  ] as const)('%s with exclusive=%s is not', (state, exclusive, failure) => {
    expect(failuresOf(withCapability(runtime, capability(runtime, {}, { state, exclusive })))).toEqual([
      failure,
    ])
  })

  test('one that is not advertised is not usable', () => {
    expect(failuresOf(withCapability(runtime, null))).toEqual([
      'runtime: runtime.infer.llamacpp is not installed on, or not reported by, this node',
    ])
  })

  test('a second capability of the same id that is usable counts', () => {
    const both = [...able(), capability(runtime, {}, { state: 'degraded' })]
    expect(failuresOf(node('n', both))).toEqual([])
    expect(failuresOf(node('n', both.toReversed()))).toEqual([])
  })

  test('another runtime is another capability', () => {
    expect(failuresOf(node('n', able()), { runtime: 'infer.ollama' })).toEqual([
      'runtime: runtime.infer.ollama is not installed on, or not reported by, this node',
    ])
  })
})

describe('format', () => {
  test('one the runtime does not load is reported with what it loads', () => {
    expect(failuresOf(node('n', able()), { format: 'mlx' })).toEqual([
      'format: the model is mlx, infer.llamacpp loads gguf',
    ])
    const mlx = node('n', [...able(), capability('runtime.infer.mlx-lm')])
    expect(failuresOf(mlx, { runtime: 'infer.mlx-lm' })).toEqual([
      'format: the model is gguf, infer.mlx-lm loads mlx or safetensors',
    ])
  })

  test('one the node does not advertise is reported', () => {
    expect(failuresOf(withCapability('format.gguf', null))).toEqual([
      'format: format.gguf is not installed on, or not reported by, this node',
    ])
  })

  test('each runtime loads the formats the spec table gives it', () => {
    const all = node('n', [
      ...able(),
      ...['mlx', 'safetensors', 'ollama'].map((format) => capability(`format.${format}`)),
      capability('runtime.infer.mlx-lm'),
      capability('runtime.infer.ollama'),
    ])
    const loads = (runtime: Need['runtime']): string[] =>
      (['mlx', 'gguf', 'safetensors', 'ollama'] as const).filter(
        (format) => failuresOf(all, { runtime, format }).length === 0,
      )
    expect(loads('infer.llamacpp')).toEqual(['gguf'])
    expect(loads('infer.mlx-lm')).toEqual(['mlx', 'safetensors'])
    expect(loads('infer.ollama')).toEqual(['gguf', 'ollama'])
  })

  test('without a manifest no format is asked for', () => {
    expect(failuresOf(withCapability('format.gguf', null), { format: null })).toEqual([])
  })
})

describe('memory', () => {
  test('exactly the free pool fits, a byte more does not, and both operands are reported exactly then', () => {
    expect(failuresOf(node('n', able()), { memoryBytes: 32n * GB })).toEqual([])
    expect(failuresOf(node('n', able()), { memoryBytes: 32n * GB + 1n })).toEqual([
      'memory: needs 32,000,000,001 bytes, 32,000,000,000 bytes free in the unified pool',
    ])
    expect(failuresOf(node('n', able()), { memoryBytes: 55n * GB })).toEqual([
      'memory: needs 55.0 GB, 32.0 GB free in the unified pool',
    ])
  })

  test('a split node is held to the sum of its accelerators, not to its host memory', () => {
    const split = node('n', [
      ...able().filter(({ id }) => id !== 'mem.unified'),
      capability('mem.system', { free: 500e9 }),
      capability('mem.vram', { free: 6e9 }),
      capability('mem.vram', { free: 3e9 }),
    ])
    expect(failuresOf(split)).toEqual(['memory: needs 10.0 GB, 9.0 GB free in the accelerator pool'])
  })

  test('a node that reports no pool fails, whatever is asked', () => {
    expect(failuresOf(withCapability('mem.unified', null), { memoryBytes: 0n })).toEqual([
      'memory: needs 0 B, the node reports no GPU or unified memory',
    ])
  })
})

describe('overrides', () => {
  test('the operator forces a node in whatever it fails; the failures stay listed', () => {
    expect(judge(node('n', []), {}, { forcedNodes: new Map([['n', 'in']]) })).toMatchObject({
      eligible: true,
      forced: 'in',
      failures: [
        'runtime: runtime.infer.llamacpp is not installed on, or not reported by, this node',
        'format: format.gguf is not installed on, or not reported by, this node',
        'memory: needs 10.0 GB, the node reports no GPU or unified memory',
      ],
    })
  })

  test('the operator forces a node out that fails nothing', () => {
    expect(judge(node('n', able()), {}, { forcedNodes: new Map([['n', 'out']]) })).toEqual({
      eligible: false,
      forced: 'out',
      failures: ['override: ruled out in this scenario'],
    })
  })

  test('a declaration does the same, and the operator’s word counts before it', () => {
    expect(judge(declaredNode('n', { eligible: true }))).toMatchObject({ eligible: true, forced: 'in' })
    const out = judge(declaredNode('n', { eligible: false }))
    expect(out).toMatchObject({ eligible: false, forced: 'out' })
    expect(out.failures.at(-1)).toBe('override: declared ineligible')
    const terms = { forcedNodes: new Map([['n', 'out']] as const) }
    expect(judge(declaredNode('n', { eligible: true }), {}, terms).failures.at(-1)).toBe(
      'override: ruled out in this scenario',
    )
  })

  test('a declaration that says nothing of eligibility leaves it to the constraints', () => {
    expect(judge(declaredNode('n'))).toMatchObject({ eligible: false, forced: null })
    const declared = { nodeId: 'n', models: new Map(), freeBytes: null, eligible: null }
    expect(judge({ ...node('n', able()), declared })).toMatchObject({ eligible: true, forced: null })
  })
})

describe('fresh facts', () => {
  const strict = (nowSecs: number | null): Partial<EligibilityTerms> => ({ requireFreshFacts: true, nowSecs })

  test('hold up to and including the last second', () => {
    expect(failuresOf(node('n', able()), {}, strict(ISSUED + TTL))).toEqual([])
    expect(failuresOf(node('n', able()), {}, strict(ISSUED + TTL + 61))).toEqual([
      'fresh_facts: facts expired 1 min 1 s ago (at 1060, now 1121)',
    ])
  })

  test('are no constraint unless asked for, and none that can be judged without a time', () => {
    expect(failuresOf(node('n', able()), {}, { nowSecs: ISSUED + TTL + 1 })).toEqual([])
    expect(failuresOf(node('n', able()), {}, strict(null))).toEqual([])
  })

  test('a declared node has none', () => {
    expect(failuresOf(declaredNode('n', { eligible: true }), {}, strict(0)).at(-1)).toBe(
      'fresh_facts: fresh facts are required and the node has none',
    )
  })
})

test('all failures are listed, in the order runtime, format, memory, override, fresh facts', () => {
  const terms = { forcedNodes: new Map([['n', 'out']] as const), requireFreshFacts: true, nowSecs: 9999 }
  const { eligible, failures } = judge(node('n', []), {}, terms)
  expect(eligible).toBe(false)
  expect(failures.map((failure) => failure.split(':')[0])).toEqual([
    'runtime',
    'format',
    'memory',
    'override',
    'fresh_facts',
  ])
})

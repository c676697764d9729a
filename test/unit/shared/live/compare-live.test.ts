import { describe, expect, test } from 'vitest'
import {
  compareLive,
  countLive,
  liveChanges,
  type ExpectedRole,
} from '../../../../shared/live/compare-live.ts'
import type { Observation, ObservedAddress, ServedModel } from '../../../../shared/live/types.ts'
import { readManifest } from '../../../../shared/model-manifest/read-manifest.ts'
import { bodyJson, envelopeJson, hash } from '../../../support/manifests.ts'
import { valueOf } from '../../../support/problems.ts'

const manifest = valueOf(
  readManifest(
    JSON.stringify(
      envelopeJson(
        bodyJson({
          name: 'Hermes-36B',
          format: 'gguf',
          shards: ['1', '2'].map((part) => ({
            path: `Hermes-36B-Q4_K_M-0000${part}-of-00002.gguf`,
            size: 5,
            blake3: hash(part),
          })),
          source: null,
        }),
      ),
    ),
    'hermes.json',
  ),
)

const role = (changes: Partial<ExpectedRole> = {}): ExpectedRole => ({
  role: 'hermes',
  model: 'Hermes-36B',
  repo: 'org/Hermes-36B-GGUF',
  manifest,
  nodeId: 'gpu-box',
  port: 8090,
  contextTokens: null,
  ...changes,
})
const served = (changes: Partial<ServedModel> = {}): ServedModel => ({
  id: 'hermes',
  aliases: [],
  file: null,
  contextTokens: null,
  bytes: null,
  state: 'loaded',
  ...changes,
})
const at = (nodeId: string, port: number, observation: Observation): ObservedAddress => ({
  nodeId,
  url: `http://${nodeId}:${port}`,
  port,
  observation,
})
const server = (...models: ServedModel[]): Observation => ({ kind: 'server', server: 'llama-server', models })
const stateOf = (expected: ExpectedRole, ...observed: ObservedAddress[]) =>
  compareLive([expected], observed).roles[0]?.state

describe('compareLive', () => {
  test.each<[string, string, ObservedAddress[]]>([
    ['as_planned', 'its port serves it', [at('gpu-box', 8090, server(served()))]],
    ['as_planned', 'another port of its node serves it', [at('gpu-box', 9000, server(served()))]],
    [
      'as_planned',
      'a file of its manifest is loaded under another name',
      [at('gpu-box', 8090, server(served({ id: 'x', file: '/m/Hermes-36B-Q4_K_M-00001-of-00002.gguf' })))],
    ],
    [
      'elsewhere',
      'another node serves it',
      [at('gpu-box', 8090, { kind: 'closed' }), at('mac', 8090, server(served()))],
    ],
    ['not_running', 'its port is closed', [at('gpu-box', 8090, { kind: 'closed' })]],
    ['other_model', 'its port serves something else', [at('gpu-box', 8090, server(served({ id: 'qwen' })))]],
    [
      'other_file',
      'another quant of it is loaded',
      [at('gpu-box', 8090, server(served({ file: '/m/Hermes-36B-Q8_0.gguf' })))],
    ],
    [
      'other_file',
      'only another quant’s name is known',
      [at('gpu-box', 8090, server(served({ id: 'Hermes-36B-Q8_0' })))],
    ],
    ['asleep', 'its server sleeps', [at('gpu-box', 8090, server(served({ state: 'sleeping' })))]],
    ['asleep', 'its server could load it', [at('gpu-box', 8090, server(served({ state: 'unloaded' })))]],
    [
      'no_answer',
      'its node does not answer',
      [at('gpu-box', 8090, { kind: 'no_answer', reason: 'no answer within 3 s' })],
    ],
    ['needs_key', 'its port wants a key', [at('gpu-box', 8090, { kind: 'needs_key' })]],
    ['no_answer', 'no address of its node may be asked', [at('mac', 8090, { kind: 'closed' })]],
  ])('says %s where %s', (state, _, observed) => {
    expect(stateOf(role(), ...observed)).toBe(state)
  })

  test('says that a context differs only where both are known', () => {
    const seen = at('gpu-box', 8090, server(served({ contextTokens: 4096 })))
    expect(stateOf(role({ contextTokens: 32_768 }), seen)).toBe('other_context')
    expect(stateOf(role({ contextTokens: 4096 }), seen)).toBe('as_planned')
    expect(stateOf(role(), seen)).toBe('as_planned')
  })

  test('takes a server that only lists models at its word on the role’s own port', () => {
    const listed = server(served({ id: 'org/Hermes-36B-GGUF', state: 'listed' }))
    expect(stateOf(role(), at('gpu-box', 8090, listed))).toBe('as_planned')
    expect(
      stateOf(
        role({ nodeId: 'mac', port: 1 }),
        at('gpu-box', 8090, listed),
        at('mac', 1, { kind: 'closed' }),
      ),
    ).toBe('not_running')
  })

  test('says that a role runs although the plan runs it nowhere', () => {
    expect(stateOf(role({ nodeId: null }), at('mac', 1, server(served())))).toBe('not_planned')
    expect(stateOf(role({ nodeId: null }), at('mac', 1, { kind: 'closed' }))).toBe('as_planned')
  })

  test('lists loaded models that are no role’s, and a role’s second server', () => {
    const comparison = compareLive(
      [role()],
      [
        at('gpu-box', 8090, server(served())),
        at('mac', 1, server(served(), served({ id: 'qwen' }), served({ id: 'z', state: 'unloaded' }))),
      ],
    )
    expect(comparison.strangers.map(({ nodeId, role: owner, model }) => [nodeId, owner, model.id])).toEqual([
      ['mac', 'hermes', 'hermes'],
      ['mac', null, 'qwen'],
    ])
    expect(countLive(comparison)).toEqual({ asPlanned: 1, differ: 2 })
  })

  test('prefers its own node and port where several serve it', () => {
    const comparison = compareLive(
      [role()],
      [
        at('mac', 8090, server(served())),
        at('gpu-box', 1, server(served())),
        at('gpu-box', 8090, server(served())),
      ],
    )
    expect(comparison.roles[0]?.seen?.url).toBe('http://gpu-box:8090')
  })
})

describe('liveChanges', () => {
  const look = (...observed: ObservedAddress[]) => compareLive([role()], observed)
  const running = look(at('gpu-box', 8090, server(served())))

  test('says nothing while nothing changes', () => {
    expect(liveChanges(running, look(at('gpu-box', 8090, server(served()))))).toBeNull()
  })

  test('says which role does what now, and how many differ', () => {
    const gone = look(at('gpu-box', 8090, { kind: 'closed' }))
    expect(liveChanges(running, gone)).toBe('hermes is now “not running”; 1 differs from the plan.')
    expect(liveChanges(gone, running)).toBe(
      'hermes is now “as planned”; everything that can be seen runs as planned.',
    )
  })

  test('says that models came which are no role’s', () => {
    const more = look(at('gpu-box', 8090, server(served(), served({ id: 'qwen' }))))
    expect(liveChanges(running, more)).toBe(
      'Models that are not planned came or went; 1 differs from the plan.',
    )
  })
})

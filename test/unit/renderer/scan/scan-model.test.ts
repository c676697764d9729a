import { describe, expect, test } from 'vitest'
import {
  endedSentence,
  fraction,
  listedModels,
  suggestedModels,
  sumOfBytes,
} from '../../../../renderer/scan/scan-model.ts'
import type { FoundModelInfo, ScanReport } from '../../../../shared/scan/scan-report.ts'

function found(id: string, changes: Partial<FoundModelInfo> = {}): FoundModelInfo {
  return {
    id,
    name: id,
    roles: [],
    format: 'gguf',
    place: `~/models/${id}`,
    shards: 1,
    bytes: '100',
    known: false,
    missing: [],
    warnings: [],
    ...changes,
  }
}

function report(changes: Partial<ScanReport>): ScanReport {
  return {
    scan: 's',
    state: 'ended',
    doneBytes: '0',
    totalBytes: '0',
    rate: null,
    secondsLeft: null,
    models: [],
    node: null,
    ...changes,
  }
}

const row = { id: 'a', name: 'a', doneBytes: '0', totalBytes: '0' }

describe('the scan screen', () => {
  test('ticks what a role waits for and the lab does not have', () => {
    const models = [
      found('needed', { roles: ['coder'] }),
      found('known', { roles: ['chat'], known: true }),
      found('nobody'),
      found('nameless', { roles: ['coder'], name: null }),
    ]
    expect([...suggestedModels(models)]).toEqual(['needed'])
  })

  test('lists what serves a role first, then by name', () => {
    const models = [found('b'), found('a'), found('z', { roles: ['coder'] })]
    expect(listedModels(models).map(({ id }) => id)).toEqual(['z', 'a', 'b'])
  })

  test('sums the chosen models’ bytes beyond what a double holds', () => {
    const models = [found('a', { bytes: '9007199254740993' }), found('b', { bytes: '2' }), found('c')]
    expect(sumOfBytes(models, new Set(['a', 'b']))).toBe(9007199254740995n)
  })

  test('is done when there is nothing to read, and never more than done', () => {
    expect(fraction('0', '0')).toBe(1)
    expect(fraction('50', '200')).toBe(0.25)
    expect(fraction('300', '200')).toBe(1)
  })

  test('says what a scan came to, models and machine', () => {
    const written = { ...row, outcome: { kind: 'written', file: 'a.json' } } as const
    expect(endedSentence(report({}))).toBe('Nothing was scanned.')
    expect(endedSentence(report({ models: [written], node: { nodeId: 'box', file: 'box.json' } }))).toBe(
      '1 manifest written, this machine’s facts written as box.',
    )
    expect(
      endedSentence(
        report({
          models: [written, written, { ...row, outcome: { kind: 'failed', reason: 'it changed' } }],
          node: { reason: 'no room' },
        }),
      ),
    ).toBe('2 manifests written, 1 failed, this machine: no room.')
    const cancelled = { ...row, outcome: { kind: 'cancelled' } } as const
    expect(endedSentence(report({ models: [cancelled, written] }))).toBe(
      '1 manifest written, 1 cancelled. Files that were read whole are remembered; one half read starts again next time.',
    )
  })
})

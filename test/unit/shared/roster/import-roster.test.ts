import { describe, expect, test } from 'vitest'
import { EMPTY_OVERLAY, type Overlay } from '../../../../shared/overlay/types.ts'
import { importEntries, importRoster } from '../../../../shared/roster/import-roster.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'
import type { ImportedRoster } from '../../../../shared/roster/types.ts'

function imported(text: string, overlay: Overlay = EMPTY_OVERLAY): ImportedRoster {
  const read = importRoster(text, overlay)
  expect(read.problems).toEqual([])
  return read.ok ? read.value : { specs: [], skipped: [] }
}

describe('importRoster', () => {
  test('skips entries with the first reason that applies, and keeps both lists in roster order', () => {
    const text = [
      'roster:',
      '- {id: "no token", backend: vllm}',
      '- {id: eyes, backend: mlx_vlm}',
      '- {id: a, backend: ollama, port: 1, repo: r, ram_gb: 1}',
      '- {id: b, backend: Ollama (managed), port: 1, repo: r}',
      '- {id: c, backend: ollama, port: 1, repo: other}',
      '- {id: d, backend: ollama, port: 0, repo: r, ram_gb: 1}',
      '- {id: e, backend: ollama, port: 0, repo: r, ram_gb: 2}',
      '',
    ].join('\n')
    const { specs, skipped } = imported(text)
    expect(specs.map(({ spec }) => spec.role)).toEqual(['a'])
    expect(skipped.map(({ id, reason }) => [id, reason])).toEqual([
      ['no token', 'id is not a plain token'],
      ['eyes', 'backend "mlx_vlm" has no inference adapter'],
      ['b', 'alias of a (same server, port and weights)'],
      ['c', 'ram_gb is missing or not a number'],
      ['d', 'not a valid inference spec: invalid config: serve.port must not be 0'],
      ['e', 'not a valid inference spec: invalid config: serve.port must not be 0'],
    ])
  })

  test('takes latency, stickiness and excludes from the overlay, and says where they come from', () => {
    const text =
      'roster:\n' +
      ['voice', 'b', 'c']
        .map((id, i) => `- {id: ${id}, backend: ollama, port: ${i + 1}, ram_gb: 1}\n`)
        .join('')
    const overlay: Overlay = {
      excludes: new Map([['c', ['role:b']]]),
      latencyClass: new Map([['c', 'interactive']]),
      sticky: new Map([['b', false]]),
    }
    const seen = imported(text, overlay).specs.map(({ spec, latencySource, stickyFromOverlay }) => [
      spec.latencyClass,
      latencySource,
      spec.sticky,
      stickyFromOverlay,
      spec.excludes,
    ])
    expect(seen).toEqual([
      ['interactive', 'roster_text', true, false, []],
      ['batch', 'default', false, true, []],
      ['interactive', 'overlay', true, false, ['role:b']],
    ])
  })

  test('finds voice and realtime in the id or the role, in any case of the letters A to Z only', () => {
    const latency = (role: string) =>
      imported(`roster:\n- {id: a, role: ${role}, backend: ollama, ram_gb: 1}\n`).specs[0]?.spec.latencyClass
    expect(['VOICE front', 'near-RealTime', 'vo\u0130ce', 'invoices', 'plain'].map(latency)).toEqual([
      'interactive',
      'interactive',
      'batch',
      'interactive',
      'batch',
    ])
  })

  test('leaves the model out when the name is no token', () => {
    const { specs } = imported(
      'roster:\n- {id: a, name: Has Space, backend: ollama, ram_gb: 1}\n- {id: b, name: ok-1, backend: mlx_lm, ram_gb: 1}\n',
    )
    expect(specs.map(({ spec }) => spec.model)).toEqual([null, 'ok-1'])
  })

  test('reads a roster once for any number of overlays', () => {
    const read = readRoster('roster:\n- {id: a, backend: ollama, ram_gb: 1}\n', 'queue.yaml')
    const sticky = (value: boolean) => ({ ...EMPTY_OVERLAY, sticky: new Map([['a', value]]) })
    const both = read.ok ? [true, false].map((value) => importEntries(read.value, sticky(value))) : []
    expect(both.map(({ specs }) => specs[0]?.spec.sticky)).toEqual([true, false])
  })

  test('fails with the problems of the text and the file they are in', () => {
    const read = importRoster('roster: x\n', EMPTY_OVERLAY, 'lab/queue.yaml')
    expect(read.ok).toBe(false)
    expect(read.problems).toMatchObject([
      { severity: 'error', code: 'roster-not-a-list', file: 'lab/queue.yaml' },
    ])
  })
})

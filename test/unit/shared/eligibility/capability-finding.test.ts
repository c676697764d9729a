import { describe, expect, test } from 'vitest'
import { capabilityFinding, type Finding } from '../../../../shared/eligibility/capability-finding.ts'
import type { Capability } from '../../../../shared/node/types.ts'
import { capability } from '../../../support/capability.ts'

const ID = 'runtime.infer.ollama'
const as = (state: Capability['state'], exclusive = false): Capability =>
  capability(ID, {}, { state, exclusive })

describe('capabilityFinding', () => {
  test.each<[Capability['state'], boolean, Finding]>([
    ['available', false, 'usable'],
    ['available', true, 'usable'],
    ['busy', false, 'usable'],
    ['busy', true, 'busy_exclusive'],
    ['reserved', false, 'reserved'],
    ['degraded', true, 'degraded'],
  ])('finds one that is %s (exclusive: %s) to be %s', (state, exclusive, finding) => {
    expect(capabilityFinding([as(state, exclusive)], ID)).toBe(finding)
  })

  test('is absent when there is none of exactly that id', () => {
    expect(capabilityFinding([], ID)).toBe('absent')
    expect(capabilityFinding([capability(`${ID}.x`), capability('runtime.infer')], ID)).toBe('absent')
  })

  test('is usable when any of several is, and else what the first of them is', () => {
    expect(capabilityFinding([as('degraded'), as('reserved'), as('busy')], ID)).toBe('usable')
    expect(capabilityFinding([as('reserved'), as('degraded'), as('busy', true)], ID)).toBe('reserved')
  })
})

import { createStore } from 'zustand/vanilla'
import { describe, expect, test } from 'vitest'
import { startState, type PlannerState } from '../../../../renderer/store/planner-state.ts'
import { createScenarioActions } from '../../../../renderer/store/scenario-actions.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'

function make(): ReturnType<typeof createScenarioActions> & { readonly now: () => PlannerState } {
  const store = createStore<PlannerState>()(startState)
  return { ...createScenarioActions(store), now: store.getState }
}

describe('the scenario', () => {
  test('takes each change back, one at a time, and brings it back again', () => {
    const what = make()
    what.setPolicy({ allowWeightTransfer: true })
    what.setAway('box', true)
    what.pinRole('coder', 'mac')
    what.undo()
    expect(what.now().scenario.pinned.size).toBe(0)
    expect(what.now().scenario.awayNodes.has('box')).toBe(true)
    what.undo()
    what.undo()
    expect(what.now().scenario).toBe(DEFAULT_SCENARIO)
    what.undo()
    expect(what.now().scenario).toBe(DEFAULT_SCENARIO)
    what.redo()
    what.redo()
    what.redo()
    expect(what.now().scenario.pinned.get('coder')).toBe('mac')
  })

  test('forgets what was undone once something else is assumed', () => {
    const what = make()
    what.setSharingVeto(true)
    what.undo()
    what.setRequireFreshFacts(true)
    what.redo()
    expect(what.now().scenario.sharingVeto).toBe(false)
    expect(what.now().scenario.requireFreshFacts).toBe(true)
  })

  test('assumes and lets go of what is assumed of nodes and roles', () => {
    const what = make()
    what.assumeMemory('box', 5n)
    what.assumeFreeSpace('box', 7n)
    what.switchRole('coder', false)
    what.forceNode('box', 'in')
    expect(what.now().scenario.memory.get('box')).toBe(5n)
    expect(what.now().scenario.freeSpace.get('box')).toBe(7n)
    expect(what.now().scenario.offRoles.has('coder')).toBe(true)
    what.assumeMemory('box', null)
    what.assumeFreeSpace('box', null)
    what.switchRole('coder', true)
    what.forceNode('box', null)
    const { memory, freeSpace, offRoles, forcedNodes } = what.now().scenario
    expect([memory.size, freeSpace.size, offRoles.size, forcedNodes.size]).toEqual([0, 0, 0, 0])
  })

  test('takes what was typed into one field back as one step, and another field as another', () => {
    const what = make()
    what.setLinkRate(1)
    what.setLinkRate(10)
    what.setLinkRate(100)
    what.setPolicy({ maxBytes: 4n })
    what.setPolicy({ maxBytes: 40n })
    what.undo()
    expect(what.now().scenario.policy.maxBytes).toBeNull()
    expect(what.now().scenario.linkMbps).toBe(100)
    what.setLinkRate(1000)
    what.undo()
    expect(what.now().scenario.linkMbps).toBe(100)
    what.undo()
    expect(what.now().scenario.linkMbps).toBeNull()
  })

  test('can be reset, and the reset taken back', () => {
    const what = make()
    what.setPolicy({ allowWeightTransfer: true })
    what.reset()
    expect(what.now().scenario).toBe(DEFAULT_SCENARIO)
    what.undo()
    expect(what.now().scenario.policy.allowWeightTransfer).toBe(true)
  })
})

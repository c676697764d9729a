import { createStore } from 'zustand/vanilla'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openOverlay } from '../../../../renderer/store/overlay-state.ts'
import { startState, type PlannerState } from '../../../../renderer/store/planner-state.ts'
import { createScenarioActions, type ScenarioActions } from '../../../../renderer/store/scenario-actions.ts'
import { selectIsPlanning, selectPlan } from '../../../../renderer/store/selectors.ts'
import type { Lab } from '../../../../shared/lab/lab.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { planOutline } from '../../../../shared/report/plan-diff.ts'
import type { LabPlan } from '../../../../shared/plan/types.ts'
import { createLabReader } from '../../../../shared/lab/read-lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })
const NOW = 1_795_000_100

interface Shown {
  readonly transfer: boolean
  readonly told: boolean
}

interface Window {
  readonly what: ScenarioActions
  readonly now: () => PlannerState
  readonly set: (patch: Partial<PlannerState>) => void
  /** Whether the plan on screen lets weights move, and whether it was shown as behind, after each change of either. */
  readonly shown: () => readonly Shown[]
}

function openLab(lab: Lab = createLabReader()(files)): PlannerState['lab'] {
  const snapshot = {
    revision: 1,
    lab: files,
    origin: 'argument',
    stale: null,
    unwatched: null,
    overlay: null,
  } as const
  return { status: 'open', snapshot, lab, rosterStale: null, readAtSecs: NOW, scenarios: [] }
}

function open(): Window {
  const store = createStore<PlannerState>()(() => ({
    ...startState(),
    lab: openLab(),
    overlay: openOverlay('overlay.yaml', null),
  }))
  const shownBy = (state: PlannerState): Shown => ({
    transfer: transferOf(state),
    told: selectIsPlanning(state),
  })
  const shown = [shownBy(store.getState())]
  store.subscribe((state) => {
    const next = shownBy(state)
    const last = shown.at(-1)
    if (last?.transfer !== next.transfer || last.told !== next.told) shown.push(next)
  })
  return { what: createScenarioActions(store), now: store.getState, set: store.setState, shown: () => shown }
}

/** Whether the plan on screen lets weights move. */
function transferOf(state: PlannerState): boolean {
  return selectPlan(state)?.scenario.policy.allowWeightTransfer ?? false
}

/** What the plan on screen comes to, and what one made from nothing of what is wanted comes to. */
function outlines({ now }: Window): { readonly onScreen: unknown; readonly wanted: unknown } {
  const state = now()
  const made = selectPlan(state)
  if (made === null || state.lab.status !== 'open') throw new Error('no lab is open')
  const told = (of: LabPlan): unknown => ({
    outline: planOutline(of),
    problems: of.problems,
    nodes: of.roles[0]?.nodes,
  })
  const anew = { ...state.lab.lab, nodes: state.lab.lab.nodes.map((node) => ({ ...node })) }
  const scenario = { ...state.scenario, nowSecs: NOW }
  return { onScreen: told(made), wanted: told(plan(anew, state.overlay?.document ?? null, scenario)) }
}

/** A page on which every step of a planning takes a slice of its own, `ms` long. */
function slowPage(ms: number): void {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => (now += ms))
}

async function settled({ now }: Window): Promise<void> {
  await expect.poll(() => now().behind).toBeNull()
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a change of the scenario that takes less than a slice', () => {
  test('shows in the same tick, and nothing is ever behind', () => {
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    expect(transferOf(window.now())).toBe(true)
    window.what.undo()
    expect(transferOf(window.now())).toBe(false)
    expect(window.now().behind).toBeNull()
  })
})

describe('a change of the scenario that takes longer', () => {
  test('shows in the controls at once, and in the plan when that is made', async () => {
    slowPage(13)
    const window = open()
    const before = selectPlan(window.now())
    window.what.setPolicy({ allowWeightTransfer: true })
    expect(window.now().scenario.policy.allowWeightTransfer).toBe(true)
    expect(window.now().behind).not.toBeNull()
    expect(selectPlan(window.now())).toBe(before)
    await settled(window)
    expect(transferOf(window.now())).toBe(true)
    const { onScreen, wanted } = outlines(window)
    expect(onScreen).toEqual(wanted)
  })

  test('gives way to a later one: what was overtaken never shows', async () => {
    slowPage(13)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    window.what.setPolicy({ maxBytes: 5n })
    window.what.setPolicy({ allowWeightTransfer: false })
    window.what.setSharingVeto(true)
    await settled(window)
    expect(window.shown().map(({ transfer }) => transfer)).not.toContain(true)
    expect(selectPlan(window.now())?.scenario).toMatchObject({ sharingVeto: true, policy: { maxBytes: 5n } })
    const { onScreen, wanted } = outlines(window)
    expect(onScreen).toEqual(wanted)
  })

  test('is over at once when what is shown is wanted again', () => {
    slowPage(13)
    const window = open()
    const before = selectPlan(window.now())
    window.what.setPolicy({ allowWeightTransfer: true })
    window.what.undo()
    expect(window.now().behind).toBeNull()
    expect(selectPlan(window.now())).toBe(before)
  })

  test('is planned with the overlay as it is by then, which the plan before takes up at once', async () => {
    slowPage(13)
    const window = open()
    const role = selectPlan(window.now())?.roles[0]?.role ?? ''
    window.what.setPolicy({ allowWeightTransfer: true })
    window.set({
      overlay: openOverlay('overlay.yaml', { text: `latency_class: {${role}: batch}\n`, hash: 'h' }),
    })
    expect(transferOf(window.now())).toBe(false)
    expect(selectPlan(window.now())?.roles[0]?.imported.spec.latencyClass).toBe('batch')
    await settled(window)
    expect(transferOf(window.now())).toBe(true)
    expect(selectPlan(window.now())?.roles[0]?.imported.spec.latencyClass).toBe('batch')
    const { onScreen, wanted } = outlines(window)
    expect(onScreen).toEqual(wanted)
  })

  test('holds from the first for another lab that is opened meanwhile', async () => {
    slowPage(13)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    window.set({ lab: openLab() })
    expect(transferOf(window.now())).toBe(true)
    await settled(window)
    const { onScreen, wanted } = outlines(window)
    expect(onScreen).toEqual(wanted)
  })

  test('ends when there is no lab any more', async () => {
    slowPage(13)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    window.set({ lab: { status: 'opening' } })
    await settled(window)
    expect(selectPlan(window.now())).toBeNull()
  })

  test('is reported once it takes so long that one wonders, and no more when it is shown', async () => {
    slowPage(40)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    await settled(window)
    expect(window.shown()).toEqual([
      { transfer: false, told: false },
      { transfer: false, told: true },
      { transfer: true, told: false },
    ])
  })

  test('pins the plan on screen, with what that is of, while another is being made', () => {
    slowPage(13)
    const window = open()
    window.what.setPolicy({ allowWeightTransfer: true })
    window.what.pinBaseline()
    const { baseline } = window.now()
    expect(baseline?.plan).toBe(selectPlan(window.now()))
    expect(baseline?.inputs.scenario.policy.allowWeightTransfer).toBe(false)
    expect(baseline?.plan.scenario.policy.allowWeightTransfer).toBe(false)
  })
})

import { parseDocument } from 'yaml'
import { findLabWayTask } from '../../shared/advice/shortest-way.ts'
import { runSync } from '../../shared/task.ts'
import { editOverlay, type OverlayDraft } from '../../shared/overlay/edit-overlay.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import { plan } from '../../shared/plan/planner.ts'
import type { Lab } from '../../shared/lab/lab.ts'
import type { ModelShape } from '../../shared/memory/shape.ts'
import { withContexts } from '../../shared/scenario/with-contexts.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { readNodeFacts, sharedTexts } from '../../shared/node/read-node-facts.ts'
import { runBook } from '../../shared/runbook/run-book.ts'
import { fullSite, withSites } from '../support/run-book-lab.ts'
import { bigLabFiles, bigOverlay } from './big-lab.ts'
import type { BenchCase } from './measure.ts'

const SCENARIO: Scenario = {
  ...DEFAULT_SCENARIO,
  policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true },
  nowSecs: 1_795_000_100,
}

/** Nothing may move, so that some roles cannot run. */
const OFF: Scenario = { ...DEFAULT_SCENARIO, nowSecs: SCENARIO.nowSecs }

/** The speeds of what happens after an edit or a change on disk, in a lab of 256 roles and 60 models of 255 shards. */
export function planningCases(): readonly BenchCase[] {
  let text = bigOverlay(256)
  const overlays = [overlayOf(text), overlayOf(`${text}# edited\n`)]
  let edits = 0
  const nextOverlay = (): OverlayDocument | null => overlays[edits++ % overlays.length] ?? null

  const lab = createLabReader()(bigLabFiles({ roles: 256, nodes: 200, models: 60, shards: 255 }))
  const nodeTexts = bigLabFiles({ roles: 1, nodes: 1000, models: 60, shards: 40 }).files.filter(
    ({ kind }) => kind === 'node',
  )
  const memo = new PlanMemo()
  const planned = plan(lab, overlays[0] ?? null, SCENARIO)
  workOut(planned)
  const unmoved = plan(lab, overlays[0] ?? null, OFF, memo)
  const sited = withSites(lab.nodes, (nodeId) => fullSite(nodeId, 'llama-swap'))
  const shaped = { ...lab, shapes: shapesOf(lab) }
  let steps = 0
  /** The first role with another context each time, as a slider is drawn. */
  const nextContext = (): Scenario => {
    const role = planned.roles[0]?.role ?? ''
    return withContexts(SCENARIO, new Map([[role, 4096 * (1 + (steps++ % 30))]]))
  }
  let draft: OverlayDraft | null = null
  let isOn = false

  return [
    {
      name: 'plan 256x200 after an overlay edit',
      run: () => workOut(plan(lab, nextOverlay(), SCENARIO, memo)),
      baseline: () => workOut(plan(lab, nextOverlay(), SCENARIO)),
      against: 'planning the same from scratch',
    },
    {
      name: 'a step of the context slider, 256x200',
      run: () => workOut(plan(shaped, overlays[0] ?? null, nextContext(), memo)),
      baseline: () => workOut(plan(shaped, overlays[0] ?? null, nextContext())),
      against: 'planning the same from scratch; the budget is one frame',
    },
    {
      name: 'run book 256x200',
      run: () => void runBook({ plan: planned, lab: { nodes: sited, shapes: lab.shapes }, before: null }),
      baseline: () => workOut(plan(lab, nextOverlay(), SCENARIO)),
      against: 'planning the same from scratch; the budget is one second',
    },
    {
      name: 'what would run every role, 256x200',
      run: () => {
        const end = performance.now() + 2000
        const search = { memo, isOver: () => performance.now() > end }
        const way = runSync(
          findLabWayTask({ lab, overlay: overlays[0] ?? null, scenario: OFF }, unmoved, search),
        )
        if (way.after < way.before) throw new Error('fewer roles run with the changes')
      },
      baseline: () => workOut(plan(lab, nextOverlay(), SCENARIO)),
      against: 'planning the same from scratch; the budget is the two seconds it may take, and one more step',
    },
    {
      name: 'edit overlay text',
      run: () => {
        isOn = !isOn
        const edited = editOverlay(
          text,
          { kind: 'set_sticky', role: 'role-00128', sticky: isOn },
          'overlay.yaml',
          draft,
        )
        if (!edited.ok) throw new Error(edited.reason)
        // Edit after edit, as drags are.
        ;({ text, draft } = edited)
      },
      baseline: () => void parseDocument(text),
      against: "the yaml library's bare parse of the same overlay",
    },
    {
      name: 'read 1000 node files',
      run: () => {
        const share = sharedTexts()
        for (const { file, text: facts } of nodeTexts) {
          if (!readNodeFacts(facts, file, share).ok) throw new Error(`${file} cannot be read`)
        }
      },
      baseline: () => {
        for (const { text: facts } of nodeTexts) JSON.parse(facts)
      },
      against: 'JSON.parse of the same texts',
    },
  ]
}

/** A shape for every model, so that every role's memory is worked out. */
function shapesOf({ manifests }: Lab): Lab['shapes'] {
  const cache = { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null } as const
  const shape: ModelShape = {
    architecture: 'llama',
    weightsBytes: 4_000_000_000n,
    projectorBytes: 0n,
    trainedContext: 131_072,
    caches: { kind: 'known', groups: [{ layers: 32, cache }] },
  }
  return new Map(
    manifests.map(({ packageId, body }) => [
      packageId,
      { packageId, model: body.name, shape, file: body.name },
    ]),
  )
}

function overlayOf(text: string): OverlayDocument {
  const read = parseOverlay(text)
  if (!read.ok) throw new Error('the bench overlay cannot be read')
  return read.value
}

/** All of a plan that the window shows without being asked for a single role. */
function workOut({ roles, residency, problems }: LabPlan): void {
  if (roles.length !== 256 || residency.length === 0 || problems.length === 0)
    throw new Error('nothing was planned')
}

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  contextEffectTask,
  largestContextForAll,
  type LabContext,
} from '../../shared/advice/context-effects.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { memoryNeed } from '../../shared/memory/memory-need.ts'
import { USUAL_CONTEXT, USUAL_SETTING, type MemorySetting } from '../../shared/memory/setting.ts'
import type { ModelShape } from '../../shared/memory/shape.ts'
import { contextRooms } from '../../shared/plan/context-room.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import { roleSetting } from '../../shared/plan/role-memory.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../shared/scenario/scenario.ts'
import { runSync } from '../../shared/task.ts'
import { realDisk } from '../host/disk.ts'
import { expandHome } from '../host/paths.ts'
import { findModels } from '../host/scan/find-models.ts'
import { readShape } from '../host/shapes/read-shape.ts'
import type { LabOptions } from './arguments.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import type { MemoryOptions } from './memory-arguments.ts'
import { labContextJson, labContextLines, memoryJson, memoryLines, type MemoryResult } from './memory-text.ts'
import { openLab, planLab } from './open-lab.ts'
import { complain, joinSections, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor } from './style.ts'

export interface MemoryInvocation {
  readonly command: 'memory'
  /** A role, a file or a folder; null: every role of the lab. */
  readonly target: string | null
  readonly lab: LabOptions
  readonly options: MemoryOptions
  readonly json: boolean
}

/** `memory`: what roles or the models of a file or folder take in memory. */
export async function memoryCommand(invocation: MemoryInvocation, io: CliIo): Promise<ExitCode> {
  const { target } = invocation
  const path = target === null ? null : await pathOf(target, io)
  const { results, forAll } =
    path === null ? await roleResults(invocation, io) : await modelResults(path, invocation, io)
  if (results.length === 0) return EXIT.badInput
  if (invocation.json) {
    const json = {
      models: results.map(memoryJson),
      largest_for_all: forAll === null ? undefined : labContextJson(forAll),
    }
    io.stdout(`${jsonText(json, 2)}\n`)
  } else {
    const [width, style] = [outputWidth(io), styleFor('stdout', io)]
    const sections = results.map((each) => memoryLines(each, width, style))
    writeLines(joinSections([...sections, forAll === null ? [] : labContextLines(forAll, width, style)]), io)
  }
  return EXIT.fine
}

interface Answers {
  readonly results: readonly MemoryResult[]
  /** Of all roles of a lab together; null where less was asked for. */
  readonly forAll: LabContext | null
}

/** The path that `target` means, absolute; null when it is the name of a role. */
async function pathOf(target: string, io: CliIo): Promise<string | null> {
  const path = resolve(io.cwd, expandHome(target, io.homeDir))
  if (target.includes('/') || /\.gguf$/i.test(target)) return path
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  return isThere ? path : null
}

/** The models at a path; what cannot be read is complained of. */
async function modelResults(
  path: string,
  { target, options }: MemoryInvocation,
  io: CliIo,
): Promise<Answers> {
  const results: MemoryResult[] = []
  for (const find of await findModels({ path, shown: target ?? path })) {
    if (!find.ok) {
      complain(`${find.shown}: ${find.reason}`, io)
      continue
    }
    const read = await readShape(find.model, realDisk)
    if (!read.ok) {
      complain(`${find.model.shown}: ${read.reason}`, io)
      continue
    }
    const setting = settingFor(read.shape, options)
    results.push({
      name: find.model.shown,
      shape: read.shape,
      need: memoryNeed(read.shape, setting),
      rosterBytes: null,
      rooms: [],
      twice: null,
    })
  }
  return { results, forAll: null }
}

/** The role that was named, or all of them, as far as the lab has a shape of their models. */
async function roleResults(
  { target, lab: labOptions, options }: MemoryInvocation,
  io: CliIo,
): Promise<Answers> {
  const opened = await openLab(labOptions, io)
  reportProblems(ofSeverity(opened.lab.problems, 'error'), opened.sourceOf, io)
  if (!opened.readable) return { results: [], forAll: null }
  const memo = new PlanMemo()
  const { lab, overlay } = opened
  const { plan } = planLab(opened, DEFAULT_SCENARIO, memo)
  const scenario = scenarioOf(
    plan.roles.map(({ role }) => role),
    options,
  )
  const inputs = { lab, overlay, scenario }
  const results: MemoryResult[] = []
  let named = 0
  for (const [i, { role, manifest, imported }] of plan.roles.entries()) {
    if (target !== null && role !== target) continue
    named++
    const shape = manifest === null ? null : (lab.shapes.get(manifest.packageId)?.shape ?? null)
    if (shape === null) {
      const model = imported.spec.model ?? imported.entry.name
      complain(`${role}: the lab has no shape of ${model}: scan the model where its files are`, io)
      continue
    }
    const setting = roleSetting(imported.spec, shape, scenario)
    results.push({
      name: role,
      shape,
      need: memoryNeed(shape, setting),
      rosterBytes: imported.entry.ramBytes,
      rooms: contextRooms(plan, i, shape, setting),
      twice: runSync(contextEffectTask(inputs, plan, i, 2 * setting.context, memo.branch())),
    })
  }
  if (named === 0) {
    complain(
      target === null
        ? 'the roster has no role'
        : `${JSON.stringify(target)} is no role of the roster, and there is no file or folder of that name`,
      io,
    )
  }
  const forAll =
    target === null && results.length > 0 ? runSync(largestContextForAll(inputs, plan, memo.branch())) : null
  return { results, forAll }
}

/** The scenario that gives `roles` what a person says of the setting. */
function scenarioOf(roles: readonly string[], { context, kv, parallel }: MemoryOptions): Scenario {
  const all = <T>(value: T | null): ReadonlyMap<string, T> =>
    new Map(value === null ? [] : roles.map((role) => [role, value]))
  return {
    ...DEFAULT_SCENARIO,
    roleContext: all(context),
    roleKeyType: all(kv),
    roleValueType: all(kv),
    roleParallel: all(parallel),
  }
}

function settingFor({ trainedContext }: ModelShape, { context, kv, parallel }: MemoryOptions): MemorySetting {
  const type = kv ?? USUAL_SETTING.keyType
  return {
    ...USUAL_SETTING,
    context: context ?? Math.min(USUAL_CONTEXT, trainedContext ?? USUAL_CONTEXT),
    keyType: type,
    valueType: type,
    parallel: parallel ?? USUAL_SETTING.parallel,
  }
}

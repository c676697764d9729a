import { resolve } from 'node:path'
import { planOutline, type PlanOutline } from '../../shared/report/plan-diff.ts'
import { looksLikePlanJson, MAX_PLAN_JSON_BYTES, readPlanJson } from '../../shared/report/read-plan-json.ts'
import type { PlanInputs } from '../../shared/plan/types.ts'
import { hasErrors, type Problem } from '../../shared/problem.ts'
import { TextLines } from '../../shared/text-lines.ts'
import { realDisk } from '../host/disk.ts'
import { expandHome, shortenHome, STDIN_NAME } from '../host/paths.ts'
import { decodeText, readTextFile, type TextRead } from '../host/read-text-file.ts'
import type { CommonOptions } from './arguments.ts'
import type { SourceOf } from './diagnostics.ts'
import type { CliIo } from './io.ts'
import { openLab, planLab } from './open-lab.ts'
import { underFlags } from './scenario-flags.ts'
import { openScenario } from './scenario-option.ts'

/** One of the two plans of a comparison, or why there is none. */
export interface DiffSide {
  readonly plan: PlanOutline | null
  /** What the plan was made from; null for a plan file, which does not tell. */
  readonly inputs: PlanInputs | null
  readonly problems: readonly Problem[]
  readonly sourceOf: SourceOf
}

/**
 * Makes a plan of `name`: a lab folder, an overlay file (of the lab in `options`), or a plan file; `-` is a
 * file.
 */
export async function openSide(name: string, options: CommonOptions, io: CliIo): Promise<DiffSide> {
  if (name !== STDIN_NAME && (await isFolder(name, io))) {
    return planSide({ ...options, lab: { ...options.lab, lab: name } }, io)
  }
  const isStdin = name === STDIN_NAME
  const bytes = isStdin ? await io.readStdin(MAX_PLAN_JSON_BYTES) : null
  const shown = isStdin ? '<stdin>' : shortenHome(expandHome(name, io.homeDir), io.homeDir)
  const read = bytes
    ? decodeText(bytes, MAX_PLAN_JSON_BYTES)
    : await readTextFile(resolve(io.cwd, expandHome(name, io.homeDir)), MAX_PLAN_JSON_BYTES)
  if (!read.ok) return unreadable(shown, read.reason)
  if (looksLikePlanJson(read.text)) return planFileSide(read, shown)
  const given = { ...options.lab.given, overlay: name }
  // What was read to find out what it is cannot be read again, so it is handed on.
  const readStdin = bytes ? () => Promise.resolve(bytes) : io.readStdin
  return planSide({ ...options, lab: { ...options.lab, given } }, io, readStdin)
}

/** Makes a plan of the lab under the scenario `name`. */
export async function openScenarioSide(name: string, options: CommonOptions, io: CliIo): Promise<DiffSide> {
  const scenario = await openScenario(name, options.lab, io)
  // What is wrong with it has been reported.
  if (scenario === null) return { plan: null, inputs: null, problems: [], sourceOf: () => undefined }
  return planSide({ ...options, scenario: underFlags(options.scenarioFlags, io.nowSecs, scenario) }, io)
}

async function isFolder(name: string, io: CliIo): Promise<boolean> {
  try {
    return (await realDisk.stat(resolve(io.cwd, expandHome(name, io.homeDir)))).isDirectory()
  } catch {
    // Reading it as a file reports that nothing is there.
    return false
  }
}

async function planSide(
  { lab, scenario }: CommonOptions,
  io: CliIo,
  readStdin: CliIo['readStdin'] = io.readStdin,
): Promise<DiffSide> {
  const { opened, plan, problems } = planLab(await openLab(lab, io, readStdin), scenario)
  const errors = problems.filter(({ severity }) => severity === 'error')
  const { lab: opensTo, overlay, readable, sourceOf } = opened
  return {
    plan: readable ? planOutline(plan) : null,
    inputs: readable ? { lab: opensTo, overlay, scenario } : null,
    problems: errors,
    sourceOf,
  }
}

function planFileSide({ text }: Extract<TextRead, { ok: true }>, file: string): DiffSide {
  const read = readPlanJson(text, file)
  const lines = new TextLines(text)
  return {
    plan: read.ok ? read.value : null,
    inputs: null,
    problems: read.problems,
    sourceOf: (name) => (name === file ? lines : undefined),
  }
}

function unreadable(file: string, reason: string): DiffSide {
  const message = `Cannot read what is to be compared: ${reason}.`
  const problem: Problem = { severity: 'error', code: 'diff-unreadable', message, file, range: null }
  return { plan: null, inputs: null, problems: [problem], sourceOf: () => undefined }
}

/** Whether anything that went into the side has an error. */
export function sideHasErrors({ plan, problems }: DiffSide): boolean {
  return plan === null || hasErrors(problems)
}

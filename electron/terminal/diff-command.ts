import { comparePlans, type Causes } from '../../shared/compare/compare-plans.ts'
import { causesText, differenceText } from '../../shared/compare/difference-words.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { changeKind, fieldText, standingText, type ChangeKind } from '../../shared/report/diff-text.ts'
import {
  diffPlans,
  type FieldChange,
  type PlanDiff,
  type RoleChange,
  type Standing,
} from '../../shared/report/plan-diff.ts'
import { plural } from '../../shared/listed.ts'
import type { Invocation } from './arguments.ts'
import { openScenarioSide, openSide, sideHasErrors } from './diff-sides.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { reportProblems, writeLines } from './report.ts'
import { styleFor, type Style } from './style.ts'
import { displayWidth, hang, pad, printable } from './width.ts'

/** A comparison with causes, or without any where they cannot be found out. */
type ToldDiff = Omit<PlanDiff, 'roles'> & {
  readonly roles: readonly (RoleChange & { readonly causes?: Causes | null })[]
}

type ToldChange = ToldDiff['roles'][number]

type DiffInvocation = Extract<Invocation, { command: 'diff' }>

/** `diff A B`, or `diff --scenario A --scenario B`: which roles come out differently, from what to what, and which input did it. */
export async function diffCommand(options: DiffInvocation, io: CliIo): Promise<ExitCode> {
  const { sides } = options
  const open = sides.kind === 'named' ? openSide : openScenarioSide
  const a = await open(sides.a, options, io)
  const b = await open(sides.b, options, io)
  reportProblems(a.problems, a.sourceOf, io)
  reportProblems(b.problems, b.sourceOf, io)
  if (a.plan === null || b.plan === null) return EXIT.badInput
  // A plan file does not tell what it was made from, so that nothing can be replayed over it.
  const diff: ToldDiff =
    a.inputs === null || b.inputs === null ? diffPlans(a.plan, b.plan) : comparePlans(a.inputs, b.inputs)
  if (options.json) io.stdout(`${jsonText(diffToJson(diff), 2)}\n`)
  else writeLines(diffLines(sides.a, sides.b, diff, outputWidth(io), styleFor('stdout', io)), io)
  if (sideHasErrors(a) || sideHasErrors(b)) return EXIT.badInput
  return diff.roles.length > 0 ? EXIT.differs : EXIT.fine
}

function diffLines(a: string, b: string, diff: ToldDiff, width: number, style: Style): string[] {
  const header = [`${style.no('---')} ${printable(a)}`, `${style.yes('+++')} ${printable(b)}`]
  const policy =
    diff.policy.length === 0
      ? []
      : ['', style.heading('Planned under different policies'), ...fieldLines(diff.policy, width, style)]
  const changes = diff.roles.flatMap((change) => [
    '',
    ...changeLines(change, width, style),
    ...causeLines(change, width, style),
  ])
  const entries = plural(diff.compared, 'roster entry', 'roster entries')
  const sum =
    diff.roles.length === 0 ? `No difference in ${entries}.` : `${diff.roles.length} of ${entries} differ.`
  return [...header, ...policy, ...changes, '', sum]
}

function changeLines(change: RoleChange, width: number, style: Style): string[] {
  const kind = changeKind(change)
  const head = `${kindMark(kind, style)} ${style.strong(printable(change.role))}`
  switch (kind) {
    case 'changed':
      return [head, ...fieldLines(change.fields, width, style)]
    case 'appeared':
      return [`${head}  ${kind}`, ...hang('    ', printable(standingText(change.to)), width)]
    case 'disappeared':
      return [`${head}  ${kind}`, ...hang('    was ', printable(standingText(change.from)), width)]
    case 'now skipped':
    case 'no longer skipped':
      return [
        `${head}  ${kind}`,
        ...hang('    was ', printable(standingText(change.from)), width),
        ...hang('    now ', printable(standingText(change.to)), width),
      ]
  }
}

function causeLines({ causes }: ToldChange, width: number, style: Style): string[] {
  return causes ? hang('    because  ', printable(causesText(causes)), width, style.faint) : []
}

function kindMark(kind: ChangeKind, style: Style): string {
  switch (kind) {
    case 'changed':
      return style.moves('~')
    case 'appeared':
    case 'no longer skipped':
      return style.yes('+')
    case 'disappeared':
    case 'now skipped':
      return style.no('-')
  }
}

function fieldLines(fields: readonly FieldChange[], width: number, style: Style): string[] {
  const labelWidth = Math.max(0, ...fields.map(({ field }) => displayWidth(field)))
  return fields.flatMap((change) => {
    const text = `${fieldText(change, change.from)} → ${fieldText(change, change.to)}`
    return hang(`    ${pad(change.field, labelWidth)}  `, printable(text), width, style.faint)
  })
}

function diffToJson(diff: ToldDiff) {
  return {
    differs: diff.roles.length > 0,
    compared: diff.compared,
    policy: diff.policy.map(fieldToJson),
    roles: diff.roles.map((change) => ({
      role: change.role,
      change: changeKind(change).replaceAll(' ', '_'),
      from: standingToJson(change.from),
      to: standingToJson(change.to),
      fields: change.fields.map(fieldToJson),
      because: change.causes?.differences.map(differenceText) ?? null,
    })),
  }
}

function fieldToJson({ field, from, to }: FieldChange) {
  return { field, from, to }
}

/**
 * What each plan has of the role: its decision and outcome, the reason it is skipped for, or null when it is not there.
 */
function standingToJson(standing: Standing) {
  switch (standing.kind) {
    case 'planned':
      return { decision: standing.role.decision, outcome: standing.role.outcome }
    case 'skipped':
      return { skipped: standing.reason }
    case 'absent':
      return null
  }
}

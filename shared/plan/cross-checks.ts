import { formatBytesApart, formatExactBytes, sumBytes } from '../bytes.ts'
import type { Lab } from '../lab/lab.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { factsExpiry } from '../node/node-facts.ts'
import { excludedRole } from '../overlay/edit-step.ts'
import type { OverlayDocument, OverlayMention } from '../overlay/types.ts'
import { formatDuration } from '../eligibility/describe.ts'
import type { Problem, Severity } from '../problem.ts'
import type { RosterField, SkippedEntry } from '../roster/types.ts'
import type { Task } from '../task.ts'
import type { PlanMemo } from './plan-memo.ts'
import type { RolePlan } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/**
 * What each input is fine with but all of them together are not: worth a look before anything is copied or started.
 * Reading a single file has reported its own problems already; these need two files, or two entries, at once.
 */
export function* crossCheckTask(
  lab: Lab,
  overlay: OverlayDocument | null,
  scenario: Scenario,
  roles: readonly RolePlan[],
  skipped: readonly SkippedEntry[],
  memo: PlanMemo,
): Task<Problem[]> {
  return [
    ...weightsBelowManifest(lab, roles),
    ...sharedPorts(lab, roles),
    ...(overlay ? [...unknownRoles(overlay, roles, skipped), ...oneSidedExcludes(overlay, roles)] : []),
    ...(yield* staleFacts(lab, scenario, memo)),
    ...manifestChecks(lab, roles),
  ]
}

/** A problem of a role at the place of one of its roster fields, or of its entry when the field is not there. */
export function rosterProblem(
  lab: Lab,
  role: RolePlan,
  field: RosterField,
  severity: Severity,
  code: string,
  message: string,
): Problem {
  const { entry } = role.imported
  const span = entry.fieldSpans[field] ?? entry.span
  return {
    severity,
    code,
    message,
    file: lab.roster?.file ?? null,
    range: lab.roster?.lines.range(span) ?? null,
    role: role.role,
  }
}

function weightsBelowManifest(lab: Lab, roles: readonly RolePlan[]): Problem[] {
  const used = new Set(roles.flatMap(({ manifest }) => manifest ?? []))
  const bytesOf = new Map([...used].map((manifest) => [manifest, totalBytes(manifest)]))
  return roles.flatMap((role) => {
    const bytes = role.manifest === null ? 0n : (bytesOf.get(role.manifest) ?? 0n)
    const weights = role.imported.entry.ramBytes ?? 0n
    if (weights >= bytes) return []
    const [said, shards] = formatBytesApart(weights, bytes)
    const message =
      `${role.role}: ram_gb says ${said} but the shards of ${role.manifest?.body.name ?? ''} are ${shards}; ` +
      'a node that looks free enough may not be (raise ram_gb)'
    return [rosterProblem(lab, role, 'ram_gb', 'warning', 'ram-below-manifest', message)]
  })
}

function totalBytes({ body }: ModelManifest): bigint {
  return sumBytes(body.shards.map((shard) => shard.size))
}

function sharedPorts(lab: Lab, roles: readonly RolePlan[]): Problem[] {
  const first = new Map<number, string>()
  return roles.flatMap((role) => {
    const { port } = role.imported.spec.serve
    if (port === null) return []
    const holder = first.get(port)
    if (holder === undefined) {
      first.set(port, role.role)
      return []
    }
    const message = `${role.role} and ${holder} both serve on port ${port}; they cannot run on one node at once`
    return [rosterProblem(lab, role, 'port', 'warning', 'port-shared', message)]
  })
}

function unknownRoles(
  overlay: OverlayDocument,
  roles: readonly RolePlan[],
  skipped: readonly SkippedEntry[],
): Problem[] {
  const importable = new Set(roles.map((role) => role.role))
  const skippedReason = new Map(skipped.map((entry) => [entry.id, entry.reason]))
  return overlay.mentions.flatMap((mention): Problem[] => {
    const named = mention.exclude === null ? mention.role : excludedRole(mention.exclude)
    if (importable.has(named)) return []
    // An excluded role may be spelled with a prefix that belongs to its name.
    if (mention.exclude !== null && importable.has(mention.exclude)) return []
    const reason = skippedReason.get(named)
    const where = mention.exclude === null ? `${mention.key} names` : `the excludes of ${mention.role} name`
    return [
      overlayProblem(overlay, mention, {
        severity: 'warning',
        code: reason === undefined ? 'overlay-unknown-role' : 'overlay-skipped-role',
        message:
          reason === undefined
            ? `${where} ${named}, which is no role of the roster; it has no effect`
            : `${where} ${named}, which was skipped (${reason}); it has no effect`,
      }),
    ]
  })
}

function oneSidedExcludes(overlay: OverlayDocument, roles: readonly RolePlan[]): Problem[] {
  const importable = new Set(roles.map((role) => role.role))
  const declared = new Map<string, Set<string>>()
  for (const [role, excludes] of overlay.overlay.excludes)
    declared.set(role, new Set(excludes.map(excludedRole)))
  return overlay.mentions.flatMap((mention): Problem[] => {
    if (mention.exclude === null) return []
    const other = excludedRole(mention.exclude)
    if (!importable.has(mention.role) || !importable.has(other) || declared.get(other)?.has(mention.role))
      return []
    return [
      overlayProblem(overlay, mention, {
        severity: 'info',
        code: 'exclude-one-sided',
        message: `${mention.role} excludes ${other} but ${other} does not exclude ${mention.role}; it counts both ways`,
      }),
    ]
  })
}

function overlayProblem(
  overlay: OverlayDocument,
  mention: OverlayMention,
  what: Pick<Problem, 'severity' | 'code' | 'message'>,
): Problem {
  return { ...what, file: overlay.file, range: overlay.lines.range(mention.span), role: mention.role }
}

/** Pauses after each node: in a lab that was probed yesterday all of thousands are stale. */
function* staleFacts(lab: Lab, scenario: Scenario, memo: PlanMemo): Task<readonly Problem[]> {
  const { nowSecs, requireFreshFacts } = scenario
  if (nowSecs === null) return []
  const known = memo.staleFacts(lab, scenario)
  if (known !== null) return known
  const problems: Problem[] = []
  const effect = requireFreshFacts
    ? 'fresh facts are required, so nothing is placed there'
    : 'what it holds may have changed'
  for (const node of lab.nodes) {
    yield
    if (node.facts === null || nowSecs <= factsExpiry(node.facts)) continue
    const age = formatDuration(nowSecs - node.facts.issuedAt)
    problems.push({
      severity: 'warning',
      code: 'facts-stale',
      message: `${node.nodeId} was last checked ${age} ago; ${effect}: run \`lab-planner scan node\` there`,
      file: node.file,
      range: null,
    })
  }
  memo.keepStaleFacts(lab, scenario, problems)
  return problems
}

function manifestChecks(lab: Lab, roles: readonly RolePlan[]): Problem[] {
  const used = new Set(roles.map((role) => role.manifest?.packageId))
  const names = new Map<string, Set<string>>()
  for (const { body, packageId } of lab.manifests) {
    names.set(body.name, (names.get(body.name) ?? new Set()).add(packageId))
  }
  const problems: Problem[] = []
  const reported = new Set<string>()
  for (const manifest of lab.manifests) {
    if (reported.has(manifest.packageId)) continue
    reported.add(manifest.packageId)
    const { name } = manifest.body
    const warn = (code: string, message: string): void => {
      problems.push({ severity: 'warning', code, message, file: manifest.file, range: null })
    }
    const rivals = names.get(name)?.size ?? 1
    if (rivals > 1) {
      const role = used.has(manifest.packageId) ? 'this one is used' : 'this one is not used'
      warn(
        'manifest-name-twice',
        `${rivals} manifests are named ${name}; ${role} (package ${manifest.packageId.slice(0, 12)}…): keep one`,
      )
    } else if (lab.roster !== null && !used.has(manifest.packageId)) {
      const bytes = formatExactBytes(totalBytes(manifest))
      warn('manifest-unused', `no role of the roster uses the manifest ${name} (${bytes})`)
    }
    if (manifest.refused !== null && used.has(manifest.packageId)) {
      warn('manifest-refused', `the registry refuses ${name}: ${manifest.refused}`)
    }
    if (manifest.signature === 'invalid') {
      warn('manifest-signature-invalid', `a signature of ${name} does not verify; adopt the model again`)
    }
  }
  return problems
}

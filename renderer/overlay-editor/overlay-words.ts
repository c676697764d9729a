import { formatBytes } from '../../shared/bytes.ts'
import {
  byLatencyClass,
  DEFAULT_LATENCY_CLASS,
  LATENCY_CLASSES,
  LATENCY_TRAITS,
} from '../../shared/inference-spec.ts'
import { listed } from '../../shared/listed.ts'
import type { OverlayKey } from '../../shared/overlay/types.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { outcomeSentence } from '../../shared/report/outcome-words.ts'
import type { LatencySource } from '../../shared/roster/types.ts'

/** What each key of an overlay means, in Markdown. */
export const KEY_DOCS: Readonly<Record<OverlayKey, string>> = {
  excludes:
    'Roles that cannot run on one node together: a role, then the list of those it cannot be beside, ' +
    'each as `planner` or `role:planner`. A pair counts both ways, whichever side lists it.',
  latency_class:
    `How soon a role must answer: ${listed(LATENCY_CLASSES.map((each) => `\`${each}\` ${LATENCY_TRAITS[each].meaning}`))}. ` +
    `A role that is not listed is what the roster’s text says, else \`${DEFAULT_LATENCY_CLASS}\`.`,
  sticky:
    'Whether a role stays where its cache is warm (`true`) or may be moved (`false`). ' +
    'A role that is not listed stays.',
}

export const VALUE_DOCS: Readonly<Record<string, string>> = {
  ...byLatencyClass((each) => sentence(LATENCY_TRAITS[each].meaning)),
  true: 'Stays where its cache is warm.',
  false: 'May be moved.',
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}

const SOURCES: Readonly<Record<LatencySource, string>> = {
  overlay: 'by this overlay',
  roster_text: 'from the roster’s text',
  default: 'by default',
}

/** Text as Markdown that shows it to the letter. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~&]/g, '\\$&')
}

/** A role for a hover, in Markdown: what it is, where it runs, and what the overlay can change of it. */
export function describeRole(plan: RolePlan): readonly string[] {
  const { spec, latencySource, stickyFromOverlay, entry } = plan.imported
  const { weightsBytes, kvBudgetBytes } = spec.memory
  const memory =
    kvBudgetBytes === 0n
      ? `${formatBytes(weightsBytes)} of weights`
      : `${formatBytes(weightsBytes)} of weights and ${formatBytes(kvBudgetBytes)} of KV cache`
  const facts = [
    `latency **${spec.latencyClass}** ${SOURCES[latencySource]}`,
    `memory ${memory}`,
    `${spec.sticky ? 'sticky' : 'may move'} ${stickyFromOverlay ? SOURCES.overlay : SOURCES.default}`,
    ...(spec.excludes.length === 0
      ? []
      : [`cannot be beside ${spec.excludes.map(escapeMarkdown).join(', ')}`]),
  ]
  const head = [
    `**${escapeMarkdown(plan.role)}**`,
    escapeMarkdown(spec.model ?? entry.name),
    escapeMarkdown(spec.runtime),
  ]
  return [head.join(' · '), escapeMarkdown(outcomeSentence(plan)), facts.join(' · ')]
}

/** The same for a list of suggestions, in a few plain words. */
export function roleDetail(plan: RolePlan): string {
  const { spec } = plan.imported
  return `${spec.latencyClass} · ${formatBytes(spec.memory.weightsBytes)}`
}

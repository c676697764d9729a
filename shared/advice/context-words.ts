import { formatBytes } from '../bytes.ts'
import { listed, plural } from '../listed.ts'
import { formatTokens } from '../memory/memory-words.ts'
import type { ContextEffect, Displaced, LabContext } from './context-effects.ts'

/** Roles in a sentence before the rest is counted. */
const MOST_ROLES = 4

/** `With 65,536 tokens it takes 33.4 GB and runs on mac-studio; planner no longer runs.` */
export function contextEffectText({ context, bytes, own, displaced }: ContextEffect): string {
  const there = own.nodeId === null ? 'fits on no node beside the other roles' : `runs on ${own.nodeId}`
  const others = displaced.length === 0 ? 'no other role moves' : displacedText(displaced)
  return `With ${formatTokens(context)} tokens it takes ${formatBytes(bytes)} and ${there}; ${others}.`
}

function displacedText(displaced: readonly Displaced[]): string {
  const stopped = displaced.filter(({ after }) => after.nodeId === null).map(({ role }) => role)
  const moved = displaced.flatMap(({ role, after: { nodeId } }) =>
    nodeId === null ? [] : [`${role} moves to ${nodeId}`],
  )
  const runs = stopped.length === 1 ? 'runs' : 'run'
  return [
    ...(stopped.length === 0 ? [] : [`${listed(stopped, { most: MOST_ROLES })} no longer ${runs}`]),
    ...(moved.length === 0 ? [] : [listed(moved, { most: MOST_ROLES })]),
  ].join('; ')
}

/** The largest context for all in a sentence. */
export function labContextText(found: LabContext): string {
  switch (found.kind) {
    case 'fits': {
      const roles = found.contexts.size === 1 ? 'the one role' : `all ${plural(found.contexts.size, 'role')}`
      const tokens = `${formatTokens(found.context)} tokens for ${roles}`
      const end =
        found.limit === 'trained'
          ? 'no model was trained for more'
          : `with more, ${listed(found.first, { most: MOST_ROLES })} would no longer run`
      return `${tokens}: ${end}${unknownText(found.unknown)}.`
    }
    case 'none': {
      const roles = listed(found.first, { most: MOST_ROLES })
      return `Even with the smallest context ${roles} would no longer run${unknownText(found.unknown)}.`
    }
    case 'unknown':
      return 'Unknown: the lab has a shape of no running role’s model. Scan the models where their files are.'
  }
}

function unknownText(unknown: readonly string[]): string {
  if (unknown.length === 0) return ''
  return `; ${listed(unknown, { most: MOST_ROLES })} ${unknown.length === 1 ? 'keeps its' : 'keep their'} ram_gb, since the lab has no shape of ${unknown.length === 1 ? 'its model' : 'their models'}`
}

import { formatBytes } from '../bytes.ts'
import { escape, list } from '../report/markdown.ts'
import type { Knot, Order, Step, StopReason } from './order.ts'

/** The order of a run book as numbered steps, and what stands in its way. */
export function orderBlocks(
  { steps, knots, noSpace, stuck }: Order,
  headroomBytes: bigint,
): readonly string[] {
  return [
    'What leaves stops first, then weights come, the largest last, then roles start. No step exceeds a disk or the memory of a node, or puts roles together that exclude each other.',
    steps.length === 0
      ? 'There is nothing to do.'
      : steps.map((step, i) => `${i + 1}. ${stepText(step)}`).join('\n'),
    ...(knots.length === 0 ? [] : ['### Roles that wait for each other', list(knots.map(knotText))]),
    ...(noSpace.length === 0 && stuck.length === 0
      ? []
      : [
          '### What cannot be done yet',
          list([
            ...noSpace.map(
              ({ fetch, missingBytes }) =>
                `${escape(fetch.manifest.body.name)} does not fit the disk of ${escape(fetch.target)}: ${formatBytes(missingBytes)} more must be free there, with ${formatBytes(headroomBytes)} of headroom.`,
            ),
            ...stuck.map(
              ({ nodeId, role }) =>
                `${escape(role)} finds no room on ${escape(nodeId)}: what runs there now does not leave.`,
            ),
          ]),
        ]),
  ]
}

function stepText(step: Step): string {
  const nodeId = escape(step.nodeId)
  switch (step.kind) {
    case 'stop':
      return `Stop ${escape(step.role)} on ${nodeId}: ${stopText(step.why)}.`
    case 'fetch': {
      const { manifest, bytes, sources } = step.fetch
      return `Fetch ${escape(manifest.body.name)} (${formatBytes(bytes)}) to ${nodeId} from ${escape(sources[0] ?? 'Hugging Face')}.`
    }
    case 'start':
      return `Start ${escape(step.role)} on ${nodeId}.`
  }
}

function stopText(why: StopReason): string {
  switch (why.kind) {
    case 'not_planned':
      return 'the plan runs it nowhere'
    case 'moved':
      return `it runs on ${escape(why.to)} now`
    case 'makes_room':
      return `${escape(why.for)} needs its place; it is down until it starts on ${escape(why.to)}`
  }
}

function knotText({ waiting, stopped, room }: Knot): string {
  const moves = waiting
    .map(({ role, from, to }) => `${escape(role)} (${escape(from)} to ${escape(to)})`)
    .join(' and ')
  const help =
    room === null
      ? 'No room would spare it: an exclude is in the way.'
      : `${formatBytes(room.bytes)} more memory on ${escape(room.nodeId)} would spare it.`
  return `${moves} wait for each other, so ${escape(stopped)} stops early and is down for a while. ${help}`
}

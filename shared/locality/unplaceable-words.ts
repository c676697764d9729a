import { formatBytes, formatBytesApart, formatExactBytes } from '../bytes.ts'
import { plural } from '../listed.ts'
import { formatGib } from '../scenario/scenario.ts'
import type { Unplaceable } from './types.ts'

/** The reference's sentence for why a model cannot be placed (docs/reference.md N4). */
export function unplaceableMessage(unplaceable: Unplaceable): string {
  switch (unplaceable.reason) {
    case 'no_holder':
      return 'no node holds these weights; adopt them on a node first'
    case 'no_eligible_node':
      return 'no node passes the other placement constraints'
    case 'transfer_disabled':
      return 'weights are held elsewhere and allow_weight_transfer is off'
    case 'not_redistributable':
      return 'weights are held elsewhere and the manifest is not marked redistributable'
    case 'over_ceiling':
      return `transfer of ${unplaceable.bytes} bytes exceeds the ${unplaceable.max} byte ceiling`
    case 'no_space':
      return unplaceable.free === null
        ? `target needs ${unplaceable.needed} bytes free and its free space is unknown`
        : `target needs ${unplaceable.needed} bytes free, has ${unplaceable.free}`
  }
}

/** A sentence of the reference without the word that all of those begin with which say why a role runs nowhere. */
export function plainReason(message: string): string {
  return message.replace(/^unplaceable: /, '')
}

/** Why a model cannot be placed, in a person's words and units, as the end of a sentence. */
export function unplaceableText(unplaceable: Unplaceable): string {
  switch (unplaceable.reason) {
    case 'no_holder':
      return 'no node holds the whole model, so there is nothing to fetch from'
    case 'no_eligible_node':
      return 'no node passes the constraints'
    case 'transfer_disabled':
      return 'the weights are on a node that cannot run it, and weight transfer is off'
    case 'not_redistributable':
      return 'the weights are on a node that cannot run it, and they may not be copied (not redistributable)'
    case 'over_ceiling': {
      const [bytes, max] = formatBytesApart(unplaceable.bytes, unplaceable.max)
      return `${bytes} would have to move, over the ceiling of ${max} (${formatGib(unplaceable.max)})`
    }
    case 'no_space': {
      if (unplaceable.free === null)
        return `the best target needs ${formatBytes(unplaceable.needed)} free and its free space is unknown`
      const [needed, free] = formatBytesApart(unplaceable.needed, unplaceable.free)
      return `the best target needs ${needed} free and has ${free}`
    }
  }
}

/** Each reason, short enough for a badge. */
export const UNPLACEABLE_SHORT: Readonly<Record<Unplaceable['reason'], string>> = {
  no_holder: 'no holder',
  no_eligible_node: 'no eligible node',
  transfer_disabled: 'transfer is off',
  not_redistributable: 'not redistributable',
  over_ceiling: 'over the ceiling',
  no_space: 'no space',
}

/**
 * The exact figures behind {@link unplaceableText}, or where to look; null when it says it all.
 *
 * @param about how many nodes there are, who holds the model (as a clause), and what bars copying, as a sentence or null.
 */
export function unplaceableDetail(
  unplaceable: Unplaceable,
  { nodes, holding, bar }: { readonly nodes: number; readonly holding: string; readonly bar: string | null },
): string | null {
  switch (unplaceable.reason) {
    case 'transfer_disabled':
    case 'not_redistributable':
      return bar === null ? `${holding}.` : `${holding}. ${bar}`
    case 'no_eligible_node':
      return `${plural(nodes, 'node')} looked at; the constraints below say why each is out.`
    case 'no_holder':
      return 'Adopt the model on a node first.'
    case 'over_ceiling':
      return `${formatExactBytes(unplaceable.bytes)} against ${formatExactBytes(unplaceable.max)}.`
    case 'no_space':
      return unplaceable.free === null
        ? null
        : `${formatExactBytes(unplaceable.needed)} against ${formatExactBytes(unplaceable.free)}, headroom included.`
  }
}

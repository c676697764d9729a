import { parseDocument } from 'yaml'
import { decideIndexed } from '../../shared/locality/decide.ts'
import {
  freeBytesFromCapabilities,
  indexHolding,
  type IndexedHolding,
} from '../../shared/locality/holding.ts'
import { ShardCatalog } from '../../shared/locality/shard-catalog.ts'
import { ShardIndex } from '../../shared/locality/shard-index.ts'
import type { TransferPolicy } from '../../shared/locality/types.ts'
import { EMPTY_OVERLAY } from '../../shared/overlay/types.ts'
import { importRoster } from '../../shared/roster/import-roster.ts'
import { referenceDecide, referenceHolding } from '../support/reference-decide.ts'
import { bigHoldings, bigModel, bigRoster, capabilitiesOf, seeded } from './inputs.ts'
import type { BenchCase } from './measure.ts'

const POLICY: TransferPolicy = { allowWeightTransfer: true, maxBytes: null, freeHeadroomBytes: 2n ** 30n }
const PACKAGE_ID = 'a'.repeat(64)

/** The core's speeds, each against the plain way of doing the same. */
export function coreCases(): readonly BenchCase[] {
  const random = seeded(42)
  const model = bigModel(255, random)
  const holdings = bigHoldings(model, 10_000, random)
  const index = new ShardIndex(model)
  const indexed = holdings.map((holding) => indexHolding(index, holding))
  const capabilities = holdings.map((holding) => capabilitiesOf(holding, PACKAGE_ID))
  const roster = bigRoster(256)

  return [
    {
      name: 'decide 10000x255',
      run: () => {
        decideIndexed(index, indexed, POLICY, 'allowed')
      },
      baseline: () => void referenceDecide(model, holdings, POLICY, 'allowed'),
      against: 'a transliteration of the reference over sets of hashes',
    },
    {
      name: 'decide from capabilities 10000x255',
      run: () => {
        const fresh = new ShardIndex(model)
        const manifest = { packageId: PACKAGE_ID }
        const catalog = new ShardCatalog([manifest], () => fresh)
        const one = catalog.model(manifest)
        if (one === undefined) throw new Error('the catalog does not know its own model')
        const read = holdings.map(({ nodeId, eligible }, i): IndexedHolding => {
          const own = capabilities[i] ?? []
          const presence = catalog.presences(own).get(one) ?? one.nothing
          return { nodeId, eligible, freeBytes: freeBytesFromCapabilities(own), ...presence }
        })
        decideIndexed(fresh, read, POLICY, 'allowed')
      },
      baseline: () => {
        const read = holdings.map(({ nodeId, eligible }, i) =>
          referenceHolding(nodeId, PACKAGE_ID, model, capabilities[i] ?? [], eligible),
        )
        referenceDecide(model, read, POLICY, 'allowed')
      },
      against: 'a transliteration of the reference over strings',
    },
    {
      name: 'import 256',
      run: () => {
        if (!importRoster(roster, EMPTY_OVERLAY).ok) throw new Error('the bench roster does not import')
      },
      baseline: () => void parseDocument(roster),
      against: "the yaml library's bare parse of the same text",
    },
  ]
}

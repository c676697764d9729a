import type { Observation, ObservedAddress, ServedModel } from './types.ts'

/** {@link ServedModel} as it crosses from the host to the page: byte counts are decimal strings. */
type ServedModelJson = Omit<ServedModel, 'bytes'> & { readonly bytes: string | null }
type ObservationJson =
  | Exclude<Observation, { readonly kind: 'server' }>
  | (Omit<Extract<Observation, { readonly kind: 'server' }>, 'models'> & {
      readonly models: readonly ServedModelJson[]
    })
export type ObservedAddressJson = Omit<ObservedAddress, 'observation'> & {
  readonly observation: ObservationJson
}

/** What one round of asking saw. */
export interface LiveReport {
  /** Unix seconds at the end of the round. */
  readonly atSecs: number
  readonly addresses: readonly ObservedAddressJson[]
}

export function observedToJson({ observation, ...address }: ObservedAddress): ObservedAddressJson {
  if (observation.kind !== 'server') return { ...address, observation }
  const models = observation.models.map((model) => ({ ...model, bytes: model.bytes?.toString() ?? null }))
  return { ...address, observation: { ...observation, models } }
}

export function observedFromJson({ observation, ...address }: ObservedAddressJson): ObservedAddress {
  if (observation.kind !== 'server') return { ...address, observation }
  const models = observation.models.map((model) => ({
    ...model,
    bytes: model.bytes === null ? null : BigInt(model.bytes),
  }))
  return { ...address, observation: { ...observation, models } }
}

import { useEffect, useState, useSyncExternalStore } from 'react'

/**
 * A part of the window whose code is fetched apart. React's own `lazy` holds back what has arrived for a third of a
 * second after something else was waited for; this shows it at once.
 */
export interface LazyModule<T> {
  /** Fetches it, once; a fetch that failed is tried again with the next call. */
  readonly fetch: () => void
  readonly now: () => ArrivalState<T>
  /** Forgets that a fetch failed, for who wants to try again. */
  readonly forgive: () => void
  readonly subscribe: (listener: () => void) => () => void
}

type ArrivalState<T> = { readonly value: T } | { readonly error: unknown } | null

export function createLazyModule<T>(load: () => Promise<T>): LazyModule<T> {
  const listeners = new Set<() => void>()
  let state: ArrivalState<T> = null
  let isLoading = false
  const settle = (now: ArrivalState<T>): void => {
    state = now
    isLoading = false
    for (const listener of [...listeners]) listener()
  }
  return {
    fetch: () => {
      if (isLoading || (state !== null && 'value' in state)) return
      isLoading = true
      load().then(
        (value) => settle({ value }),
        (error: unknown) => settle({ error }),
      )
    },
    now: () => state,
    forgive: () => {
      if (state !== null && 'error' in state) state = null
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What has arrived, or null until then; it is fetched when it is `wanted`. Throws when it could not be fetched. */
export function useLazyModule<T>(module: LazyModule<T>, wanted = true): T | null {
  // Who is drawn afresh after it failed was asked by a person to try again.
  useState(module.forgive)
  const state = useSyncExternalStore(module.subscribe, module.now)
  useEffect(() => {
    if (wanted) module.fetch()
  }, [module, wanted])
  if (state === null) return null
  if ('error' in state) throw state.error
  return state.value
}

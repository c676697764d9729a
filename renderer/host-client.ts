import type { HostClient } from '../shared/host-api.ts'
import { createLoopbackClient } from './loopback-client.ts'

declare global {
  interface Window {
    /** What Electron's preload puts there; absent in a browser. */
    readonly labPlanner?: HostClient
  }
}

/**
 * The page's way to its host: Electron's bridge where there is one, else HTTP to the server that served the
 * page.
 */
export function createHostClient(): HostClient {
  return window.labPlanner ?? createLoopbackClient()
}

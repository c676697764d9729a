/** What a node starts its servers with, and therefore what a run book writes for it. */
export const START_KINDS = ['llama-swap', 'models-ini', 'systemd', 'launchd', 'kubernetes', 'none'] as const
export type StartKind = (typeof START_KINDS)[number]

/**
 * How a node is reached and where it keeps things, as its operator wrote it in `fleet.yaml`. Everything is optional
 * there: null or empty where nothing is written. Paths are absolute POSIX paths without `.` and `..`.
 */
export interface NodeSite {
  /** A host of the operator's own ssh configuration, perhaps with a user before it (`me@gpu-box`). */
  readonly ssh: string | null
  /** Folders with models, one folder a model; new ones go into the first. */
  readonly roots: readonly string[]
  /** The mount point that the first root must be on. */
  readonly mount: string | null
  readonly start: StartKind | null
  /** Program name → the absolute path of it on the node. */
  readonly programs: ReadonlyMap<string, string>
  /** Addresses that may be asked, read only: http or https, without a user or a password. */
  readonly urls: readonly string[]
  /** The name of the environment variable with the key for `urls`; the key itself is never written. */
  readonly keyEnv: string | null
}

/** A node of which nothing is written. */
export const EMPTY_SITE: NodeSite = {
  ssh: null,
  roots: [],
  mount: null,
  start: null,
  programs: new Map(),
  urls: [],
  keyEnv: null,
}

/** Two sites of one node: `later` counts where it says something. */
export function overrideSite(earlier: NodeSite, later: NodeSite): NodeSite {
  return {
    ssh: later.ssh ?? earlier.ssh,
    roots: later.roots.length > 0 ? later.roots : earlier.roots,
    mount: later.mount ?? earlier.mount,
    start: later.start ?? earlier.start,
    programs: new Map([...earlier.programs, ...later.programs]),
    urls: later.urls.length > 0 ? later.urls : earlier.urls,
    keyEnv: later.keyEnv ?? earlier.keyEnv,
  }
}

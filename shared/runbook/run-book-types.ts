import type { NamedText } from '../export/compare-export.ts'
import type { Lab } from '../lab/lab.ts'
import type { NodeSite } from '../node/node-site.ts'
import type { LabPlan } from '../plan/types.ts'
import type { NodeServers } from './node-servers.ts'
import type { Order } from './order.ts'
import type { RunningNode } from './running.ts'
import type { StartFiles } from './start-files.ts'
import type { ModelFetch } from './types.ts'

export interface RunBookInputs {
  readonly plan: LabPlan
  readonly lab: Pick<Lab, 'nodes' | 'shapes'>
  /** What runs now; null when that is not known. */
  readonly before: readonly RunningNode[] | null
}

/** One file of a run book; `nodeId` is null for one that is about all nodes. */
export interface RunBookFile extends NamedText {
  readonly nodeId: string | null
}

/** A file that could not be made. */
export interface MissingFile {
  readonly fileName: string
  readonly reason: string
  /** The lines of `fleet.yaml` that would help. */
  readonly add: readonly string[]
}

/** What one node has to do and to start. */
export interface NodeWork {
  readonly nodeId: string
  /** Its name in file names. */
  readonly stem: string
  readonly site: NodeSite
  readonly fetches: readonly ModelFetch[]
  readonly servers: NodeServers
  readonly start: StartFiles
}

/** How a lab gets from what it runs now to a plan, as files for a person and for the nodes. */
export interface RunBook {
  readonly planHash: string
  readonly order: Order
  /** Nodes that a role is planned on, in the plan's order. */
  readonly nodes: readonly NodeWork[]
  readonly missing: readonly MissingFile[]
  /** `RUNBOOK.md` first. */
  readonly files: readonly RunBookFile[]
}

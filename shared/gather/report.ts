import { z } from 'zod'
import type { MachineState, ProposedMachine } from './machines.ts'

/** One machine of the open lab as the page shows it. */
export interface MachineRow {
  readonly nodeId: string
  readonly ssh: string
  /** Folders with models; none: the machine's usual places. */
  readonly roots: readonly string[]
  /** When the facts that the lab has of it were made, in unix seconds; null where it has none. */
  readonly factsAt: number | null
  /** Null while it was not gathered since the lab was opened. */
  readonly state: MachineState | null
}

/** The machines of the open lab, and what is going on with them. */
export interface MachineReport {
  readonly machines: readonly MachineRow[]
  readonly running: boolean
  /** Hosts of the operator's ssh configuration that are no machines of the lab yet. */
  readonly proposed: readonly ProposedMachine[]
  /** Nodes that nothing says how to reach. */
  readonly others: readonly string[]
  /** The name of the lab's `fleet.yaml`, and of the folder of its facts. */
  readonly fleet: string
  /** Unix seconds, to tell the age of facts by. */
  readonly nowSecs: number
}

/** Hosts to be added: only those that were proposed are. */
export const addMachinesSchema = z.strictObject({ hosts: z.array(z.string().max(254)).min(1).max(256) })
/** Which machines are gathered; none named: all. */
export const gatherSchema = z.strictObject({ nodes: z.array(z.string().max(128)).max(10_000) })
/** Which machine is stopped; null: all. */
export const stopGatherSchema = z.strictObject({ node: z.string().max(128).nullable() })

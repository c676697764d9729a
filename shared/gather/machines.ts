import type { Lab } from '../lab/lab.ts'
import type { LabNode } from '../node/types.ts'
import { NODE_ID_RULE } from '../node/read-node-facts.ts'
import { nodeIdOf } from '../scan/node-facts-text.ts'
import type { Answerer } from './remote-command.ts'
import type { GatherProgress } from './messages.ts'

/** A machine that can be gathered: a node of `fleet.yaml` with `ssh`. */
export interface Machine {
  readonly nodeId: string
  /** A host of the operator's ssh configuration. */
  readonly ssh: string
  /** Folders with models; none: the machine's usual places. */
  readonly roots: readonly string[]
  /** When its facts were made, in unix seconds; null where the lab has none. */
  readonly factsAt: number | null
}

/** What is going on with one machine. */
export type MachineState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'working'; readonly progress: GatherProgress }
  | {
      readonly kind: 'gathered'
      readonly by: Answerer
      readonly file: string
      /** Whole models that it holds. */
      readonly models: number
      /** Files of manifests that were new to the lab. */
      readonly manifests: readonly string[]
      /** What a person should know, a line each. */
      readonly notes: readonly string[]
    }
  /** Its facts are as they were before. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' }

/** The machines of a lab that can be gathered, in the order of its nodes. */
export function labMachines({ nodes }: Lab): readonly Machine[] {
  return nodes.flatMap((node) => machineOf(node) ?? [])
}

function machineOf({ nodeId, declared, facts }: LabNode): Machine | null {
  const site = declared?.site
  const ssh = site?.ssh ?? null
  if (site === undefined || ssh === null) return null
  return { nodeId, ssh, roots: site.roots, factsAt: facts?.issuedAt ?? null }
}

/** Nodes of a lab that cannot be gathered, since nothing says how they are reached. */
export function unreachedNodes({ nodes }: Lab): readonly string[] {
  return nodes.flatMap(({ nodeId, declared }) => ((declared?.site?.ssh ?? null) === null ? [nodeId] : []))
}

/** A host of the ssh configuration that is no machine of the lab yet. */
export interface ProposedMachine {
  readonly host: string
  readonly nodeId: string
}

/** Hosts that serve code are reached by ssh as well, and run no models. */
const NO_MACHINES = /(?:^|\.)(?:github|gitlab|bitbucket|codeberg|sr\.ht|ssh\.dev\.azure)(?:\.|$)/i

/** The machines that `hosts` of an ssh configuration could be, those that the lab has left out. */
export function proposedMachines(hosts: readonly string[], lab: Lab): readonly ProposedMachine[] {
  const known = new Set(labMachines(lab).map(({ ssh }) => ssh.replace(/^.*@/, '')))
  const proposals = new Map<string, ProposedMachine>()
  for (const host of hosts) {
    const nodeId = nodeIdOf(host)
    if (known.has(host) || NO_MACHINES.test(host) || nodeId === null || !NODE_ID_RULE.test(nodeId)) continue
    if (!proposals.has(nodeId)) proposals.set(nodeId, { host, nodeId })
  }
  return [...proposals.values()]
}

/** What a person reads of a state. */
export function stateWords(state: MachineState): string {
  switch (state.kind) {
    case 'waiting':
      return 'waits'
    case 'connecting':
      return 'connects'
    case 'working':
      return STAGE_WORDS[state.progress.stage]
    case 'gathered': {
      const how = BY_WORDS[state.by]
      const models = state.by === 'sh' ? 'no models looked at' : modelsWords(state.models)
      return `${models}, ${how}`
    }
    case 'failed':
      return state.reason
    case 'stopped':
      return 'stopped'
  }
}

const STAGE_WORDS: Readonly<Record<GatherProgress['stage'], string>> = {
  finding: 'looks for models',
  hashing: 'hashes',
  probing: 'asks for hardware',
}

const BY_WORDS: Readonly<Record<Answerer, string>> = {
  'lab-planner': 'by the Lab Planner there',
  node: 'by Node there',
  sh: 'by its shell',
}

function modelsWords(count: number): string {
  return count === 1 ? '1 whole model' : `${count} whole models`
}

/** How old facts are, for a person. */
export function ageWords(factsAt: number, nowSecs: number): string {
  const hours = Math.max(0, Math.floor((nowSecs - factsAt) / 3600))
  if (hours < 1) return 'less than an hour old'
  if (hours < 48) return hours === 1 ? '1 hour old' : `${hours} hours old`
  return `${Math.floor(hours / 24)} days old`
}

/** What becomes of the facts of a machine that did not answer. */
export function keptFactsWords(factsAt: number | null, nowSecs: number): string {
  return factsAt === null
    ? 'the lab has no facts of it'
    : `its old facts stay, stale: ${ageWords(factsAt, nowSecs)}`
}

import { LATENCY_TRAITS } from '../inference-spec.ts'
import { stringify } from 'yaml'
import type { Budget, Instance } from '../placement/ledger.ts'
import { madeBy } from '../export/made-by.ts'
import { residentSets, type ResidentSets } from './resident-sets.ts'
import { shellQuote } from './shell-quote.ts'
import type { Server } from './server.ts'

export interface LlamaSwapInputs {
  readonly nodeId: string
  readonly budget: Budget | null
  /** What the plan runs here. */
  readonly planned: readonly SwapMember[]
  /** What is held here and had no room: it is loaded when it is asked for, in place of others. */
  readonly onDemand: readonly SwapMember[]
  readonly planHash: string
}

interface SwapMember {
  readonly server: Server
  readonly instance: Instance
}

/** The costs of stopping a server for another one, which llama-swap weighs; 1 is what it takes by itself. */
const STICKY_COST = 100
const INTERACTIVE_COST = 10

/**
 * A `config.yaml` of llama-swap whose matrix lets exactly those servers be resident together that the node's ledger
 * admits, excludes included. Sticky and interactive roles of the plan are loaded at its start.
 */
export function llamaSwapFile({ nodeId, budget, planned, onDemand, planHash }: LlamaSwapInputs): {
  readonly text: string
  readonly sets: ResidentSets
} {
  const sets = residentSets(
    budget,
    [...planned, ...onDemand].map(({ instance }) => instance),
    planned.map(({ instance }) => instance.name),
  )
  const members = [...planned, ...onDemand].filter(({ instance }) => !sets.tooLarge.includes(instance.name))
  const shortNames = new Map(members.map(({ instance }, i) => [instance.name, `m${i + 1}`]))
  const costs = members.flatMap(({ instance, server }): [string, number][] => {
    const cost = evictCost(server)
    return cost === 1 ? [] : [[shortNames.get(instance.name) ?? '', cost]]
  })
  const preload = planned
    .filter(({ server, instance }) => evictCost(server) > 1 && shortNames.has(instance.name))
    .map(({ instance }) => instance.name)
  const config = {
    healthCheckTimeout: 600,
    models: Object.fromEntries(members.map(({ server, instance }) => [instance.name, modelEntry(server)])),
    ...(members.length === 0
      ? {}
      : {
          routing: {
            router: {
              use: 'matrix',
              settings: {
                matrix: {
                  vars: Object.fromEntries(
                    members.map(({ instance: { name } }) => [shortNames.get(name) ?? '', name]),
                  ),
                  ...(costs.length === 0 ? {} : { evict_costs: Object.fromEntries(costs) }),
                  sets: Object.fromEntries(
                    sets.sets.map((set, i) => [
                      `together${i + 1}`,
                      set.map((name) => shortNames.get(name) ?? '').join(' & '),
                    ]),
                  ),
                },
              },
            },
          },
        }),
    ...(preload.length === 0 ? {} : { hooks: { on_startup: { preload } } }),
  }
  return { text: `# ${madeBy(nodeId, planHash)}\n${yamlText(config)}`, sets }
}

function modelEntry({
  program,
  args,
  env,
  host,
  port,
  health,
  modelName,
  imported,
  manifest,
}: Server): object {
  const { sticky } = imported.spec
  return {
    cmd: [program, ...args].map(shellQuote).join(' '),
    proxy: `http://${host}:${port}`,
    checkEndpoint: health,
    description: manifest.body.name,
    ...(modelName === null ? {} : { useModelName: modelName }),
    ...(env.length === 0 ? {} : { env: env.map(([name, value]) => `${name}=${value}`) }),
    ...(sticky ? { ttl: 0 } : {}),
  }
}

function evictCost({ imported: { spec } }: Server): number {
  if (spec.sticky) return STICKY_COST
  return LATENCY_TRAITS[spec.latencyClass].hasBound ? INTERACTIVE_COST : 1
}

/** A server that a front passes requests on to. */
export interface Peer {
  readonly id: string
  readonly url: string
  readonly models: readonly string[]
}

/** A `config.yaml` of a llama-swap that runs nothing itself and passes requests on to the nodes. */
export function frontFile(peers: readonly Peer[], planHash: string): string {
  const config = {
    models: {},
    peers: Object.fromEntries(peers.map(({ id, url, models }) => [id, { proxy: url, models: [...models] }])),
  }
  return `# ${madeBy('the front of all nodes', planHash)}\n${yamlText(config)}`
}

/** Every text is quoted: a role called `on` or `1_000` is something else to readers of older YAML. */
function yamlText(value: object): string {
  return stringify(value, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE', lineWidth: 0 })
}

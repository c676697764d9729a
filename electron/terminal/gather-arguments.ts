import { InvalidArgumentError, Option, type Command } from 'commander'
import { GATHER_PROTOCOL } from '../../shared/gather/messages.ts'
import { DEFAULT_LAB } from '../host/paths.ts'
import { parseThreads, THREADS_WORDS } from './option-values.ts'
import type { ScanInvocation } from './scan-arguments.ts'

/** Gathers the facts of the lab's machines over ssh. */
export interface ScanLabInvocation {
  readonly command: 'scan lab'
  readonly lab: string
  /** Only these nodes; none: all that `fleet.yaml` says how to reach. */
  readonly nodes: readonly string[]
  /** Hosts of the ssh configuration to be added to `fleet.yaml` first. */
  readonly add: readonly string[]
  readonly measureLinks: boolean
  /** How many threads of each machine hash; null: half of its cores. */
  readonly threads: number | null
  readonly json: boolean
}

/** Answers a question of a planner elsewhere about this machine; `can` only asks whether that protocol is known. */
export interface ScanAnswerInvocation {
  readonly command: 'scan answer'
  readonly can: number | null
}

interface RawLabOptions {
  readonly lab: string
  readonly add?: readonly string[]
  readonly measureLinks?: true
  readonly threads?: number
  readonly json?: true
}

/** Adds `scan lab` and `scan answer` to the command `scan`. */
export function addGatherCommands(scan: Command, run: (invocation: ScanInvocation) => void): void {
  scan
    .command('lab')
    .description('gather the facts of all machines that fleet.yaml names an `ssh` host for, side by side')
    .argument('[nodes...]', 'only these nodes')
    .option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
    .option('--add <host>', 'add a host of your ssh configuration to fleet.yaml first (repeatable)', addHost)
    .option('--measure-links', 'measure the network between machines and write link_mbps into fleet.yaml')
    .option('--threads <n>', `on each machine, ${THREADS_WORDS}`, parseThreads)
    .option('--json', 'write JSON to standard output')
    .addHelpText('after', LAB_HELP)
    .action((nodes: readonly string[], raw: RawLabOptions) => {
      run({
        command: 'scan lab',
        lab: raw.lab,
        nodes,
        add: raw.add ?? [],
        measureLinks: raw.measureLinks ?? false,
        threads: raw.threads ?? null,
        json: raw.json ?? false,
      })
    })
  scan
    .command('answer', { hidden: true })
    .description('answer a question from standard input about this machine (used by `scan lab` elsewhere)')
    .addOption(
      new Option('--can <protocol>', 'only say by the exit code whether it is known').argParser(
        parseProtocol,
      ),
    )
    .action((raw: { readonly can?: number }) => {
      run({ command: 'scan answer', can: raw.can ?? null })
    })
}

const LAB_HELP = `
The system's own ssh is used, with your configuration, keys and agent; nothing is asked for, and no
host key is accepted. Machines with Lab Planner or Node 20.19 are asked for hardware and models; on
the others a shell script looks at the hardware. Nothing is left there but the hashes of weight files
(scan.json in the settings of the account), so that the next time takes seconds. A machine that does
not answer keeps the facts it has.`

function addHost(host: string, before: readonly string[] = []): readonly string[] {
  if (!/^[A-Za-z0-9_][A-Za-z0-9@._-]{0,253}$/.test(host)) {
    throw new InvalidArgumentError('It must be a host of your ssh configuration, such as gpu-box.')
  }
  return [...before, host]
}

function parseProtocol(text: string): number {
  if (text !== String(GATHER_PROTOCOL)) {
    throw new InvalidArgumentError(`Only protocol ${GATHER_PROTOCOL} is known.`)
  }
  return GATHER_PROTOCOL
}

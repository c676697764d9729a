import { randomBytes } from 'node:crypto'
import { hardwareScript, hardwareSections } from '../../../shared/gather/hardware-script.ts'
import type { Machine, MachineState } from '../../../shared/gather/machines.ts'
import {
  askedModelOf,
  GATHER_PROTOCOL,
  messageSchema,
  type GatherAnswer,
  type GatherMessage,
  type Question,
} from '../../../shared/gather/messages.ts'
import type { Answerer } from '../../../shared/gather/remote-command.ts'
import { nodeCapabilities } from '../../../shared/scan/node-capabilities.ts'
import { nodeFactsText } from '../../../shared/scan/node-facts-text.ts'
import { mapBounded } from '../map-bounded.ts'
import { probeMachine } from '../scan/probe-machine.ts'
import { labManifests, type ScanLab } from '../scan/scan-lab.ts'
import { answerKeeper } from './keep-answer.ts'
import { scriptedMachine } from './scripted-machine.ts'
import { askOverSsh, type SshTimes } from './ssh-session.ts'

export interface GatherOptions {
  readonly lab: ScanLab
  readonly machines: readonly Machine[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The text of the planner's one file for machines that have Node only. */
  readonly agent: () => Promise<string>
  /** Unix seconds. */
  readonly nowSecs: () => number
  /** Stops all of them. */
  readonly signal: AbortSignal
  /** Stops one of them. */
  readonly signalOf?: (nodeId: string) => AbortSignal
  readonly onState: (nodeId: string, state: MachineState) => void
  /** How many threads of each machine hash; left out: half of its cores. */
  readonly threads?: number
  readonly times?: SshTimes
}

/** Processes of ssh at a time: more than most labs have machines, and few enough for any system. */
const MACHINES_AT_A_TIME = 32

/**
 * Gathers all machines side by side over the system's ssh and writes the facts of each that answers into the lab, as
 * soon as it does. One that does not answer keeps the facts it has. Returns the last state of each, in their order.
 */
export async function gatherLab(options: GatherOptions): Promise<readonly MachineState[]> {
  const { lab, machines, onState, nowSecs } = options
  const keeper = answerKeeper(lab, nowSecs)
  for (const { nodeId } of machines) onState(nodeId, { kind: 'waiting' })
  return mapBounded(machines, MACHINES_AT_A_TIME, async (machine) => {
    const { nodeId } = machine
    const signals = [options.signal, ...(options.signalOf ? [options.signalOf(nodeId)] : [])]
    const signal = AbortSignal.any(signals)
    const asked = signal.aborted ? STOPPED : await askMachine(machine, signal, options)
    const state = asked.kind === 'answer' ? await keeper.keep(machine, asked.by, asked.answer) : asked
    onState(nodeId, state)
    return state
  })
}

const STOPPED = { kind: 'stopped' } as const

type Asked =
  | { readonly kind: 'answer'; readonly by: Answerer; readonly answer: GatherAnswer }
  | Extract<MachineState, { kind: 'failed' | 'stopped' }>

/** Asks one machine; whatever it does, there is an end of it. */
async function askMachine(machine: Machine, signal: AbortSignal, options: GatherOptions): Promise<Asked> {
  const { nodeId, ssh } = machine
  const { env, agent, onState, times } = options
  const mark = randomBytes(16).toString('hex')
  const question = questionOf(machine, mark, options)
  const hardware: string[] = []
  const got: { by: Answerer; message: GatherMessage | null } = { by: 'sh', message: null }
  onState(nodeId, { kind: 'connecting' })
  const end = await askOverSsh({
    host: ssh,
    mark,
    env,
    signal,
    inputFor: async (answerer) => {
      got.by = answerer
      switch (answerer) {
        case 'lab-planner':
          return JSON.stringify(question)
        case 'node':
          return scriptFor(await agent(), question)
        case 'sh':
          return hardwareScript(mark)
      }
    },
    onLine: (line, answerer) => {
      if (answerer === 'sh') {
        if (line === 'end') return true
        hardware.push(line)
        return false
      }
      const message = readMessage(line)
      if (message?.kind === 'progress') onState(nodeId, { kind: 'working', progress: message })
      else got.message = message
      return message !== null && message.kind !== 'progress'
    },
    ...(times && { times }),
  })
  if (end.kind !== 'answered') return end
  const { by, message } = got
  if (by === 'sh') return { kind: 'answer', by, answer: await hardwareAnswer(nodeId, hardware) }
  if (message?.kind === 'answer') return { kind: 'answer', by, answer: message }
  return { kind: 'failed', reason: message?.kind === 'failed' ? message.reason : 'it gave no answer' }
}

function questionOf({ nodeId, roots }: Machine, mark: string, { lab, threads }: GatherOptions): Question {
  return {
    ...{ protocol: GATHER_PROTOCOL, mark, nodeId, roots: [...roots] },
    ...(threads !== undefined && { threads }),
    models: labManifests(lab.lab).map(askedModelOf),
    entries: (lab.lab.roster?.entries ?? []).map(({ id, name, repo }) => ({ id, name, repo })),
  }
}

/**
 * The agent's file with a call behind it. It stands in a function, whose text is what its threads are started from: the
 * file comes from standard input and is nowhere to be read again.
 */
function scriptFor(agent: string, question: Question): string {
  const call = '({}, require)'
  const text = JSON.stringify(JSON.stringify(question))
  return `function agent(exports, require) {${agent}\n;return exports}\nagent${call}.run(${text}, '(' + agent + ')${call}')\n`
}

function readMessage(line: string): GatherMessage | null {
  try {
    const read = messageSchema.safeParse(JSON.parse(line))
    if (read.success) return read.data
    return { kind: 'failed', reason: 'its answer is not understood: is its Lab Planner of another version?' }
  } catch {
    return null
  }
}

/** What the hardware script said, as an answer without models. */
async function hardwareAnswer(nodeId: string, lines: readonly string[]): Promise<GatherAnswer> {
  const probes = await probeMachine(scriptedMachine(hardwareSections(lines)))
  const advertised = nodeCapabilities({ ...probes, models: [], awayMounts: [] })
  const facts = nodeFactsText({ nodeId, issuedAt: 0, previousSeq: null }, advertised)
  return { kind: 'answer', facts, manifests: [], shapes: [], leftOut: [] }
}

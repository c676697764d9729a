import { readFile } from 'node:fs/promises'
import { jsonText, type JsonInput } from '../../shared/json/json-text.ts'
import { plural } from '../../shared/listed.ts'
import {
  keptFactsWords,
  labMachines,
  proposedMachines,
  stateWords,
  unreachedNodes,
  type Machine,
  type MachineState,
} from '../../shared/gather/machines.ts'
import { nodeIdOf } from '../../shared/scan/node-facts-text.ts'
import { addMachines } from '../host/gather/fleet-file.ts'
import { gatherLab } from '../host/gather/gather-lab.ts'
import { sshConfigHosts } from '../host/gather/ssh-hosts.ts'
import { labPathsByConvention } from '../host/paths.ts'
import { openScanLab, type ScanLab } from '../host/scan/scan-lab.ts'
import { installedFiles } from '../installed-files.ts'
import type { ScanLabInvocation } from './gather-arguments.ts'
import { gatherLine } from './gather-progress.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { complain, ofSeverity, reportProblems, writeLines } from './report.ts'
import { interruptible } from './scan-found.ts'
import { measureAndWrite } from './scan-links.ts'
import { styleFor, type Style } from './style.ts'
import { hang, printable } from './width.ts'

/** `scan lab`: the facts of all machines of the lab, over ssh. */
export async function scanLabCommand(invocation: ScanLabInvocation, io: CliIo): Promise<ExitCode> {
  const lab = await openWith(invocation, io)
  if (lab === null) return EXIT.badInput
  const all = labMachines(lab.lab)
  const strangers = invocation.nodes.filter((nodeId) => !all.some((machine) => machine.nodeId === nodeId))
  for (const nodeId of strangers) {
    complain(`${nodeId} is no node that ${lab.paths.fleet.shown} has an \`ssh\` host for`, io)
  }
  if (strangers.length > 0) return EXIT.badInput
  const machines = all.filter(
    ({ nodeId }) => invocation.nodes.length === 0 || invocation.nodes.includes(nodeId),
  )
  if (machines.length === 0) {
    await tellNone(lab, io)
    return EXIT.badInput
  }
  const states = await gather(machines, lab, invocation, io)
  if (invocation.json) io.stdout(`${jsonText(statesJson(machines, states, io.nowSecs), 2)}\n`)
  else writeLines([summary(states), ...otherNodes(lab, invocation)], io)
  if (states.some(({ kind }) => kind === 'stopped')) return EXIT.interrupted
  const linksFault = invocation.measureLinks ? await measureAndWrite(machines, states, lab, io) : false
  return linksFault || states.some(({ kind }) => kind === 'failed') ? EXIT.badInput : EXIT.fine
}

/** The lab, with the hosts that were to be added to it first; null when that cannot be. */
async function openWith({ lab: dir, add }: ScanLabInvocation, io: CliIo): Promise<ScanLab | null> {
  const paths = labPathsByConvention(dir, {}, { cwd: io.cwd, home: io.homeDir })
  const lab = await openScanLab(paths)
  if (lab.fault !== null) {
    complain(lab.fault, io)
    return null
  }
  if (add.length === 0) {
    reportProblems(ofSeverity(lab.lab.problems, 'error'), () => undefined, io)
    return lab
  }
  const machines = add.map((host) => ({ host, nodeId: nodeIdOf(host.replace(/^.*@/, '')) ?? host }))
  const fault = await addMachines(paths, machines)
  if (fault !== null) {
    complain(fault, io)
    return null
  }
  io.stderr(`lab-planner: ${printable(paths.fleet.shown)} has ${add.map(printable).join(', ')} now\n`)
  return openScanLab(paths)
}

/** Says how machines are named, and which the ssh configuration has. */
async function tellNone(lab: ScanLab, io: CliIo): Promise<void> {
  const { shown } = lab.paths.fleet
  const proposals = proposedMachines(await sshConfigHosts(io.homeDir), lab.lab)
  if (proposals.length === 0) {
    complain(`no node of ${shown} has an \`ssh\` host: add one, such as \`ssh: gpu-box\``, io)
    return
  }
  const some = proposals.slice(0, 20).map(({ host }) => host)
  const more = proposals.length > some.length ? ` and ${proposals.length - some.length} more` : ''
  complain(
    `no node of ${shown} has an \`ssh\` host. Your ssh configuration has ${some.join(', ')}${more}: add those that run models with --add, such as --add ${some[0] ?? ''}`,
    io,
  )
}

async function gather(
  machines: readonly Machine[],
  lab: ScanLab,
  { json, threads }: ScanLabInvocation,
  io: CliIo,
): Promise<readonly MachineState[]> {
  const line = gatherLine(machines.length, io)
  const style = styleFor('stdout', io)
  const byId = new Map(machines.map((machine) => [machine.nodeId, machine]))
  const states = await interruptible(io, (signal) =>
    gatherLab({
      lab,
      machines,
      env: io.env,
      agent: () => readFile(installedFiles(import.meta.dirname).agent, 'utf8'),
      nowSecs: () => Math.floor(Date.now() / 1000),
      signal,
      ...(threads !== null && { threads }),
      onState: (nodeId, state) => {
        line.show(nodeId, state)
        const machine = byId.get(nodeId)
        if (json || machine === undefined || !isEnd(state)) return
        line.clear()
        writeLines(machineLines(machine, state, io, style), io)
      },
    }),
  )
  line.clear()
  return states
}

function isEnd({ kind }: MachineState): boolean {
  return kind === 'gathered' || kind === 'failed' || kind === 'stopped'
}

function machineLines(machine: Machine, state: MachineState, io: CliIo, style: Style): string[] {
  const width = outputWidth(io)
  const head = `${machine.nodeId}  `
  const words = printable(stateWords(state))
  switch (state.kind) {
    case 'gathered':
      return [
        ...hang(head, `${words}: ${printable(state.file)}`, width).map(style.yes),
        ...state.manifests.flatMap((file) => hang('  ', `wrote ${printable(file)}`, width)),
        ...state.notes.flatMap((note) => hang('  ', `note: ${printable(note)}`, width).map(style.warning)),
      ]
    case 'failed':
    case 'stopped':
      return [
        ...hang(head, words, width).map(state.kind === 'failed' ? style.no : style.warning),
        ...hang('  ', keptFactsWords(machine.factsAt, io.nowSecs), width),
      ]
    case 'waiting':
    case 'connecting':
    case 'working':
      return []
  }
}

function summary(states: readonly MachineState[]): string {
  const count = (kind: MachineState['kind']): number => states.filter((state) => state.kind === kind).length
  const parts = [
    [count('gathered'), 'gathered'],
    [count('failed'), 'did not answer'],
    [count('stopped'), 'stopped'],
  ] as const
  const counts = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  return `${plural(states.length, 'machine')}: ${counts.join(', ')}.`
}

function otherNodes({ lab, paths }: ScanLab, { nodes }: ScanLabInvocation): readonly string[] {
  const others = unreachedNodes(lab)
  if (nodes.length > 0 || others.length === 0) return []
  const some = others.length > 8 ? plural(others.length, 'node') : others.join(', ')
  return [`Not gathered, since ${paths.fleet.shown} has no \`ssh\` for them: ${some}.`]
}

function statesJson(
  machines: readonly Machine[],
  states: readonly MachineState[],
  nowSecs: number,
): JsonInput {
  return {
    machines: machines.map(({ nodeId, ssh, factsAt }, i) => {
      const state = states[i] ?? { kind: 'stopped' as const }
      const gathered = state.kind === 'gathered' ? state : null
      return {
        node: nodeId,
        ssh,
        state: state.kind,
        by: gathered?.by,
        file: gathered?.file,
        whole_models: gathered?.models,
        manifests: gathered ? [...gathered.manifests] : undefined,
        notes: gathered ? [...gathered.notes] : undefined,
        reason: state.kind === 'failed' ? state.reason : undefined,
        stale_facts: gathered ? undefined : keptFactsWords(factsAt, nowSecs),
      }
    }),
  }
}

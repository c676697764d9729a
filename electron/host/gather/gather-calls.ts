import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  labMachines,
  proposedMachines,
  unreachedNodes,
  type MachineState,
} from '../../../shared/gather/machines.ts'
import type { MachineReport } from '../../../shared/gather/report.ts'
import { EMPTY_SITE } from '../../../shared/node/node-site.ts'
import { siteFields } from '../../../shared/node/site-fields.ts'
import { siteFault } from '../../../shared/node/edit-site.ts'
import { answer, NO_LAB, failed } from '../answers.ts'
import type { HostImplementation } from '../dispatch.ts'
import type { LabSource } from '../lab-source.ts'
import { openScanLab, type ScanLab } from '../scan/scan-lab.ts'
import { addMachines, writeSite } from './fleet-file.ts'
import { gatherLab } from './gather-lab.ts'
import { sshConfigHosts } from './ssh-hosts.ts'

export interface GatherParts {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The planner's one file for machines that have Node only; null where it was not built. */
  readonly agent: string | null
  readonly lab: () => LabSource | null
  readonly tell: (report: MachineReport) => void
}

export interface GatherCalls extends Pick<
  HostImplementation,
  'machines' | 'addMachines' | 'setSite' | 'startGather' | 'stopGather'
> {
  /** Stops what runs, and waits for its end. */
  readonly close: () => Promise<void>
}

/** How often the page is shown what goes on, in milliseconds. */
const TELL_EVERY_MS = 200

interface Running {
  readonly all: AbortController
  readonly each: Map<string, AbortController>
  readonly ended: Promise<void>
}

/** The calls about the lab's machines; one gathering runs at a time. */
export function gatherCalls(parts: GatherParts): GatherCalls {
  const { home, env, tell } = parts
  /** Last states, by node, of the lab in that folder. */
  let states: { readonly lab: string; readonly byNode: Map<string, MachineState> } | null = null
  let running: Running | null = null

  const statesOf = (source: LabSource): Map<string, MachineState> => {
    const { path } = source.paths.lab
    if (states?.lab !== path) states = { lab: path, byNode: new Map() }
    return states.byNode
  }
  const report = async (source: LabSource, opened?: ScanLab): Promise<MachineReport> => {
    const { lab } = opened ?? (await openScanLab(source.paths))
    const known = statesOf(source)
    return {
      machines: labMachines(lab).map((machine) => ({ ...machine, state: known.get(machine.nodeId) ?? null })),
      running: running !== null,
      proposed: proposedMachines(await sshConfigHosts(home), lab),
      others: unreachedNodes(lab),
      fleet: source.paths.fleet.shown,
      nowSecs: Math.floor(Date.now() / 1000),
    }
  }
  /** Gathers in the background. The lab is read again at the end, for its new facts. */
  const run = async (
    source: LabSource,
    opened: ScanLab,
    nodes: readonly string[],
    own: Omit<Running, 'ended'>,
  ): Promise<void> => {
    const known = statesOf(source)
    const machines = labMachines(opened.lab).filter(({ nodeId }) => nodes.includes(nodeId))
    const before = await report(source, opened)
    const show = (): void => {
      const rows = before.machines.map((row) => ({ ...row, state: known.get(row.nodeId) ?? null }))
      tell({ ...before, machines: rows, running: true })
    }
    let shownAt = 0
    await gatherLab({
      ...{ lab: opened, machines, env, signal: own.all.signal },
      agent: () =>
        parts.agent === null ? Promise.reject(new Error(NO_AGENT)) : readFile(parts.agent, 'utf8'),
      nowSecs: () => Math.floor(Date.now() / 1000),
      signalOf: (nodeId) => {
        const controller = own.each.get(nodeId) ?? new AbortController()
        own.each.set(nodeId, controller)
        return controller.signal
      },
      onState: (nodeId, state) => {
        known.set(nodeId, state)
        const now = performance.now()
        if (state.kind === 'working' && now - shownAt < TELL_EVERY_MS) return
        shownAt = now
        show()
      },
    })
  }
  return {
    machines: async () => {
      const source = parts.lab()
      return source === null ? NO_LAB : answer(await report(source))
    },
    addMachines: async ({ hosts }) => {
      const source = parts.lab()
      if (source === null) return NO_LAB
      if (source.readOnly !== null) return failed('io', `Nothing can be written here. ${source.readOnly}`)
      const { proposed } = await report(source)
      const chosen = proposed.filter(({ host }) => hosts.includes(host))
      if (chosen.length < hosts.length) {
        return failed('bad_arguments', 'Those hosts are not in your ssh configuration any more.')
      }
      const fault = await addMachines(source.paths, chosen)
      return fault === null ? answer(await report(source)) : failed('io', fault)
    },
    setSite: async ({ node, before, site }) => {
      const source = parts.lab()
      if (source === null) return NO_LAB
      if (source.readOnly !== null) return failed('io', `Nothing can be written here. ${source.readOnly}`)
      const { lab } = await openScanLab(source.paths)
      const known = lab.nodes.find(({ nodeId }) => nodeId === node)
      if (known === undefined) return failed('bad_arguments', 'That node is not in the lab any more.')
      const { site: written = EMPTY_SITE } = known.declared ?? {}
      if (!isDeepStrictEqual(siteFields(written), before))
        return failed('io', `${source.paths.fleet.shown} was changed meanwhile. Look at it again, then edit.`)
      // A page that went bad must not choose where the operator's keys are shown.
      const host = site.ssh?.replace(/^[^@]*@/, '')
      const isKnownHost = site.ssh === null || site.ssh === written.ssh
      if (!isKnownHost && !(await sshConfigHosts(home)).includes(host ?? ''))
        return failed('bad_arguments', `${host ?? ''} is not in your ssh configuration: add it there first.`)
      const wrong = siteFault(site)
      if (wrong !== null) return failed('bad_arguments', wrong)
      const fault = await writeSite(source.paths, node, site)
      return fault === null ? answer(await report(source)) : failed('io', fault)
    },
    startGather: async ({ nodes }) => {
      const source = parts.lab()
      if (source === null) return NO_LAB
      if (source.readOnly !== null) return failed('io', `Nothing can be written here. ${source.readOnly}`)
      if (running !== null) return failed('refused', 'Machines are being gathered. Wait, or stop them.')
      const opened = await openScanLab(source.paths)
      if (opened.fault !== null) return failed('io', opened.fault)
      const all = labMachines(opened.lab).map(({ nodeId }) => nodeId)
      const chosen = nodes.length === 0 ? all : all.filter((nodeId) => nodes.includes(nodeId))
      if (chosen.length === 0) return failed('bad_arguments', 'Choose machines to gather.')
      const own = { all: new AbortController(), each: new Map<string, AbortController>() }
      const over = async (): Promise<void> => {
        running = null
        tell(await report(source))
      }
      const ended = Promise.resolve()
        .then(() => run(source, opened, chosen, own))
        .then(over, over)
        .catch(() => undefined)
      running = { ...own, ended }
      return answer(null)
    },
    stopGather: ({ node }) => {
      if (node === null) running?.all.abort()
      else running?.each.get(node)?.abort()
      return answer(null)
    },
    close: async () => {
      running?.all.abort()
      await running?.ended
    },
  }
}

const NO_AGENT = 'the file for machines with Node was not built'

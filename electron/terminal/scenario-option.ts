import { resolve } from 'node:path'
import { MAX_SCENARIO_BYTES, readScenarioFile } from '../../shared/scenario/scenario-file.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Problem } from '../../shared/problem.ts'
import { TextLines } from '../../shared/text-lines.ts'
import { expandHome, shortenHome, STDIN_NAME } from '../host/paths.ts'
import { decodeText, readTextFile } from '../host/read-text-file.ts'
import type { CliIo } from './io.ts'
import { reportProblems } from './report.ts'

/** What the command line itself says of the scenario; each counts before a scenario file's word. */
export interface ScenarioFlags {
  readonly allowTransfer?: true
  /** Bytes. */
  readonly maxGib?: bigint
  /** Bytes. */
  readonly headroomGib?: bigint
  readonly vetoSharing?: true
  readonly forceNode?: ReadonlyMap<string, 'in' | 'out'>
  readonly requireFreshFacts?: true
  /** Unix seconds. */
  readonly now?: number
}

/** `base` with what the command line says; facts are judged by the clock unless one of the two names a time. */
export function underFlags(
  flags: ScenarioFlags,
  nowSecs: number,
  base: Scenario = DEFAULT_SCENARIO,
): Scenario {
  return {
    ...base,
    policy: {
      allowWeightTransfer: flags.allowTransfer ?? base.policy.allowWeightTransfer,
      maxBytes: flags.maxGib ?? base.policy.maxBytes,
      freeHeadroomBytes: flags.headroomGib ?? base.policy.freeHeadroomBytes,
    },
    sharingVeto: flags.vetoSharing ?? base.sharingVeto,
    requireFreshFacts: flags.requireFreshFacts ?? base.requireFreshFacts,
    nowSecs: flags.now ?? base.nowSecs ?? nowSecs,
    forcedNodes: new Map([...base.forcedNodes, ...(flags.forceNode ?? [])]),
  }
}

/** Reads the scenario file `name` (`-`: standard input). What is wrong with it is reported; then there is none. */
export async function openScenario(name: string, io: CliIo): Promise<Scenario | null> {
  const file = name === STDIN_NAME ? '<stdin>' : shortenHome(expandHome(name, io.homeDir), io.homeDir)
  const read =
    name === STDIN_NAME
      ? decodeText(await io.readStdin(MAX_SCENARIO_BYTES), MAX_SCENARIO_BYTES)
      : await readTextFile(resolve(io.cwd, expandHome(name, io.homeDir)), MAX_SCENARIO_BYTES)
  if (!read.ok) {
    const message = `Cannot read the scenario: ${read.reason}.`
    const problem: Problem = { severity: 'error', code: 'scenario-unreadable', message, file, range: null }
    reportProblems([problem], () => undefined, io)
    return null
  }
  const scenario = readScenarioFile(read.text, file)
  const lines = new TextLines(read.text)
  reportProblems(scenario.problems, (named) => (named === file ? lines : undefined), io)
  return scenario.ok ? scenario.value : null
}

import { join, resolve } from 'node:path'
import { MAX_SCENARIO_BYTES, readScenarioFile } from '../../shared/scenario/scenario-file.ts'
import { isScenarioName } from '../../shared/scenario/named-scenarios.ts'
import { compareCodePoints } from '../../shared/token.ts'
import { realDisk } from '../host/disk.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Problem } from '../../shared/problem.ts'
import { TextLines } from '../../shared/text-lines.ts'
import { expandHome, labPathsByConvention, shortenHome, STDIN_NAME, type LabFolder } from '../host/paths.ts'
import { decodeText, readTextFile, type TextRead } from '../host/read-text-file.ts'
import type { LabOptions } from './arguments.ts'
import type { CliIo } from './io.ts'
import { reportProblems } from './report.ts'

/**
 * Reads the scenario `name`: of the lab, where it keeps one of that name, else the file (`-`: standard input). What is
 * wrong with it is reported; then there is none.
 */
export async function openScenario(name: string, lab: LabOptions, io: CliIo): Promise<Scenario | null> {
  const found = await readNamed(name, lab, io)
  const { file, read } = found
  if (!read.ok) {
    const kept = isFilePath(name) ? '' : await keptText(lab, io)
    const message = `Cannot read the scenario: ${read.reason}.${kept}`
    const problem: Problem = { severity: 'error', code: 'scenario-unreadable', message, file, range: null }
    reportProblems([problem], () => undefined, io)
    return null
  }
  const scenario = readScenarioFile(read.text, file)
  const lines = new TextLines(read.text)
  reportProblems(scenario.problems, (named) => (named === file ? lines : undefined), io)
  return scenario.ok ? scenario.value : null
}

interface NamedText {
  readonly file: string
  readonly read: TextRead
}

async function readNamed(name: string, lab: LabOptions, io: CliIo): Promise<NamedText> {
  if (name === STDIN_NAME)
    return { file: '<stdin>', read: decodeText(await io.readStdin(MAX_SCENARIO_BYTES), MAX_SCENARIO_BYTES) }
  if (!isFilePath(name)) {
    const { path, shown } = scenarioFolder(lab, io)
    const kept = await readTextFile(join(path, `${name}.yaml`), MAX_SCENARIO_BYTES)
    if (kept.ok || kept.code !== 'file-missing') return { file: join(shown, `${name}.yaml`), read: kept }
  }
  return {
    file: shortenHome(expandHome(name, io.homeDir), io.homeDir),
    read: await readTextFile(resolve(io.cwd, expandHome(name, io.homeDir)), MAX_SCENARIO_BYTES),
  }
}

/** Whether it says that it is a file: a name of the lab's scenarios has no folder, and their files end alike. */
function isFilePath(name: string): boolean {
  return !isScenarioName(name) || /\.(?:ya?ml|json)$/.test(name)
}

function scenarioFolder({ lab, given }: LabOptions, io: CliIo): LabFolder {
  return labPathsByConvention(lab, given, { cwd: io.cwd, home: io.homeDir }).scenarios
}

/** Which scenarios the lab keeps, as a sentence after another. */
async function keptText(lab: LabOptions, io: CliIo): Promise<string> {
  const entries = await realDisk.readdir(scenarioFolder(lab, io).path).catch(() => [])
  const names = entries.flatMap((entry) => (/^[^.].*\.yaml$/.test(entry) ? [entry.slice(0, -5)] : []))
  return names.length === 0
    ? ' The lab keeps no scenarios: give a file.'
    : ` The lab keeps ${names.sort(compareCodePoints).join(', ')}.`
}

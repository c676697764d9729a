import { fileName } from '../file-name.ts'
import type { LabFile } from '../lab/lab.ts'
import type { Problem } from '../problem.ts'
import { readScenarioFile } from './scenario-file.ts'
import type { Scenario } from './types.ts'

/** A scenario that is kept beside the lab, under the name of its file. */
export interface NamedScenario {
  readonly name: string
  readonly file: LabFile
  /** Null when its file cannot be read; `problems` says why. */
  readonly scenario: Scenario | null
  readonly problems: readonly Problem[]
}

const EXTENSION = '.yaml'

/** What a scenario can be called: its name is a file's, on every system. */
const SCENARIO_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9_+-])?$/

export const SCENARIO_NAME_RULE =
  'A name begins with a letter or digit, goes on with letters, digits and . _ + -, has at most 64 characters and does not end in a dot.'

/** Names that Windows keeps for devices, whatever follows their dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

export function isScenarioName(name: string): boolean {
  return SCENARIO_NAME.test(name) && !DEVICE.test(name)
}

/** The scenarios of a lab by its files, in the order of their names. */
export function namedScenarios(files: readonly LabFile[]): readonly NamedScenario[] {
  return files
    .filter(({ kind }) => kind === 'scenario')
    .map((file) => {
      const read = readScenarioFile(file.text, file.file)
      const name = fileName(file.file).slice(0, -EXTENSION.length)
      return { name, file, scenario: read.ok ? read.value : null, problems: read.problems }
    })
}

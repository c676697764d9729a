import type { Lab, LabFiles } from '../../shared/lab/lab.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import { plan } from '../../shared/plan/planner.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Problem } from '../../shared/problem.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { TextLines } from '../../shared/text-lines.ts'
import { loadLabFiles } from '../host/lab.ts'
import { labPathsByConvention, type LabPaths } from '../host/paths.ts'
import type { LabOptions } from './arguments.ts'
import type { SourceOf } from './diagnostics.ts'
import type { CliIo } from './io.ts'

/** A lab as a command works with it. */
export interface OpenedLab {
  readonly paths: LabPaths
  readonly files: LabFiles
  readonly lab: Lab
  /** Null when there is none, or it has errors. */
  readonly overlay: OverlayDocument | null
  /** The overlay's own problems; the other files' are in `lab.problems`. */
  readonly overlayProblems: readonly Problem[]
  /** Whether the roster and the overlay could be read: what they say cannot be guessed around. */
  readonly readable: boolean
  readonly sourceOf: SourceOf
}

/** A lab planned, with the problems of all its inputs. */
export interface PlannedLab {
  readonly opened: OpenedLab
  /**
   * Has no roles when the roster or the overlay could not be read: half an answer would be taken for a whole
   * one.
   */
  readonly plan: LabPlan
  readonly problems: readonly Problem[]
}

/** Reads the lab that `options` names. */
export async function openLab(
  options: LabOptions,
  io: CliIo,
  readStdin: CliIo['readStdin'] = io.readStdin,
): Promise<OpenedLab> {
  const paths = labPathsByConvention(options.lab, options.given, { cwd: io.cwd, home: io.homeDir })
  const files = await loadLabFiles(paths, { readStdin })
  const lab = createLabReader()(files, options.declared)
  const overlayFile = files.files.find(({ kind }) => kind === 'overlay')
  const read = overlayFile && parseOverlay(overlayFile.text, overlayFile.file)
  const overlayUnread = lab.problems.some(
    ({ file, severity }) => severity === 'error' && file === files.overlayFile,
  )
  return {
    paths,
    files,
    lab,
    overlay: read?.ok ? read.value : null,
    overlayProblems: read?.problems ?? [],
    readable: lab.roster !== null && read?.ok !== false && !overlayUnread,
    sourceOf: sourcesOf(files),
  }
}

/** Plans what {@link openLab} opened. */
export function planLab(opened: OpenedLab, scenario: Scenario, memo = new PlanMemo()): PlannedLab {
  const { lab, overlay, readable } = opened
  const planned = readable
    ? plan(lab, overlay, scenario, memo)
    : plan({ ...lab, roster: null }, null, scenario)
  return { opened, plan: planned, problems: [...opened.overlayProblems, ...planned.problems] }
}

function sourcesOf({ files }: LabFiles): SourceOf {
  const known = new Map<string, TextLines>()
  return (file) => {
    const text = files.find((each) => each.file === file)?.text
    if (text === undefined) return undefined
    const lines = known.get(file) ?? new TextLines(text)
    known.set(file, lines)
    return lines
  }
}

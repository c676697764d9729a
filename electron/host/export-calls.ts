import type { LeftoverKind } from '../../shared/export/compare-export.ts'
import type { ExportRequest } from '../../shared/host-api.ts'
import type { PickedPath } from '../../shared/picked-path.ts'
import { withServersSeen } from '../../shared/live/servers-seen.ts'
import type { ObservedAddress } from '../../shared/live/types.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { answer, NO_LAB, STRANGE_TOKEN, failed } from './answers.ts'
import type { HostImplementation } from './dispatch.ts'
import { exportOutputs } from './export-outputs.ts'
import { previewExport, runExport, type OutputFile } from './export.ts'
import type { LabSession } from './lab-session.ts'
import { LAB_PLACES } from '../../shared/lab/lab-places.ts'
import { expandHome } from './paths.ts'
import { withExportFolder, type SettingsStore } from './settings.ts'
import type { PathTokens } from './path-tokens.ts'

type ExportCalls = Pick<HostImplementation, 'exportFolder' | 'previewExport' | 'runExport'>

/** What is to be written, and where. */
interface ExportJob {
  readonly ok: true
  readonly folder: string
  readonly shown: PickedPath
  readonly files: readonly OutputFile[]
  /** The lab's own files, which no export replaces. */
  readonly protect: readonly string[]
}

/** The calls that write a plan's results into a folder the person chose. */
export function exportCalls(
  home: string,
  desk: LabSession,
  tokens: PathTokens,
  observed: () => Promise<readonly ObservedAddress[]>,
  settings: SettingsStore,
): ExportCalls {
  const labPath = (): string | null => desk.current()?.source.paths.lab.path ?? null
  const readLab = createLabReader()
  const jobOf = async (request: ExportRequest): Promise<ExportJob | ReturnType<typeof failed>> => {
    const seen = await observed()
    const lab = desk.current()
    if (!lab) return NO_LAB
    const folder = tokens.folder(request.folder)
    if (folder === null) return STRANGE_TOKEN
    const snapshot = lab.snapshot()
    const made = exportOutputs(request, withServersSeen(readLab(lab.files()), seen), snapshot)
    if (!made.ok) return failed('bad_arguments', made.message)
    const places = LAB_PLACES.flatMap((place) => lab.source.paths[place].path ?? [])
    const read = snapshot.lab.files.map(({ file }) => expandHome(file, home))
    const shown = tokens.give(folder, 'folder')
    return { ok: true, folder, shown, files: made.files, protect: [...places, ...read] }
  }
  return {
    exportFolder: () => {
      const lab = labPath()
      const folder = lab === null ? undefined : settings.current().exportFolders[lab]
      return answer(folder === undefined ? null : tokens.give(folder, 'folder'))
    },
    previewExport: async (request) => {
      const job = await jobOf(request)
      if (!job.ok) return job
      const { folder, shown, files, protect } = job
      const preview = await previewExport(folder, files, { protect, findStale: leftoversOf(request) })
      if (!preview.ok) return failed('io', preview.message)
      return { ok: true, value: { folder: shown, files: preview.files } }
    },
    runExport: async ({ request, force, previewed }) => {
      const job = await jobOf(request)
      if (!job.ok) return job
      const { folder, shown, files, protect } = job
      const done = await runExport(folder, files, {
        protect,
        force,
        previewed: new Map(previewed.map(({ fileName, found }) => [fileName, found])),
      })
      if (!done.ok) return failed('io', done.message)
      const lab = labPath()
      if (lab !== null) await settings.change(withExportFolder(lab, folder))
      return { ok: true, value: { folder: shown, files: done.files } }
    },
  }
}

/** Which files of an earlier export are shown as left over. */
function leftoversOf({ what }: ExportRequest): LeftoverKind | null {
  return what === 'specs' || what === 'runbook' ? what : null
}

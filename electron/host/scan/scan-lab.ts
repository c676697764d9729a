import type { Lab } from '../../../shared/lab/lab.ts'
import type { ModelManifest } from '../../../shared/model-manifest/types.ts'
import { createLabReader } from '../../../shared/lab/read-lab.ts'
import { realDisk, type Disk } from '../disk.ts'
import { loadLabFiles } from '../lab.ts'
import type { LabPaths } from '../paths.ts'
import { diskFault, isMissing } from '../system-error.ts'

/** A lab as a scan works with it. */
export interface ScanLab {
  readonly paths: LabPaths
  readonly lab: Lab
  /**
   * The real path of the lab's folder, by which it is known in the record; null when there is no such folder.
   */
  readonly real: string | null
  /** Why there is none. */
  readonly fault: string | null
}

/** Reads the lab at `paths`; a lab that has nothing but its folder is no fault. */
export async function openScanLab(paths: LabPaths, disk: Disk = realDisk): Promise<ScanLab> {
  const lab = createLabReader()(await loadLabFiles(paths, { disk }))
  try {
    const real = await disk.realpath(paths.lab.path)
    if ((await disk.stat(real)).isDirectory()) return { paths, lab, real, fault: null }
    return { paths, lab, real: null, fault: `${paths.lab.shown} is a file, not the folder of a lab` }
  } catch (error) {
    const why = isMissing(error)
      ? 'there is no such folder: make it, or name another'
      : diskFault(error).reason
    return { paths, lab, real: null, fault: `the lab ${paths.lab.shown} cannot be opened: ${why}` }
  }
}

/** The lab's manifests, each package once. */
export function labManifests({ manifests }: Lab): readonly ModelManifest[] {
  return [...new Map(manifests.map((manifest) => [manifest.packageId, manifest])).values()]
}

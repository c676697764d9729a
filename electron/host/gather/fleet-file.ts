import { dirname } from 'node:path'
import { fleetText, setFleetKey, type FleetEdit } from '../../../shared/node/edit-fleet.ts'
import { editSite } from '../../../shared/node/edit-site.ts'
import type { SiteFields } from '../../../shared/node/site-fields.ts'
import type { ProposedMachine } from '../../../shared/gather/machines.ts'
import { MAX_FLEET_BYTES } from '../../../shared/node/read-fleet.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import { withFileLock } from '../file-lock.ts'
import type { LabPaths } from '../paths.ts'
import { readTextFile } from '../read-text-file.ts'
import { resolveTarget } from '../save-target.ts'

/**
 * Changes `fleet.yaml` on disk by edits that keep its comments; a missing file is made. All edits or none. Returns why
 * it was not changed, with the lines to add by hand, or null.
 */
async function editFleet(
  { fleet }: LabPaths,
  edits: readonly ((text: string) => FleetEdit)[],
  disk: Disk,
): Promise<string | null> {
  if (fleet.path === null) return 'the fleet file is standard input'
  const { path, shown } = fleet
  const target = await resolveTarget(path, disk)
  if (!target.ok) return target.message
  const work = async (): Promise<string | null> => {
    const read = await readTextFile(path, MAX_FLEET_BYTES, disk)
    if (!read.ok && read.code !== 'file-missing') return `${shown} cannot be read: ${read.reason}`
    let text = read.ok ? read.text : ''
    for (const edit of edits) {
      const edited = edit(text)
      if (!edited.ok) return `${shown}: ${edited.reason}\n${edited.lines}`
      text = edited.text
    }
    const saved = await saveTextAtomically(path, text, disk)
    return saved.ok ? null : `${shown}: ${saved.message}`
  }
  await disk.mkdir(dirname(target.path), { recursive: true }).catch(() => undefined)
  const done = await withFileLock(target.path, disk, work)
  return typeof done === 'object' && done !== null ? done.message : done
}

/** Adds machines to the lab's `fleet.yaml`; of a node that is there only its `ssh` is set. */
export function addMachines(
  paths: LabPaths,
  machines: readonly ProposedMachine[],
  disk: Disk = realDisk,
): Promise<string | null> {
  const edits = machines.map(({ nodeId, host }) => (text: string) => {
    return setFleetKey(text, nodeId, ['ssh', fleetText(host)])
  })
  return editFleet(paths, edits, disk)
}

/** Writes how a node is reached and where it keeps things into the lab's `fleet.yaml`. */
export function writeSite(
  paths: LabPaths,
  nodeId: string,
  fields: SiteFields,
  disk: Disk = realDisk,
): Promise<string | null> {
  return editFleet(paths, [(text) => editSite(text, nodeId, fields)], disk)
}

/** Writes measured links into the lab's `fleet.yaml`. */
export function writeLinks(
  paths: LabPaths,
  links: ReadonlyMap<string, number>,
  disk: Disk = realDisk,
): Promise<string | null> {
  const edits = [...links].map(([nodeId, mbps]) => (text: string) => {
    return setFleetKey(text, nodeId, ['link_mbps', String(mbps)])
  })
  return editFleet(paths, edits, disk)
}

import { join } from 'node:path'
import { exportStems } from '../../../shared/export/file-names.ts'
import { isNodeId, readNodeFacts } from '../../../shared/node/read-node-facts.ts'
import type { ModelManifest } from '../../../shared/model-manifest/types.ts'
import type { Advertised, ModelFinding } from '../../../shared/scan/holdings.ts'
import { nodeCapabilities } from '../../../shared/scan/node-capabilities.ts'
import { nodeFactsText, nodeIdOf } from '../../../shared/scan/node-facts-text.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import { MAX_FILE_BYTES } from '../../../shared/lab/lab-places.ts'
import { readTextFile } from '../read-text-file.ts'
import { findHeld, findScanned, isPlaceOf } from './held-models.ts'
import type { MachineProbes } from './probe-machine.ts'
import { labManifests, type ScanLab } from './scan-lab.ts'
import type { ScanRecord } from './scan-record.ts'
import type { Volumes } from './volumes.ts'

export interface NodeScanOptions {
  readonly lab: ScanLab
  readonly record: ScanRecord
  readonly volumes: Volumes
  /** The id that was asked for; null for the one this machine has in the lab, or else its own name. */
  readonly nodeId: string | null
  readonly hostName: string
  /** Asks the machine, which takes some seconds. */
  readonly probe: () => Promise<MachineProbes>
  /** Unix seconds. */
  readonly nowSecs: number
  readonly disk?: Disk
}

export type NodeScan =
  | {
      readonly ok: true
      readonly nodeId: string
      /** The facts file's text. */
      readonly text: string
      /** Where it goes. */
      readonly path: string
      readonly shown: string
    }
  | { readonly ok: false; readonly reason: string }

/**
 * The facts of this machine (docs/formats.md, "Node facts"): what it is, what runs on it, and what it has of every
 * model of the lab, by the record of what was scanned here. Models that were scanned here and that the lab
 * has no manifest of are reported as well, for labs elsewhere that have one.
 */
export async function scanNode(options: NodeScanOptions): Promise<NodeScan> {
  const { lab, record, nowSecs } = options
  const disk = options.disk ?? realDisk
  const nodeId = options.nodeId ?? (lab.real && record.nodeIdIn(lab.real)) ?? nodeIdOf(options.hostName)
  if (nodeId === null || !isNodeId(nodeId)) {
    return { ok: false, reason: 'this machine has no name that can be a node id: give it one with --id' }
  }
  const fileName = factsFileName(nodeId)
  const path = join(lab.paths.nodes.path, fileName)
  const shown = join(lab.paths.nodes.shown, fileName)
  const previous = await previousSeq(path, shown, nodeId, lab, disk)
  if (!previous.ok) return previous
  const advertised = await advertise({ ...options, manifests: labManifests(lab.lab), disk })
  const text = nodeFactsText({ nodeId, issuedAt: nowSecs, previousSeq: previous.seq }, advertised)
  return { ok: true, nodeId, text, path, shown }
}

/** What a machine is asked to advertise. */
export interface AdvertiseOptions extends Pick<NodeScanOptions, 'record' | 'volumes' | 'probe'> {
  readonly manifests: readonly ModelManifest[]
  readonly disk: Disk
}

/** What this machine is, and what it has of `manifests` and of other models that were scanned here. */
export async function advertise(options: AdvertiseOptions): Promise<Advertised> {
  const { manifests, record, volumes, disk } = options
  const others = record.places().filter((place) => !manifests.some((manifest) => isPlaceOf(place, manifest)))
  const [machine, models, awayMounts] = await Promise.all([
    options.probe(),
    Promise.all<ModelFinding>([
      ...manifests.map((manifest) => findHeld(manifest, record, volumes, disk)),
      ...others.map((place) => findScanned(place, record, volumes, disk)),
    ]),
    mountsAway(record, volumes),
  ])
  return nodeCapabilities({ ...machine, models, awayMounts })
}

/** The file name of a node's facts: its id, as every system can write it; a hidden file would not be read. */
export function factsFileName(nodeId: string): string {
  return `${(exportStems([nodeId])[0] ?? nodeId).replace(/^\./, '%2E')}.json`
}

/**
 * Writes the facts of {@link scanNode} into the lab, and remembers by which id. Says why it could not, or
 * null.
 */
export async function writeNodeFacts(
  scan: Extract<NodeScan, { ok: true }>,
  lab: ScanLab,
  record: ScanRecord,
  disk: Disk = realDisk,
): Promise<string | null> {
  const saved = await saveTextAtomically(scan.path, scan.text, disk)
  if (!saved.ok) return `${scan.shown}: ${saved.message}`
  if (lab.real !== null) record.rememberNodeId(lab.real, scan.nodeId)
  return record.save()
}

type Previous =
  { readonly ok: true; readonly seq: number | null } | { readonly ok: false; readonly reason: string }

/**
 * The highest `seq` that the lab knows of this node; a file in the place that is of another node is refused.
 */
export async function previousSeq(
  path: string,
  shown: string,
  nodeId: string,
  { lab }: ScanLab,
  disk: Disk,
): Promise<Previous> {
  const known = lab.nodes.find((node) => node.nodeId === nodeId)?.facts?.seq ?? null
  const existing = await readTextFile(path, MAX_FILE_BYTES.node, disk)
  // What is there and cannot be read as facts is of no use to anybody, and is replaced.
  const facts = existing.ok ? readNodeFacts(existing.text, shown) : null
  if (facts?.ok === true && facts.value.nodeId !== nodeId) {
    const reason = `${shown} has the facts of node ${facts.value.nodeId}: move it away, or give another --id`
    return { ok: false, reason }
  }
  const own = facts?.ok === true ? facts.value.seq : null
  if (known === null || own === null) return { ok: true, seq: known ?? own }
  return { ok: true, seq: Math.max(known, own) }
}

/** Where drives that models were scanned on were mounted, and nothing is mounted now. */
async function mountsAway(record: ScanRecord, volumes: Volumes): Promise<readonly string[]> {
  const mounts = [...new Set(record.places().map(({ mount }) => mount))]
  const mounted = await Promise.all(mounts.map((mount) => volumes.isMounted(mount)))
  return mounts.filter((_, i) => mounted[i] === false)
}

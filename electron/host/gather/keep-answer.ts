import { join } from 'node:path'
import type { GatherAnswer } from '../../../shared/gather/messages.ts'
import type { Answerer } from '../../../shared/gather/remote-command.ts'
import type { Machine, MachineState } from '../../../shared/gather/machines.ts'
import { MODEL_MARKER_PREFIX } from '../../../shared/locality/holding.ts'
import { MODEL_MISMATCH } from '../../../shared/locality/mismatched-shards.ts'
import { readShapeFile } from '../../../shared/memory/shape-file.ts'
import { readManifest } from '../../../shared/model-manifest/read-manifest.ts'
import { readNodeFacts } from '../../../shared/node/read-node-facts.ts'
import type { NodeFacts } from '../../../shared/node/types.ts'
import { nodeFactsText } from '../../../shared/scan/node-facts-text.ts'
import { saveTextAtomically } from '../atomic-save.ts'
import { realDisk, type Disk } from '../disk.ts'
import type { ScanLab } from '../scan/scan-lab.ts'
import { factsFileName, previousSeq } from '../scan/scan-node.ts'
import { manifestFileName, writeManifest } from '../scan/write-manifest.ts'
import { keepShapes } from '../shapes/write-shape.ts'

/** Where answers go: one lab, and what this gathering has written into it so far. */
export interface AnswerKeeper {
  /** Writes what a machine answered into the lab; answers of several machines one after the other. */
  readonly keep: (machine: Machine, by: Answerer, answer: GatherAnswer) => Promise<MachineState>
}

const NO_HOLDINGS =
  'its models were not looked at: it has neither Lab Planner nor Node 20.19 or newer, and the shell cannot hash them'

/** The command that gives a machine Node, by the system that its facts name. */
const INSTALLS: readonly (readonly [RegExp, string])[] = [
  [/debian|ubuntu|mint|pop!_os|raspbian/i, 'sudo apt-get install nodejs'],
  [/fedora|red hat|rocky|alma|centos/i, 'sudo dnf install nodejs'],
  [/arch|manjaro|cachyos/i, 'sudo pacman -S nodejs'],
  [/suse/i, 'sudo zypper install nodejs'],
  [/alpine/i, 'sudo apk add nodejs'],
]

/** The one line that makes a machine say what models it holds. */
function installLine(ssh: string, { capabilities }: NodeFacts): string {
  const system = capabilities.find(({ id }) => id.startsWith('os.'))
  const distro = String(system?.attrs.get('distro') ?? '')
  const known = INSTALLS.find(([name]) => name.test(distro))?.[1]
  const command = known ?? (system?.id === 'os.macos' ? 'brew install node' : null)
  if (command === null) return 'Install Node 20.19 or newer there, and gather again'
  return `This line would give them: ssh -t ${ssh} ${command}`
}

export function answerKeeper(lab: ScanLab, nowSecs: () => number, disk: Disk = realDisk): AnswerKeeper {
  /** Package ids by name, of manifests that came in this gathering. */
  const came = new Map<string, string>()
  /** Packages whose shape came in this gathering. */
  const shaped = new Set<string>()
  let last: Promise<unknown> = Promise.resolve()
  const keepOne: AnswerKeeper['keep'] = async ({ nodeId, ssh }, by, answer) => {
    const read = readNodeFacts(answer.facts, nodeId)
    if (!read.ok) return failedState(`its answer is not understood: ${read.problems[0]?.message ?? ''}`)
    if (read.value.nodeId !== nodeId) return failedState(`it answered as ${read.value.nodeId}`)
    const file = factsFileName(nodeId)
    const path = join(lab.paths.nodes.path, file)
    const shown = join(lab.paths.nodes.shown, file)
    const previous = await previousSeq(path, shown, nodeId, lab, disk)
    if (!previous.ok) return failedState(previous.reason)
    const manifests = await keepManifests(answer.manifests, lab, came, disk)
    const shapeNotes = await keepNewShapes(answer.shapes, lab, came, shaped, disk)
    const head = { nodeId, issuedAt: nowSecs(), previousSeq: previous.seq }
    const advertised = by === 'sh' ? withOldHoldings(read.value, nodeId, lab) : read.value
    const saved = await saveTextAtomically(path, nodeFactsText(head, advertised), disk)
    if (!saved.ok) return failedState(`${shown}: ${saved.message}`)
    const refusals = answer.leftOut.filter(({ kind }) => kind === 'refused')
    const notes = refusals.map(({ place, reason }) => `${place}: ${reason}`)
    return {
      ...{ kind: 'gathered', by, file: shown, models: wholeModels(read.value), manifests: manifests.files },
      notes: [
        ...(by === 'sh' ? [`${NO_HOLDINGS}. ${installLine(ssh, read.value)}`] : []),
        ...manifests.notes,
        ...shapeNotes,
        ...notes,
      ],
    }
  }
  return {
    keep: (machine, by, answer) => {
      const keeping = last.then(() => keepOne(machine, by, answer))
      last = keeping.catch(() => undefined)
      return keeping
    },
  }
}

function failedState(reason: string): MachineState {
  return { kind: 'failed', reason }
}

function wholeModels({ capabilities }: NodeFacts): number {
  const ids = capabilities.flatMap(({ id, attrs, state }) => {
    const shards = attrs.get('shards')
    if (id !== 'model.present' || state !== 'available' || !Array.isArray(shards)) return []
    return (shards as readonly unknown[]).map(String).filter((each) => each.startsWith(MODEL_MARKER_PREFIX))
  })
  return new Set(ids).size
}

/** Facts of a machine whose models were not looked at: what the lab knew of them stays, with a note that says so. */
function withOldHoldings(
  { capabilities, notes }: NodeFacts,
  nodeId: string,
  { lab }: ScanLab,
): Pick<NodeFacts, 'capabilities' | 'notes'> {
  const before = lab.nodes.find((node) => node.nodeId === nodeId)?.facts ?? null
  const held = (before?.capabilities ?? []).filter(
    ({ id }) => id === 'model.present' || id === MODEL_MISMATCH,
  )
  const since = before === null ? '' : new Date(before.issuedAt * 1000).toISOString().slice(0, 10)
  const kept = held.length === 0 ? '' : `; those of ${since} stand here`
  return {
    capabilities: [...capabilities, ...held],
    notes: [...notes, { probe: 'model.present', note: `${NO_HOLDINGS}${kept}` }],
  }
}

/**
 * Writes manifests that are new to the lab. A name that the lab has a manifest of keeps that one: which of two different
 * models a role means is for the operator to say.
 */
async function keepManifests(
  texts: readonly string[],
  lab: ScanLab,
  came: Map<string, string>,
  disk: Disk,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const files: string[] = []
  const notes: string[] = []
  for (const text of texts) {
    const read = readManifest(text, 'manifest')
    if (!read.ok) {
      notes.push(`a manifest of its is not understood: ${read.problems[0]?.message ?? ''}`)
      continue
    }
    const { packageId, body } = read.value
    const slot = manifestFileName(body.name).toLowerCase()
    const other = lab.lab.manifests.find((each) => manifestFileName(each.body.name).toLowerCase() === slot)
    const known = came.get(slot) ?? other?.packageId
    if (known === packageId) continue
    if (known !== undefined) {
      notes.push(`${body.name}: other bytes than the lab’s manifest of that name, which stays`)
      continue
    }
    const outcome = await writeManifest(
      body.name,
      body.shards,
      { ok: true, packageId, text },
      false,
      lab,
      disk,
    )
    if (outcome.kind === 'failed') notes.push(`${body.name}: ${outcome.reason}`)
    else {
      came.set(slot, packageId)
      if (outcome.kind === 'written') files.push(outcome.file)
    }
  }
  return { files, notes }
}

/**
 * Writes shapes of packages that the lab has a manifest but no shape of. One that it has stays: a scan of the model
 * itself replaces it. `shaped` grows by the packages whose shape is written.
 */
async function keepNewShapes(
  texts: readonly string[],
  lab: ScanLab,
  came: ReadonlyMap<string, string>,
  shaped: Set<string>,
  disk: Disk,
): Promise<readonly string[]> {
  const inLab = new Set([...lab.lab.manifests.map(({ packageId }) => packageId), ...came.values()])
  const notes: string[] = []
  for (const text of texts) {
    const read = readShapeFile(text, 'shape')
    if (!read.ok) {
      notes.push(`a model shape of its is not understood: ${read.problems[0]?.message ?? ''}`)
      continue
    }
    const { packageId, model, shape } = read.value
    if (!inLab.has(packageId) || lab.lab.shapes.has(packageId) || shaped.has(packageId)) continue
    const faults = await keepShapes([{ packageId, model, shape }], lab, disk)
    if (faults.length === 0) shaped.add(packageId)
    notes.push(...faults)
  }
  return notes
}

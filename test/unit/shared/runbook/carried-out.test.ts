import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realDisk } from '../../../../electron/host/disk.ts'
import { findModels } from '../../../../electron/host/scan/find-models.ts'
import { findHeld } from '../../../../electron/host/scan/held-models.ts'
import { nameFoundModels, scanModels } from '../../../../electron/host/scan/scan-models.ts'
import { openScanRecord } from '../../../../electron/host/scan/scan-record.ts'
import { realVolumes } from '../../../../electron/host/scan/volumes.ts'
import type { Lab } from '../../../../shared/lab/lab.ts'
import type { ModelManifest } from '../../../../shared/model-manifest/types.ts'
import type { Capability, LabNode } from '../../../../shared/node/types.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { modelFolder } from '../../../../shared/runbook/model-folders.ts'
import { runBook } from '../../../../shared/runbook/run-book.ts'
import { advertiseModel } from '../../../../shared/scan/holdings.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../../../shared/scenario/scenario.ts'
import { fullSite, withSites } from '../../../support/run-book-lab.ts'
import { readSampleLab, SAMPLE_NOW } from '../../../support/sample-lab.ts'
import { CAN_ADD_ACCOUNTS } from '../../../support/accounts.ts'
import { ggufOf, safetensorsFile } from '../../../support/weight-files.ts'
import { missingTools, SSH_TOOLS, startSshNodes, type SshNodes } from '../../../support/ssh-nodes.ts'

const missing = missingTools(SSH_TOOLS)
const sample = await readSampleLab({ allowTransfer: true })
const SCENARIO: Scenario = {
  ...DEFAULT_SCENARIO,
  policy: { allowWeightTransfer: true, maxBytes: null, freeHeadroomBytes: 1_000_000n },
  nowSecs: SAMPLE_NOW,
}

/** The sample lab's model with small weights in the place of each file. */
function standIn(manifest: ModelManifest): ModelManifest {
  const shards = manifest.body.shards.map(({ path }) => {
    const bytes = weightsOf(manifest, path)
    return { path, size: BigInt(bytes.length), blake3: bytesToHex(blake3(bytes)) }
  })
  return { ...manifest, body: { ...manifest.body, shards } }
}

function weightsOf({ packageId }: ModelManifest, path: string): Buffer {
  const payload = `${packageId} ${path}\n`.repeat(200)
  return path.endsWith('.gguf')
    ? ggufOf(payload)
    : safetensorsFile('w', { bytes: 4000, name: `${packageId} ${path}` })
}

/** Scans a node's folder, and gives what its facts then say of `manifests`. */
async function scanned(
  nodes: SshNodes,
  nodeId: string,
  path: string,
  manifests: readonly ModelManifest[],
): Promise<readonly Capability[]> {
  const record = await openScanRecord(join(nodes.folder, 'records', nodeId))
  const finds = await findModels({ path, shown: path })
  const refused = finds.flatMap((find) => (find.ok ? [] : [find.reason]))
  expect(refused).toHaveLength((await readdir(path)).length === 0 ? 1 : 0)
  const models = finds.flatMap((find) => (find.ok ? [find.model] : []))
  const volumes = realVolumes()
  await scanModels(nameFoundModels(models, sample.lab.roster?.entries ?? [], null), {
    put: (name, shards) => {
      const known = manifests.find(({ body }) =>
        body.shards.every(({ blake3: hash }, i) => hash === shards[i]?.blake3),
      )
      return Promise.resolve(
        known === undefined
          ? { kind: 'failed', reason: `${name} is none of the lab's models` }
          : { kind: 'same', packageId: known.packageId, file: 'registry.json' },
      )
    },
    record,
    volumes,
    redistributable: false,
    signal: new AbortController().signal,
    nowMs: () => Date.now(),
    onProgress: () => undefined,
  })
  const findings = await Promise.all(
    manifests.map((manifest) => findHeld(manifest, record, volumes, realDisk)),
  )
  return findings.flatMap((finding) => advertiseModel(finding).capabilities)
}

/** The facts with other holdings; everything else a node advertises stays. */
function holding(node: LabNode, held: readonly Capability[]): LabNode {
  if (node.facts === null) return node
  const others = node.facts.capabilities.filter(({ id }) => id !== 'model.present')
  return { ...node, facts: { ...node.facts, capabilities: [...others, ...held] } }
}

const RIGS = [
  { whose: 'one account', accounts: false, skipped: missing.length > 0 },
  { whose: 'an account for each node', accounts: true, skipped: missing.length > 0 || !CAN_ADD_ACCOUNTS },
]

describe.each(RIGS.filter(({ skipped }) => !skipped))(
  'the sample lab’s run book, under $whose',
  ({ accounts }) => {
    let nodes: SshNodes
    beforeAll(async () => {
      nodes = await startSshNodes(
        sample.lab.nodes.map(({ nodeId }) => nodeId),
        { accounts },
      )
    }, 60_000)
    afterAll(() => nodes.stop())

    test(
      'carried out with small weights leaves every role in place, and an order with nothing to fetch',
      { timeout: 180_000 },
      async () => {
        const manifests = sample.lab.manifests.map(standIn)
        const rootOf = (nodeId: string): string => join(nodes.homeOf(nodeId), 'models', nodeId)
        const standInHash = new Map(
          sample.lab.manifests.flatMap(({ body }, m) =>
            body.shards.map(
              ({ blake3: hash }, i) => [hash, manifests[m]?.body.shards[i]?.blake3 ?? hash] as const,
            ),
          ),
        )

        // The disks as the sample's facts have them.
        const before = sample.lab.nodes.map((node) => {
          const held = (node.facts?.capabilities ?? []).filter(({ id }) => id === 'model.present')
          return holding(
            node,
            held.map((capability) => {
              const shards = capability.attrs.get('shards')
              const mapped = (Array.isArray(shards) ? shards : []).map(
                (each) => standInHash.get(String(each)) ?? String(each),
              )
              return { ...capability, attrs: new Map([...capability.attrs, ['shards', mapped]]) }
            }),
          )
        })
        for (const { nodeId, facts } of before) {
          await mkdir(rootOf(nodeId), { recursive: true })
          const held = new Set(
            (facts?.capabilities ?? []).flatMap(({ id, attrs }) =>
              id === 'model.present' ? (attrs.get('shards') ?? []) : [],
            ),
          )
          for (const manifest of manifests) {
            for (const { path, blake3: hash } of manifest.body.shards) {
              if (!held.has(hash)) continue
              const file = join(rootOf(nodeId), modelFolder(manifest), path)
              await mkdir(dirname(file), { recursive: true })
              await writeFile(file, weightsOf(manifest, path))
            }
          }
          nodes.give(nodeId)
        }

        const labWith = (found: readonly LabNode[]): Lab => ({
          ...sample.lab,
          manifests,
          nodes: withSites(found, (nodeId) => ({
            ...fullSite(nodeId, 'llama-swap'),
            roots: [rootOf(nodeId)],
            mount: null,
          })),
        })
        const first = labWith(before)
        const planned = plan(first, sample.overlay, SCENARIO)
        const fetched = planned.roles.filter(({ outcome }) => outcome.bytes > 0n)
        expect(fetched.length).toBeGreaterThan(1)
        const book = runBook({ plan: planned, lab: first, before: null })
        const scripts = book.files.filter(({ fileName }) => fileName.endsWith('.fetch.sh'))
        expect(scripts.length).toBeGreaterThan(1)
        for (const { fileName, text } of scripts) {
          const script = join(nodes.folder, fileName)
          await writeFile(script, text)
          const run = nodes.runOn(fileName.replace(/\.fetch\.sh$/, ''), script, ['--go'])
          expect(run.stdout + run.stderr).toContain('everything is there')
          expect(run.status).toBe(0)
        }

        // What the planner's own scan finds afterwards. An Ollama store is no plain folder: nothing is fetched into it here,
        // and what the facts say of it stays.
        const inStores = manifests.filter(({ body }) => body.format === 'ollama')
        const stored = new Set(inStores.flatMap(({ body }) => body.shards.map(({ blake3: hash }) => hash)))
        const plain = manifests.filter((manifest) => !inStores.includes(manifest))
        const after: LabNode[] = []
        for (const node of before) {
          const kept = (node.facts?.capabilities ?? []).filter(({ id, attrs }) => {
            const shards = attrs.get('shards')
            return (
              id === 'model.present' &&
              Array.isArray(shards) &&
              shards.some((each) => stored.has(String(each)))
            )
          })
          const found = await scanned(nodes, node.nodeId, rootOf(node.nodeId), plain)
          after.push(holding(node, [...kept, ...found]))
        }
        const second = labWith(after)
        const again = plan(second, sample.overlay, SCENARIO)
        const running = (each: typeof planned) =>
          each.roles.flatMap(({ role, outcome }) => (outcome.nodeId === null ? [] : [role]))
        expect(running(again)).toEqual(running(planned))
        for (const { outcome } of again.roles) expect(outcome.bytes).toBe(0n)
        const rest = runBook({ plan: again, lab: second, before: null })
        expect(rest.order.steps.filter(({ kind }) => kind === 'fetch')).toEqual([])
        expect(
          rest.files.map(({ fileName }) => fileName).filter((name) => name.endsWith('.fetch.sh')),
        ).toEqual([])
        for (const { nodeId } of before) {
          expect((await readdir(rootOf(nodeId))).filter((name) => name.startsWith('.'))).toEqual([])
        }
        expect(
          await readFile(join(rootOf('gpu-box'), 'Hermes-4.3-36B', 'model-00001-of-00003.gguf')),
        ).toBeTruthy()
      },
    )
  },
)

test('the tools that run books are carried out with are installed', () => {
  if (missing.length > 0) console.warn(`NOT TESTED, not installed: ${missing.join(', ')}`)
  if (!CAN_ADD_ACCOUNTS)
    console.warn('NOT TESTED under an account for each node: only root can make accounts')
  if (process.env['CI'] !== undefined) expect(missing).toEqual([])
})

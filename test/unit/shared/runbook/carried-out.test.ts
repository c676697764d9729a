import { blake3 } from '@noble/hashes/blake3.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  return Buffer.from(`${packageId} ${path}\n`.repeat(200))
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

        // What a scan finds afterwards, by the hashes that b3sum gives.
        const after = before.map((node) => {
          const found: Capability[] = []
          for (const manifest of manifests) {
            const folder = join(rootOf(node.nodeId), modelFolder(manifest))
            const files = manifest.body.shards.map(({ path, blake3: hash }) => {
              const there = spawnSync('b3sum', ['--no-names', '--', join(folder, path)], { encoding: 'utf8' })
              const state =
                there.status !== 0 ? 'missing' : there.stdout.trim() === hash ? 'held' : 'mismatch'
              return { path, blake3: hash, state, shard: true } as const
            })
            if (files.every(({ state }) => state === 'missing')) continue
            const shardHashes = manifest.body.shards.map(({ blake3: hash }) => hash)
            const { name } = manifest.body
            const finding = {
              name,
              packageId: manifest.packageId,
              shardHashes,
              places: [{ kind: 'there', files } as const],
            }
            found.push(...advertiseModel(finding).capabilities)
          }
          return holding(node, found)
        })
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
  expect(missing).toEqual([])
})

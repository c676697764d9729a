import highsLoader from 'highs'
import type { Lab } from '../../shared/lab/lab.ts'
import type { ModelManifest } from '../../shared/model-manifest/types.ts'
import type { Capability, LabNode } from '../../shared/node/types.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import { readRoster } from '../../shared/roster/read-roster.ts'
import { highsSolver } from '../../shared/suggest/highs-solver.ts'
import { proveSuggestion } from '../../shared/suggest/proved-suggestion.ts'
import { suggestionLines } from '../../shared/report/suggestion-words.ts'
import { seeded } from './inputs.ts'

/** Suggests nodes for labs of 60 roles × 20 nodes within 5 s each, and reports how far it got: `tsx test/bench/suggest.ts`. */
const ROLES = 60
const NODES = 20
const LIMIT_SECS = 5
/** Reading the answer and checking it may take this much on top. */
const GRACE_SECS = 1

function made(random: () => number): Lab {
  const manifests = Array.from({ length: ROLES }, (_, i): ModelManifest => ({
    packageId: `package-${i}`,
    body: {
      name: `model-${i}`,
      format: 'gguf',
      shards: Array.from({ length: 1 + Math.floor(random() * 8) }, (__, shard) => ({
        path: `${shard}.gguf`,
        size: 1_000_000_000n + BigInt(Math.floor(random() * 4e9)),
        blake3: `${i}/${shard}`,
      })),
      redistributable: true,
      tokenizerPath: null,
      tokenizerBlake3: null,
      templatePath: null,
      templateBlake3: null,
      source: null,
    },
    signature: 'valid',
    file: 'registry.json',
    refused: null,
  }))
  const entries = manifests.map(({ body }, i) => {
    const gb = (5 + random() * 40).toFixed(1)
    return `- {id: role-${i}, name: ${body.name}, repo: r/${i}, ram_gb: ${gb}, backend: llamacpp, port: ${9000 + i}}`
  })
  const roster = readRoster(['roster:', ...entries, ''].join('\n'), 'queue.yaml')
  if (!roster.ok) throw new Error('the bench roster cannot be read')
  const nodes = Array.from({ length: NODES }, (_, i): LabNode => {
    const nodeId = `node-${String(i).padStart(2, '0')}`
    const held = manifests.filter(() => random() < 0.08).map(({ packageId }) => `model:${packageId}`)
    const capabilities = [
      capability('runtime.infer.llamacpp', {}),
      capability('format.gguf', {}),
      capability('mem.unified', { free: (30 + random() * 60) * 1e9 }),
      capability('store.tier.internal', { free: random() * 60e9 }),
      ...held.map((marker) => capability('model.present', { shards: [marker] })),
    ]
    return {
      nodeId,
      facts: { nodeId, issuedAt: 0, ttlSecs: 60, seq: 1, capabilities, notes: [] },
      declared: null,
      file: null,
    }
  })
  return {
    name: 'bench',
    roster: roster.value,
    manifests,
    shapes: new Map(),
    scenarioFiles: [],
    nodes,
    problems: [],
  }
}

function capability(id: string, attrs: Readonly<Record<string, number | readonly string[]>>): Capability {
  return {
    id,
    attrs: new Map(Object.entries(attrs)),
    provenance: 'probed',
    state: 'available',
    exclusive: false,
  }
}

const solver = highsSolver(await highsLoader())
const policy = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }
let late = 0
for (const seed of [1, 2, 3, 4]) {
  const inputs = { lab: made(seeded(seed)), overlay: null, scenario: { ...DEFAULT_SCENARIO, policy } }
  const start = performance.now()
  const proved = await proveSuggestion(inputs, solver, LIMIT_SECS)
  const seconds = (performance.now() - start) / 1000
  if (seconds > LIMIT_SECS + GRACE_SECS) late++
  console.log(
    `suggest ${ROLES}x${NODES} (${seed}): ${seconds.toFixed(2)} s; ${suggestionLines(proved).join(' ')}`,
  )
}
process.exitCode = late === 0 ? 0 : 1

import type { Capability } from '../../shared/node/types.ts'
import type { ModelShards } from '../../shared/model-manifest/types.ts'
import type { NodeHolding } from '../../shared/locality/types.ts'

/** Numbers that look random and are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function hash(random: () => number): string {
  return Array.from({ length: 8 }, () =>
    Math.floor(random() * 4294967296)
      .toString(16)
      .padStart(8, '0'),
  ).join('')
}

export function bigModel(shards: number, random: () => number): ModelShards {
  return {
    name: 'Big-Model',
    redistributable: true,
    shards: Array.from({ length: shards }, (_, i) => ({
      path: `model-${String(i + 1).padStart(5, '0')}-of-${String(shards).padStart(5, '0')}.safetensors`,
      size: 200_000_000n + BigInt(Math.floor(random() * 50_000_000)),
      blake3: hash(random),
    })),
  }
}

/** Nodes that each hold about half of the model; none that is eligible holds all, so every target is weighed. */
export function bigHoldings(model: ModelShards, nodes: number, random: () => number): NodeHolding[] {
  return Array.from({ length: nodes }, (_, i) => {
    const complete = i % 97 === 0
    const shards = model.shards.filter(() => complete || random() < 0.5).map((shard) => shard.blake3)
    return {
      nodeId: `node-${String(i).padStart(5, '0')}`,
      eligible: !complete && random() < 0.8,
      shards: new Set(shards),
      complete,
      freeBytes: BigInt(Math.floor(random() * 100_000_000_000)),
    }
  })
}

/** What such a node advertises. */
export function capabilitiesOf(holding: NodeHolding, packageId: string): Capability[] {
  const shards = holding.complete ? [`model:${packageId}`, ...holding.shards] : [...holding.shards]
  const capability = (id: string, attrs: Capability['attrs']): Capability => {
    return { id, attrs, provenance: 'probed', state: 'available', exclusive: false }
  }
  return [
    capability('os.linux', new Map()),
    capability('runtime.infer.llamacpp', new Map()),
    capability('format.gguf', new Map()),
    capability('store.tier.internal', new Map([['free', Number(holding.freeBytes)]])),
    capability('model.present', new Map([['shards', shards]])),
  ]
}

/** A roster of the largest size a file may have entries for, about 110 KB, in the shape rosters have. */
export function bigRoster(entries: number): string {
  const lines = ["meta:\n  updated: '2026-11-21'\n  schema: 1\nroster:\n"]
  for (let i = 0; i < entries; i++) {
    lines.push(
      `- id: role-${i}\n  role: worker number ${i} for coding and chat\n  name: Example-Model-${i}B-Instruct\n` +
        `  repo: example-org/Example-Model-${i}B-Instruct-4bit\n  quant: 4bit\n  ram_gb: ${(i % 60) + 0.5}\n` +
        `  backend: ${['mlx_lm', 'llamacpp or ollama', 'ollama'][i % 3] ?? ''}\n  port: ${8000 + i}\n` +
        `  serve: bin/serve example-org/Example-Model-${i}B-Instruct-4bit --port ${8000 + i} --temp 1.0 --ctx 65536\n` +
        `  why: Measured best of its size in the last round, kept until something beats it by a margin.\n` +
        `  status: ready\n`,
    )
  }
  return lines.join('')
}

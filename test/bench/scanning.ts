import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findModels } from '../../electron/host/scan/find-models.ts'
import { safetensors } from '../support/model-trees.ts'
import { median, resultOf, type BenchResult } from './measure.ts'

interface MeasuredResult {
  readonly result: BenchResult
  readonly against: string
}

const FOLDERS = 1000

const ROUNDS = 5

/** Finding models in a folder of 1,000 models with 10 files each, on a warm disk; the budget is three seconds. */
export async function scanningResults(only: string): Promise<readonly MeasuredResult[]> {
  const name = 'find 10000 files in 1000 models'
  if (!name.includes(only)) return []
  const root = makeTree()
  try {
    const own: number[] = []
    const plain: number[] = []
    // The first round warms the disk.
    for (let round = -1; round < ROUNDS; round++) {
      const start = performance.now()
      const found = await findModels({ path: root, shown: 'models' })
      const middle = performance.now()
      walk(root)
      const end = performance.now()
      const models = found.filter(({ ok }) => ok).length
      if (models !== FOLDERS) throw new Error(`${models} models were found`)
      if (round < 0) continue
      own.push(middle - start)
      plain.push(end - middle)
    }
    const against = 'listing the folders and asking each file for its length; the budget is three seconds'
    return [{ result: resultOf(name, median(own), median(plain)), against }]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function makeTree(): string {
  const root = mkdtempSync(join(tmpdir(), 'lab-planner-bench-'))
  const weights = safetensors('mlx', 'bench')
  for (let i = 0; i < FOLDERS; i++) {
    const folder = join(root, `org-${i % 40}`, `model-${i}`)
    mkdirSync(folder, { recursive: true })
    for (const name of ['tokenizer.json', 'tokenizer_config.json', 'generation_config.json']) {
      writeFileSync(join(folder, name), '{}')
    }
    writeFileSync(join(folder, 'config.json'), '{"architectures":["X"],"model_type":"x"}')
    for (const part of [1, 2, 3, 4, 5, 6]) {
      writeFileSync(join(folder, `model-0000${part}-of-00006.safetensors`), weights)
    }
  }
  return root
}

function walk(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) walk(path)
    else statSync(path)
  }
}

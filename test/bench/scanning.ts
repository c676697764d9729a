import { randomBytes } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newHasher } from '../../electron/host/scan/blake3-hasher.ts'
import { hashThreads } from '../../electron/host/scan/file-hashers.ts'
import { findModels } from '../../electron/host/scan/find-models.ts'
import { hashModels } from '../../electron/host/scan/hash-models.ts'
import { openScanRecord } from '../../electron/host/scan/scan-record.ts'
import { installedFiles } from '../../electron/installed-files.ts'
import { safetensors } from '../support/model-trees.ts'
import { median, resultOf, type BenchResult } from './measure.ts'

interface MeasuredResult {
  readonly result: BenchResult
  readonly against: string
}

const FOLDERS = 1000

const ROUNDS = 5

/** What scanning takes on a warm disk: finding the models, and hashing them. */
export async function scanningResults(only: string): Promise<readonly MeasuredResult[]> {
  const cases = { 'find 10000 files in 1000 models': finding, 'hash 1 GB of weights': hashing }
  const results: MeasuredResult[] = []
  for (const [name, measure] of Object.entries(cases))
    if (name.includes(only)) results.push(await measure(name))
  return results
}

/** Finding models in a folder of 1,000 models with 10 files each; the budget is three seconds. */
async function finding(name: string): Promise<MeasuredResult> {
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
    return { result: resultOf(name, median(own), median(plain)), against }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const HASHED_FILES = 10
const HASHED_FILE_BYTES = 100_000_000

/**
 * Hashing files in half of the cores, against the slower of its two halves in one thread: reading them, and hashing as
 * many bytes that are there already.
 */
async function hashing(name: string): Promise<MeasuredResult> {
  const root = mkdtempSync(join(tmpdir(), 'lab-planner-bench-'))
  try {
    const piece = randomBytes(4 * 1024 * 1024)
    const files = Array.from({ length: HASHED_FILES }, (_, i) => join(root, `${i}.gguf`))
    for (const file of files) writeFileSync(file, randomBytes(HASHED_FILE_BYTES))
    const own: number[] = []
    const plain: number[] = []
    const pieces = Math.ceil((HASHED_FILES * HASHED_FILE_BYTES) / piece.length)
    const hasher = await newHasher()
    for (let round = -1; round < ROUNDS; round++) {
      const hashed = await timeOf(() => hashFiles(files, root))
      const read = await timeOf(() => files.forEach((file) => readThrough(file, piece)))
      const worked = await timeOf(() => {
        for (let i = 0; i < pieces; i++) hasher.update(piece)
      })
      if (round < 0) continue
      own.push(hashed)
      plain.push(Math.max(read, worked))
    }
    const against = 'the slower of reading them and hashing as many bytes, each alone'
    return { result: resultOf(name, median(own), median(plain)), against }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function timeOf(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function hashFiles(files: readonly string[], config: string): Promise<void> {
  const hashers = hashThreads({ kind: 'file', path: installedFiles(import.meta.dirname).hashWorker })
  try {
    await hashModels(
      files.map((real) => [{ real, size: BigInt(HASHED_FILE_BYTES), expected: null }]),
      {
        record: await openScanRecord(config),
        reuse: false,
        stopAtFault: true,
        hashers,
        signal: new AbortController().signal,
        nowMs: () => performance.now(),
        onProgress: () => undefined,
        onModel: (model, outcomes) => {
          const outcome = outcomes.get(files[model] ?? '')
          if (outcome?.kind !== 'hashed') throw new Error(`${files[model]} was not hashed`)
          return Promise.resolve()
        },
      },
    )
  } finally {
    await hashers.close()
  }
}

function readThrough(file: string, buffer: Uint8Array): void {
  const handle = openSync(file, 'r')
  while (readSync(handle, buffer) > 0);
  closeSync(handle)
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

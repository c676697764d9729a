import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CacheType } from '../../shared/memory/cache-type.ts'
import { ggufShape } from '../../shared/memory/gguf-shape.ts'
import { memoryNeed, type MemoryNeed } from '../../shared/memory/memory-need.ts'
import { USUAL_SETTING } from '../../shared/memory/setting.ts'
import type { ModelShape } from '../../shared/memory/shape.ts'
import { readGgufHeader } from '../../shared/model-files/gguf-header.ts'
import { llamaModule } from './installed.ts'
import { KINDS, type Kind } from './kinds.ts'

/** How a context is made; its size is for each sequence, as the binding has it. */
interface Trial {
  readonly context: number
  readonly sequences: number
  readonly batch: number
  readonly type: CacheType
}

const TRIALS: readonly Trial[] = [
  { context: 256, sequences: 1, batch: 256, type: 'f16' },
  { context: 1000, sequences: 1, batch: 512, type: 'f16' },
  { context: 8192, sequences: 1, batch: 512, type: 'f16' },
  { context: 8192, sequences: 3, batch: 512, type: 'f16' },
  { context: 4096, sequences: 1, batch: 512, type: 'q8_0' },
]

const LOADER = fileURLToPath(new URL('load.mjs', import.meta.url))

/** What the process exits with when llama.cpp cannot be had: the caller counts that as skipped, and says so. */
const NOT_TO_BE_HAD = 3

/** llama.cpp's sizes as its log gives them, in MiB with two decimals. */
interface Logged {
  readonly keysAndValues: number
  readonly state: number
}

function main(): void {
  const llama = llamaModule()
  if (!llama.ok) {
    console.log(`NOT CHECKED AGAINST llama.cpp: ${llama.reason}.`)
    process.exitCode = NOT_TO_BE_HAD
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'lab-planner-llama-'))
  let differences = 0
  try {
    for (const kind of KINDS) differences += checkKind(kind, llama.entry, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(
    differences === 0
      ? `${KINDS.length} kinds of model, ${TRIALS.length} contexts each: as llama.cpp has them.`
      : `${differences} sizes differ from llama.cpp's.`,
  )
  process.exitCode = differences === 0 ? 0 : 1
}

function checkKind(kind: Kind, entry: string, folder: string): number {
  const bytes = kind.file()
  const path = join(folder, 'model.gguf')
  writeFileSync(path, bytes)
  const header = readGgufHeader(bytes)
  if (header.kind !== 'read') throw new Error(`${kind.name}: the file made for it is ${header.kind}`)
  const shape = ggufShape([header.header])
  const loaded = spawnSync(process.execPath, [LOADER, entry, path, JSON.stringify(TRIALS)], {
    encoding: 'utf8',
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024,
  })
  const log = `${loaded.stdout}${loaded.stderr}`
  const [, ...trials] = log.split('@@ trial')
  if (!log.includes('@@ done') || trials.length !== TRIALS.length) {
    console.log(`DIFFER  ${kind.name}: llama.cpp did not load it\n${log.split('\n').slice(-12).join('\n')}`)
    return 1
  }
  return TRIALS.reduce(
    (count, trial, i) => count + (isSame(kind, shape, trial, sizesIn(trials[i] ?? '')) ? 0 : 1),
    0,
  )
}

/** Whether llama.cpp's sizes for a context are ours; says both. */
function isSame(kind: Kind, shape: ModelShape, trial: Trial, real: Logged): boolean {
  // The binding gives each sequence a cache of its own, and one token more to work on at once.
  const need = memoryNeed(shape, {
    ...USUAL_SETTING,
    context: trial.context * trial.sequences,
    parallel: trial.sequences,
    unified: false,
    ubatch: trial.batch + 1,
    keyType: trial.type,
    valueType: trial.type,
  })
  const ours = { keysAndValues: mib(need, 'kv_cache'), state: mib(need, 'recurrent_state') }
  const same = close(ours.keysAndValues, real.keysAndValues) && close(ours.state, real.state)
  const what = `${trial.context} × ${trial.sequences} ${trial.type}`
  console.log(
    `${same ? 'same  ' : 'DIFFER'}  ${kind.name.padEnd(40)} ${what.padEnd(16)} ` +
      `KV ${real.keysAndValues.toFixed(2)} / ${ours.keysAndValues.toFixed(2)} MiB, ` +
      `state ${real.state.toFixed(2)} / ${ours.state.toFixed(2)} MiB`,
  )
  return same
}

/** One cache or more write a line each; each is rounded to a hundredth of a MiB. */
function sizesIn(log: string): Logged {
  const sum = (pattern: RegExp): number =>
    [...log.matchAll(pattern)].reduce((total, [, size]) => total + Number(size), 0)
  return {
    keysAndValues: sum(/llama_kv_cache: size = +([\d.]+) MiB/g),
    state: sum(/llama_memory_recurrent: size = +([\d.]+) MiB/g),
  }
}

function mib(need: MemoryNeed, kind: 'kv_cache' | 'recurrent_state'): number {
  const bytes = need.parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + part.bytes, 0n)
  return Number(bytes) / 1024 / 1024
}

/** Equal but for the rounding of at most two lines; the smallest difference of one layer's cells is 0.02 MiB. */
function close(ours: number, real: number): boolean {
  return Math.abs(ours - real) <= 0.0101
}

main()

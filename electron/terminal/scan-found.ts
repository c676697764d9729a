import { findModels } from '../host/scan/find-models.ts'
import type { Find, FoundModel } from '../host/scan/found-model.ts'
import { usualPlaces } from '../host/scan/usual-places.ts'
import type { CliIo } from './io.ts'
import { reportProblems } from './report.ts'
import type { ScanModelsInvocation } from './scan-arguments.ts'
import { namedPlace } from './scan-setting.ts'

/** What was found, and what of it cannot be scanned. */
export interface FoundModels {
  readonly models: readonly FoundModel[]
  /** Of each of `models`. */
  readonly warnings: readonly (readonly string[])[]
  readonly refused: readonly Extract<Find, { ok: false }>[]
}

/** Looks at every place that `scan models` was told of; a model that is found twice counts once. */
export async function findAll(
  { paths, usualPlaces: all }: ScanModelsInvocation,
  io: CliIo,
): Promise<FoundModels> {
  const usual = all ? await usualPlaces({ env: io.env, platform: process.platform, home: io.homeDir }) : []
  const places = [...paths.map((path) => namedPlace(path, io)), ...usual]
  const finds = (await Promise.all(places.map((place) => findModels(place)))).flat()
  const seen = new Set<string>()
  const good = finds.flatMap((find) => {
    if (!find.ok) return []
    // A place may be named twice, or lie in another one.
    const key = find.model.shards.map(({ real }) => real).join('\n')
    if (seen.has(key)) return []
    seen.add(key)
    return [find]
  })
  const unused = places.length === 0 && paths.length === 0 && all
  const nowhere: Find = {
    ok: false,
    shown: 'this machine',
    reason: 'none of the usual places of models is there',
  }
  return {
    models: good.map(({ model }) => model),
    warnings: good.map(({ warnings }) => warnings),
    refused: [...finds, ...(unused ? [nowhere] : [])].flatMap((find) => (find.ok ? [] : [find])),
  }
}

/** Runs `work` so that an interrupt ends it in good order. */
export async function interruptible<T>(io: CliIo, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const release = io.onInterrupt?.(() => controller.abort())
  try {
    return await work(controller.signal)
  } finally {
    release?.()
  }
}

/** What cannot be scanned, to standard error. */
export function tellRefused(refused: FoundModels['refused'], io: CliIo): void {
  const problems = refused.map(({ shown, reason }) => {
    return { severity: 'warning', code: 'scan-refused', message: reason, file: shown, range: null } as const
  })
  reportProblems(problems, () => undefined, io)
}

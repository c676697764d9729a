import { findModels } from '../host/scan/find-models.ts'
import { distinctFinds, type FoundModels } from '../host/scan/found-model.ts'
import { usualPlaces } from '../host/scan/usual-places.ts'
import type { CliIo } from './io.ts'
import { reportProblems } from './report.ts'
import type { ScanModelsInvocation } from './scan-arguments.ts'
import { namedPlace } from './scan-setting.ts'

/** Looks at every place that `scan models` was told of; a model that is found twice counts once. */
export async function findAll(
  { paths, usualPlaces: all }: ScanModelsInvocation,
  io: CliIo,
): Promise<FoundModels> {
  const usual = all ? await usualPlaces({ env: io.env, platform: process.platform, home: io.homeDir }) : []
  const places = [...paths.map((path) => namedPlace(path, io)), ...usual]
  const finds = (await Promise.all(places.map((place) => findModels(place)))).flat()
  if (places.length === 0 && all) {
    finds.push({ ok: false, shown: 'this machine', reason: 'none of the usual places of models is there' })
  }
  return distinctFinds(finds)
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

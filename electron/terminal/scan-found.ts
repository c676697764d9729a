import { slowHashLines } from '../host/scan/blake3-hasher.ts'
import { findModels } from '../host/scan/find-models.ts'
import { distinctFinds, refused, type FoundModels } from '../host/scan/found-model.ts'
import { usualPlaces } from '../host/scan/usual-places.ts'
import type { CliIo } from './io.ts'
import { reportProblems } from './report.ts'
import type { ScanModelsInvocation } from './scan-arguments.ts'
import { namedPlace } from './scan-setting.ts'

/** Looks at every place that `scan models` was given; a model that is found twice counts once. */
export async function findAll(
  { paths, usualPlaces: all }: ScanModelsInvocation,
  io: CliIo,
): Promise<FoundModels> {
  const usual = all
    ? await usualPlaces({ env: io.env, platform: process.platform, home: io.homeDir })
    : { places: [], away: [] }
  const places = [...paths.map((path) => namedPlace(path, io)), ...usual.places]
  const finds = [
    ...(await Promise.all(places.map((place) => findModels(place)))).flat(),
    ...usual.away,
    ...(await slowHashLines()),
  ]
  if (places.length === 0 && all) {
    finds.push(refused('this machine', 'none of the usual places of models is there'))
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

/** What was not scanned, to standard error: a line each. */
export function tellLeftOut(leftOut: FoundModels['leftOut'], io: CliIo): void {
  const problems = leftOut.map(({ kind, shown, reason }) => {
    const isRefused = kind === 'refused'
    return {
      severity: isRefused ? 'warning' : 'info',
      code: isRefused ? 'scan-refused' : 'scan-passed-over',
      message: isRefused ? reason : `passed over: ${reason}`,
      file: shown,
      range: null,
    } as const
  })
  reportProblems(problems, () => undefined, io)
}

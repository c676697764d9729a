import { findModels } from '../../../../../electron/host/scan/find-models.ts'
import type { Find, FoundModel } from '../../../../../electron/host/scan/found-model.ts'
import type { Disk } from '../../../../../electron/host/disk.ts'

export function find(path: string, disk?: Disk): Promise<readonly Find[]> {
  return findModels({ path, shown: path }, disk)
}

export async function found(path: string): Promise<readonly FoundModel[]> {
  return (await find(path)).flatMap((each) => {
    if (each.ok) return [each.model]
    if (each.kind === 'refused') throw new Error(each.reason)
    return []
  })
}

export async function one(path: string): Promise<FoundModel> {
  const [model, ...more] = await found(path)
  if (!model || more.length > 0) throw new Error(`${more.length} more than one`)
  return model
}

export async function refusal(path: string, disk?: Disk): Promise<string> {
  const finds = await find(path, disk)
  return finds.map((each) => (each.ok ? 'found' : each.reason)).join('; ')
}

export function missing(model: FoundModel): readonly string[] {
  return model.missing
}

/** What was left out, `PLACE: REASON` each. */
export function lines(finds: readonly Find[]): readonly string[] {
  return finds.flatMap((each) => (each.ok ? [] : [`${each.shown}: ${each.reason}`]))
}

export function paths({ shards }: FoundModel): string[] {
  return shards.map(({ path }) => path)
}

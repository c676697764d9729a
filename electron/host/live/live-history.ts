import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { changeLine, readChanges, type LiveChange } from '../../../shared/live/history.ts'
import type { LiveState } from '../../../shared/live/states.ts'

/** Days that are kept, today included. */
const DAYS = 14
/** Most bytes of one day: a lab that changes more often than that has other troubles. */
const MAX_DAY_BYTES = 512 * 1024
const FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/

/** A bounded log of state changes in the settings folder, one file a day. */
export interface LiveHistory {
  /** Adds what changed since the last call. */
  readonly add: (states: readonly { readonly role: string; readonly state: LiveState }[]) => Promise<void>
  /** Says that nothing is asked any more: from now on no role's state is known. */
  readonly end: () => Promise<void>
  /** Everything that is kept, oldest first. */
  readonly read: () => Promise<readonly LiveChange[]>
}

/**
 * @param lab names the lab whose history it is: one folder for each, named after its hash.
 */
export function openLiveHistory(configDir: string, lab: string, nowSecs: () => number): LiveHistory {
  const folder = join(configDir, 'live', lab)
  let known: Map<string, LiveState | null> | null = null
  let sizes = new Map<string, number>()

  const read = async (): Promise<LiveChange[]> => {
    const files = (await readdir(folder).catch(() => [])).filter((name) => FILE.test(name)).sort()
    const oldest = dayOf(nowSecs() - (DAYS - 1) * 86_400)
    const changes: LiveChange[] = []
    for (const name of files) {
      if (name < `${oldest}.jsonl`) await rm(join(folder, name), { force: true })
      else {
        const text = await readFile(join(folder, name), 'utf8').catch(() => '')
        sizes = new Map(sizes).set(name, text.length)
        changes.push(...readChanges(text.slice(0, MAX_DAY_BYTES)))
      }
    }
    return changes
  }

  const add = async (
    states: readonly { readonly role: string; readonly state: LiveState | null }[],
  ): Promise<void> => {
    known ??= new Map((await read()).map(({ role, state }) => [role, state]))
    const atSecs = nowSecs()
    const changed = states.filter(({ role, state }) => known?.get(role) !== state)
    if (changed.length === 0) return
    const name = `${dayOf(atSecs)}.jsonl`
    const text = changed.map(({ role, state }) => changeLine({ atSecs, role, state })).join('')
    const size = sizes.get(name) ?? 0
    if (size + text.length > MAX_DAY_BYTES) return
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await appendFile(join(folder, name), text, { mode: 0o600 })
    sizes = new Map(sizes).set(name, size + text.length)
    for (const { role, state } of changed) known.set(role, state)
  }

  return {
    read,
    add,
    end: () => add([...(known?.keys() ?? [])].map((role) => ({ role, state: null }))),
  }
}

function dayOf(secs: number): string {
  return new Date(secs * 1000).toISOString().slice(0, 10)
}

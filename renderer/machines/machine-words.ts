import { formatBytes } from '../../shared/bytes.ts'
import { ageWords, keptFactsWords, stateWords } from '../../shared/gather/machines.ts'
import type { MachineReport, MachineRow } from '../../shared/gather/report.ts'
import { durationText } from '../../shared/scan/progress.ts'

/** What is going on with a machine, in a line. */
export function machineLine({ state, factsAt }: MachineRow, nowSecs: number): string {
  if (state === null) {
    return factsAt === null ? 'not gathered yet' : `facts are ${ageWords(factsAt, nowSecs)}`
  }
  if (state.kind !== 'working') return stateWords(state)
  const { stage, doneBytes, totalBytes, secondsLeft } = state.progress
  if (stage !== 'hashing' || totalBytes === '0') return stateWords(state)
  const left = secondsLeft === null ? '' : `, ${durationText(Math.ceil(secondsLeft))} left`
  return `hashes ${formatBytes(BigInt(doneBytes))} of ${formatBytes(BigInt(totalBytes))}${left}`
}

/** What became of the facts of a machine that did not answer; null for any other. */
export function staleLine({ state, factsAt }: MachineRow, nowSecs: number): string | null {
  return state?.kind === 'failed' || state?.kind === 'stopped' ? keptFactsWords(factsAt, nowSecs) : null
}

/** `5 machines: 3 gathered, 1 did not answer`. */
export function countsSentence({ machines }: MachineReport): string {
  const count = (...kinds: readonly string[]): number =>
    machines.filter(({ state }) => state !== null && kinds.includes(state.kind)).length
  const parts = [
    [count('gathered'), 'gathered'],
    [count('failed'), 'did not answer'],
    [count('stopped'), 'stopped'],
    [count('connecting', 'working'), 'under way'],
    [count('waiting'), 'waiting'],
  ] as const
  const said = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  const head = machines.length === 1 ? '1 machine' : `${machines.length} machines`
  return said.length === 0 ? `${head}.` : `${head}: ${said.join(', ')}.`
}

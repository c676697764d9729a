import { formatBytes } from '../../shared/bytes.ts'
import type { MachineState } from '../../shared/gather/machines.ts'
import { durationText } from '../../shared/scan/progress.ts'
import { outputWidth, type CliIo } from './io.ts'
import { truncate } from './width.ts'

/** The one line that says how far a gathering is, written over itself; nothing where there is no terminal. */
export interface GatherLine {
  readonly show: (nodeId: string, state: MachineState) => void
  readonly clear: () => void
}

const TO_START = '\r'
const ERASE_LINE = '\u001b[K'

export function gatherLine(count: number, io: CliIo): GatherLine {
  if (!io.stderrIsTty) return { show: () => undefined, clear: () => undefined }
  const states = new Map<string, MachineState>()
  let shown = false
  return {
    show: (nodeId, state) => {
      states.set(nodeId, state)
      // The last cell stays free: some terminals wrap when it is written.
      const text = truncate(gatherText(states, count), outputWidth(io) - 1)
      io.stderr(`${TO_START}${text}${ERASE_LINE}`)
      shown = true
    },
    clear: () => {
      if (shown) io.stderr(`${TO_START}${ERASE_LINE}`)
      shown = false
    },
  }
}

/** `Gathered 3 of 5: gpu-box 12.3 GB of 55.0 GB, 21 s left; pi connects`. */
function gatherText(states: ReadonlyMap<string, MachineState>, count: number): string {
  const done = [...states.values()].filter(({ kind }) => ['gathered', 'failed', 'stopped'].includes(kind))
  const under = [...states].flatMap(([nodeId, state]) => {
    if (state.kind === 'connecting') return [`${nodeId} connects`]
    if (state.kind !== 'working') return []
    const { stage, doneBytes, totalBytes, secondsLeft } = state.progress
    if (stage !== 'hashing' || totalBytes === '0') return [`${nodeId} is looked at`]
    const left = secondsLeft === null ? '' : `, ${durationText(Math.ceil(secondsLeft))} left`
    return [`${nodeId} ${formatBytes(BigInt(doneBytes))} of ${formatBytes(BigInt(totalBytes))}${left}`]
  })
  // What hashes is worth more than what connects.
  const order = under.toSorted((a, b) => Number(b.includes(' of ')) - Number(a.includes(' of ')))
  return `Gathered ${done.length} of ${count}${order.length === 0 ? '' : `: ${order.join('; ')}`}`
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { FrameReader } from '../../../shared/gather/frames.ts'
import type { LinkPair, LinkResult } from '../../../shared/gather/link-pairs.ts'
import type { Machine } from '../../../shared/gather/machines.ts'
import { sshWords } from '../../../shared/gather/ssh-words.ts'
import { SSH_OPTIONS } from './ssh-session.ts'

export interface MeasureOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Bytes that are moved. */
  readonly bytes: number
  readonly limitMs?: number
}

const LIMIT_MS = 120_000

/**
 * Measures how fast `to` reads from `from` by its own ssh: zeros, never compressed, never written. The time is taken
 * here, from the first byte to the last, so that connecting does not count.
 */
export function measureLink(
  { from, to }: LinkPair,
  machines: readonly Machine[],
  options: MeasureOptions,
): Promise<LinkResult> {
  const sshOf = (nodeId: string): string | null =>
    machines.find((machine) => machine.nodeId === nodeId)?.ssh ?? null
  const [source, target] = [sshOf(from), sshOf(to)]
  const fail = (reason: string): LinkResult => ({ from, to, mbps: null, reason })
  if (source === null || target === null) return Promise.resolve(fail('it is no machine of the lab'))
  const mark = randomBytes(16).toString('hex')
  const script = pullScript(mark, source, options.bytes)
  return new Promise((resolve) => {
    const child = spawn('ssh', [...SSH_OPTIONS, '--', target, `exec sh -c '${script}'`], {
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: options.signal,
      timeout: options.limitMs ?? LIMIT_MS,
    })
    const frames = new FrameReader(mark, 4096)
    let stderr = ''
    let startedMs: number | null = null
    let mbps: number | null = null
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      for (const line of frames.push(part)) {
        if (line === 'first') startedMs = performance.now()
        const [, count] = /^done\s+(\d+)$/.exec(line) ?? []
        if (count === undefined || startedMs === null || Number(count) < options.bytes / 2) continue
        mbps = (Number(count) * 8) / 1e3 / Math.max(1, performance.now() - startedMs)
      }
    })
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr = (stderr + part).slice(-4096)
    })
    child.on('error', () => undefined)
    child.on('close', (code) => {
      resolve(mbps === null ? fail(sshWords(stderr, code)) : { from, to, mbps, reason: null })
    })
  })
}

/** Read by any login shell, as in shared/gather/remote-command.ts: no quote, backslash or line end in it. */
function pullScript(mark: string, source: string, bytes: number): string {
  const inner = 'ssh -o BatchMode=yes -o ConnectTimeout=10 -o Compression=no -o LogLevel=ERROR'
  const pull = `${inner} -- ${source} head -c ${bytes} /dev/zero`
  return `m=${mark}; ${pull} | { dd bs=1 count=1 of=/dev/null 2>/dev/null; echo "@$m first"; n=$(wc -c); echo "@$m done" $n; }`
}

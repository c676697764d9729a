import { spawn } from 'node:child_process'
import { FrameReader } from '../../../shared/gather/frames.ts'
import { MAX_GATHER_TEXT } from '../../../shared/gather/messages.ts'
import { answererIn, remoteCommand, type Answerer } from '../../../shared/gather/remote-command.ts'
import { sshWords } from '../../../shared/gather/ssh-words.ts'

/** How long a machine may take, in milliseconds. */
export interface SshTimes {
  /** To connect, and to start its shell. */
  readonly ready: number
  /** Without a word after that; whatever answers says something at least every second. */
  readonly silence: number
}

const SSH_TIMES: SshTimes = { ready: 30_000, silence: 60_000 }

/**
 * What every ssh of ours is given: nothing is asked for, nothing is forwarded, and nothing is left running. Whether an
 * unknown host key counts is the operator's configuration to say; by itself ssh refuses it where it cannot ask.
 */
export const SSH_OPTIONS: readonly string[] = [
  ...['-T', '-a', '-x'],
  ...['BatchMode=yes', 'ConnectTimeout=10', 'ServerAliveInterval=5', 'ServerAliveCountMax=3'].flatMap(option),
  ...['ClearAllForwardings=yes', 'PermitLocalCommand=no', 'RemoteCommand=none', 'ControlMaster=no'].flatMap(
    option,
  ),
  ...option('LogLevel=ERROR'),
]

function option(text: string): readonly string[] {
  return ['-o', text]
}

export interface SshQuestion {
  /** A host of the operator's ssh configuration. */
  readonly host: string
  /** Stands before every line of the answer. */
  readonly mark: string
  /** What goes to the standard input of what answers. */
  readonly inputFor: (answerer: Answerer) => Promise<string>
  /** Gets each line of the answer. True: it is whole, nothing more is waited for. */
  readonly onLine: (line: string, answerer: Answerer) => boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly times?: SshTimes
}

export type SshEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'stopped' }
  /** In ssh's words, where it said any. */
  | { readonly kind: 'failed'; readonly reason: string }

const MAX_SAID = 8192

/** How long ssh has to end when it is asked to, in milliseconds. */
const KILL_AFTER_MS = 3000

/** Asks one machine over the system's own `ssh`. Whatever happens, no process of ours is left on this machine. */
export function askOverSsh(question: SshQuestion): Promise<SshEnd> {
  return new Promise((resolve) => {
    new Session(question, resolve).start()
  })
}

class Session {
  readonly #question: SshQuestion
  readonly #resolve: (end: SshEnd) => void
  readonly #frames: FrameReader
  readonly #times: SshTimes
  readonly #child: ReturnType<typeof startSsh>
  #answerer: Answerer | null = null
  #stdout = ''
  #stderr = ''
  #end: SshEnd | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(question: SshQuestion, resolve: (end: SshEnd) => void) {
    this.#question = question
    this.#resolve = resolve
    this.#frames = new FrameReader(question.mark, MAX_GATHER_TEXT)
    this.#times = question.times ?? SSH_TIMES
    this.#child = startSsh(question)
  }

  start(): void {
    const { signal } = this.#question
    const stop = (): void => this.#finish({ kind: 'stopped' })
    this.#wait(this.#times.ready)
    // The answerer may be gone before it has read its input.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stdout.setEncoding('utf8').on('data', (part: string) => this.#read(part))
    this.#child.stderr.setEncoding('utf8').on('data', (part: string) => {
      this.#stderr = (this.#stderr + part).slice(-MAX_SAID)
    })
    this.#child.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'ENOENT' ? NO_SSH : `ssh cannot be started: ${error.code ?? ''}`
      this.#finish({ kind: 'failed', reason })
      this.#settle(signal, stop)
    })
    this.#child.on('close', (code) => {
      this.#finish({ kind: 'failed', reason: this.#whyItEnded(code) })
      this.#settle(signal, stop)
    })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  }

  #settle(signal: AbortSignal, stop: () => void): void {
    signal.removeEventListener('abort', stop)
    clearTimeout(this.#timer)
    this.#resolve(this.#end ?? { kind: 'stopped' })
  }

  #read(part: string): void {
    if (this.#end !== null) return
    this.#stdout = (this.#stdout + part).slice(-MAX_SAID)
    for (const line of this.#frames.push(part)) {
      if (this.#answerer === null) {
        this.#answerer = answererIn(line)
        if (this.#answerer !== null) this.#send(this.#answerer)
      } else if (this.#question.onLine(line, this.#answerer)) {
        this.#finish({ kind: 'answered' })
        return
      }
      this.#wait(this.#times.silence)
    }
    if (this.#frames.isTooLong) this.#finish({ kind: 'failed', reason: 'its answer is too long' })
  }

  #send(answerer: Answerer): void {
    this.#question.inputFor(answerer).then(
      (input) => this.#child.stdin.end(input),
      (error: unknown) => this.#finish({ kind: 'failed', reason: String(error) }),
    )
  }

  #wait(limitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const what = this.#answerer === null ? 'its shell did not start' : 'it fell silent'
      const said = this.#stderr.trim() === '' ? '' : `: ${sshWords(this.#stderr, null)}`
      const reason = `${what} within ${Math.round(limitMs / 1000)} s${said}`
      this.#finish({ kind: 'failed', reason })
    }, limitMs)
  }

  /** The first end counts; `close` then settles it. */
  #finish(end: SshEnd): void {
    if (this.#end !== null) return
    this.#end = end
    clearTimeout(this.#timer)
    endGroup(this.#child.pid, 'SIGTERM')
    this.#timer = setTimeout(() => {
      endGroup(this.#child.pid, 'SIGKILL')
      this.#child.stdout.destroy()
      this.#child.stderr.destroy()
    }, KILL_AFTER_MS)
  }

  #whyItEnded(code: number | null): string {
    const said = this.#stderr.trim()
    if (code === 255 && this.#answerer === null) return sshWords(this.#stderr, code)
    if (this.#answerer === null) {
      const words = said === '' ? this.#stdout.trim() : said
      return `it has no shell that answers: ${sshWords(words, code)}`
    }
    return `the connection ended before the answer was whole${said === '' ? exitWords(code) : `: ${sshWords(said, code)}`}`
  }
}

const NO_SSH = 'there is no ssh on this machine: install OpenSSH’s client'

function exitWords(code: number | null): string {
  return code === null ? '' : ` (exit code ${code})`
}

function startSsh({ host, mark, env }: SshQuestion) {
  // In a group and session of its own: it has no terminal to ask on, and its helpers end with it.
  return spawn('ssh', [...SSH_OPTIONS, '--', host, remoteCommand(mark)], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  })
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // It ended just now.
  }
}

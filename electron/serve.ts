import { once } from 'node:events'
import { fstatSync, type Stats } from 'node:fs'
import { assembleHost } from './assemble-host.ts'
import { errorCode } from './host/system-error.ts'
import type { LabPaths } from './host/paths.ts'
import { installedFiles } from './installed-files.ts'
import { startLoopback, type Loopback, type LoopbackOptions } from './loopback.ts'
import { openBrowser, type OpenedBrowser } from './open-browser.ts'

export interface ServeOptions {
  /** Null: the usual port, or any free one when that is taken. */
  readonly port: number | null
  /** Opens a browser at the address. */
  readonly open: boolean
  /** The lab to open; null for the one in its default place. */
  readonly lab: LabPaths | null
}

/** What serving touches of its process; the terminal's `CliIo` has all of it. */
export interface ServeIo {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  readonly homeDir: string
  /** Stops the server, as Ctrl-C does. */
  readonly stop?: AbortSignal
}

/** The port to find a forwarded planner at again; nothing else is known to use it. */
const USUAL_PORT = 7321
const FINE = 0
const BAD_INPUT = 3

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * `lab-planner serve`: the planner for a browser on this machine, until it is stopped (Ctrl-C, SIGTERM). Says
 * in one line where it listens. Resolves with the exit code: 0 when it was stopped, 3 when the port cannot be
 * had.
 */
export async function serve(options: ServeOptions, io: ServeIo): Promise<number> {
  const installed = installedFiles(import.meta.dirname)
  const log = (line: string) => io.stderr(`lab-planner: ${line}\n`)
  const { host, dispatch } = await assembleHost({
    kind: 'browser',
    installed,
    env: io.env,
    home: io.homeDir,
    lab: options.lab,
    dialogs: null,
    reveal: null,
    log,
  })
  const port = options.port ?? USUAL_PORT
  const loopback = await listen({ host, dispatch, renderer: installed.renderer, port }, options)
  if (loopback === null) {
    log(`port ${port} cannot be had: name another with --port, or leave it out for a free one`)
    await host.close()
    return BAD_INPUT
  }
  const stopped = stopSignal(io.stop)
  const exposed = exposedTo(ownOutput())
  if (exposed !== null)
    log(`the address below lets in anyone who reads it, and standard output is ${exposed}`)
  io.stdout(`Lab Planner listens on ${loopback.url} (Ctrl-C stops it)\n`)
  const browser = options.open ? await openIn(loopback.url, io, log) : null
  await stopped
  await loopback.close()
  await host.close()
  if (browser?.ok) await browser.close()
  return FINE
}

/**
 * Says, as a sentence part, when the output that gets the address is a file that other accounts may read; null
 * for a terminal, a pipe, and a file of one's own. Windows has no such modes.
 */
export function exposedTo(output: Pick<Stats, 'isFile' | 'mode'> | null): string | null {
  if (output === null || process.platform === 'win32' || !output.isFile()) return null
  if ((output.mode & 0o044) === 0) return null
  return 'a file that other accounts can read: stop, set `umask 077`, remove the file, and start again'
}

function ownOutput(): Stats | null {
  try {
    return fstatSync(process.stdout.fd)
  } catch {
    return null
  }
}

/** Null when the port is taken or may not be used. */
async function listen(parts: LoopbackOptions, { port }: ServeOptions): Promise<Loopback | null> {
  try {
    return await startLoopback(parts)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    return port === null ? startLoopback({ ...parts, port: 0 }) : null
  }
}

async function openIn(url: string, io: ServeIo, log: (line: string) => void): Promise<OpenedBrowser> {
  const opened = await openBrowser(url, {
    env: io.env,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
  })
  if (!opened.ok) log(`no browser was opened (${opened.reason}): open the address above in one`)
  return opened
}

/**
 * Resolves when the process is asked to stop. A second Ctrl-C is the system's own again and ends it at once.
 */
async function stopSignal(stop: AbortSignal | undefined): Promise<void> {
  const done = new AbortController()
  const waits = STOP_SIGNALS.map((name) => once(process, name, { signal: done.signal }))
  if (stop?.aborted) done.abort()
  const stopped = stop ? [once(stop, 'abort', { signal: done.signal })] : []
  // Those that were waited for in vain are let go of, whichever came.
  await Promise.race([...waits, ...stopped]).catch(() => undefined)
  done.abort()
  await Promise.allSettled([...waits, ...stopped])
}

import { spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** How a program ended, or why there is nothing to tell. */
export type ProgramAnswer =
  | { readonly kind: 'ended'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'failed' }

/** Runs a program and waits for its end, but no longer than its time limit. Never throws. */
export type AskProgram = (
  command: string,
  args: readonly string[],
  timeoutMs: number,
) => Promise<ProgramAnswer>

/** More than any version or list of cards; what comes after it is not read. */
const MAX_OUTPUT_BYTES = 256 * 1024

/** What decides where programs are looked for. */
export interface ProgramSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** Asks programs on the `PATH` of `around`, without a shell and without input. */
export function programAsker(around: ProgramSurroundings): AskProgram {
  const folders = searchPath(around)
  return (command, args, timeoutMs) => {
    const file = findProgram(command, folders, around.platform)
    if (file === null) return Promise.resolve({ kind: 'absent' })
    return run(file, args, { ...around.env, PATH: folders.join(delimiter) }, timeoutMs)
  }
}

/**
 * Where programs are installed that a `PATH` often lacks: that of a service, of a command over ssh, of a window
 * started from the Finder.
 */
const USUAL_FOLDERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'],
  linux: [
    ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/opt/rocm/bin', '/usr/lib/wsl/lib'],
    ...['/snap/bin', '/usr/local/cuda/bin'],
  ],
}

function usualFolders({ env, platform }: ProgramSurroundings): readonly string[] {
  const home = env['HOME'] ?? ''
  const own = platform !== 'win32' && isAbsolute(home) ? [join(home, '.local', 'bin')] : []
  return [...own, ...(USUAL_FOLDERS[platform] ?? [])]
}

function searchPath(around: ProgramSurroundings): readonly string[] {
  const { env } = around
  const path = env['PATH'] ?? env['Path'] ?? ''
  const own = path.split(delimiter).filter((folder) => isAbsolute(folder))
  return [...new Set([...own, ...usualFolders(around)])]
}

function findProgram(command: string, folders: readonly string[], platform: NodeJS.Platform): string | null {
  const names = platform === 'win32' ? [`${command}.exe`] : [command]
  for (const folder of folders) {
    for (const name of names) {
      const file = join(folder, name)
      if (isProgram(file)) return file
    }
  }
  return null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function run(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number,
): Promise<ProgramAnswer> {
  return new Promise((resolve) => {
    // In a group of its own, so that what it starts itself can be ended with it.
    const child = spawn(file, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    const settle = (answer: ProgramAnswer): void => {
      clearTimeout(timer)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => {
      endGroup(child.pid)
      // What waits for a share that is gone cannot even be ended: this process must not wait for it.
      child.unref()
      settle({ kind: 'timed_out' })
    }, timeoutMs)
    child.on('error', () => settle({ kind: 'failed' }))
    child.on('close', (exitCode) => {
      settle(
        exitCode === null
          ? { kind: 'failed' }
          : { kind: 'ended', exitCode, stdout: stdout(), stderr: stderr() },
      )
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It ended just now.
  }
}

/**
 * Gathers the start of a stream; the rest is read and dropped, so that the program does not wait to be read.
 */
function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = []
  let length = 0
  stream.on('data', (part: Buffer) => {
    if (length >= MAX_OUTPUT_BYTES) return
    parts.push(part.subarray(0, MAX_OUTPUT_BYTES - length))
    length += part.length
  })
  return () => Buffer.concat(parts).toString('utf8')
}

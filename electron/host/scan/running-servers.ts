import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  NVIDIA_APPS_ARGS,
  ownBytesOfStatus,
  readNvidiaApps,
  readPs,
  serversAmong,
  type MachineProcess,
  type RunningServer,
} from '../../../shared/scan/server-processes.ts'
import { mapBounded } from '../map-bounded.ts'
import type { AskProgram } from './ask-program.ts'

const ASK_MS = 5000
const AT_ONCE = 32

/**
 * The inference servers that run on this machine and what each holds of the memory for models; null where processes
 * cannot be listed. Where no accelerator has memory of its own, models run in the system's.
 */
export async function runningServers(
  platform: NodeJS.Platform,
  ask: AskProgram,
): Promise<readonly RunningServer[] | null> {
  if (platform === 'darwin') {
    const answer = await ask('ps', ['-axo', 'pid=,ppid=,rss=,command='], ASK_MS)
    return answer.kind === 'ended' ? serversAmong(readPs(answer.stdout), new Map(), 'unified') : null
  }
  if (platform !== 'linux') return null
  const [processes, nvidia, amd] = await Promise.all([linuxProcesses(), nvidiaApps(ask), amdProcesses()])
  if (processes === null) return null
  const accelerator = new Map([...amd, ...nvidia])
  // A card that reports what its processes hold has memory that is counted apart from the system's.
  const pool = accelerator.size > 0 || (await hasOwnMemory(ask)) ? 'accelerator' : 'unified'
  return serversAmong(processes, accelerator, pool)
}

async function nvidiaApps(ask: AskProgram): Promise<ReadonlyMap<number, bigint>> {
  const answer = await ask('nvidia-smi', NVIDIA_APPS_ARGS, ASK_MS)
  return answer.kind === 'ended' ? readNvidiaApps(answer.stdout) : new Map<number, bigint>()
}

/** Whether some card lists memory of its own, whatever runs on it. */
async function hasOwnMemory(ask: AskProgram): Promise<boolean> {
  const answer = await ask(
    'nvidia-smi',
    ['--query-gpu=memory.total', '--format=csv,noheader,nounits'],
    ASK_MS,
  )
  return answer.kind === 'ended' && /^\s*\d+\s*$/m.test(answer.stdout)
}

const KFD = '/sys/class/kfd/kfd/proc'

/** What processes hold on AMD cards: a file for each card, bytes. */
async function amdProcesses(): Promise<ReadonlyMap<number, bigint>> {
  const held = new Map<number, bigint>()
  for (const pid of await readdir(KFD).catch((): string[] => [])) {
    if (!/^\d+$/.test(pid)) continue
    const names = await readdir(join(KFD, pid)).catch((): string[] => [])
    for (const name of names.filter((each) => /^vram_\d+$/.test(each))) {
      const text = (await readFile(join(KFD, pid, name), 'utf8').catch(() => '')).trim()
      if (/^\d{1,18}$/.test(text)) held.set(Number(pid), (held.get(Number(pid)) ?? 0n) + BigInt(text))
    }
  }
  return held
}

async function linuxProcesses(): Promise<readonly MachineProcess[] | null> {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return null
  const pids = names.filter((name) => /^\d+$/.test(name))
  const found = await mapBounded(pids, AT_ONCE, linuxProcess)
  return found.flatMap((each) => each ?? [])
}

/** Null for one that ended just now, and for a thread of the kernel. */
async function linuxProcess(pid: string): Promise<MachineProcess | null> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const [command, status] = await Promise.all([read('cmdline'), read('status')])
  if (command === '') return null
  return {
    pid: Number(pid),
    parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1] ?? 0),
    command: command.split('\0').filter((part) => part !== ''),
    systemBytes: ownBytesOfStatus(status),
  }
}

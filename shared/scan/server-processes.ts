/** A process of the machine, as its system lists it. */
export interface MachineProcess {
  readonly pid: number
  readonly parent: number
  /** The program and its arguments. Read for a port and a model only: arguments can hold keys. */
  readonly command: readonly string[]
  /** Memory of the system that only it has, in bytes: not what is mapped from files, which counts as free. */
  readonly systemBytes: bigint
}

/** An inference server that runs on the machine. */
export interface RunningServer {
  readonly pid: number
  readonly process: string
  readonly port: number | null
  /** The file name of its model; null where its command does not say. */
  readonly model: string | null
  /** Of the memory that models run in, in bytes: its own and that of the processes it started. */
  readonly bytes: bigint
}

interface ServerKind {
  readonly name: string
  readonly is: (command: readonly string[]) => boolean
  /** The port it takes when its command names none; null where builds differ. */
  readonly usualPort: number | null
}

/** Options that name a port, and those that name a model. */
const PORT_OPTIONS = ['--port', '-p']
const MODEL_OPTIONS = ['--model', '-m', '--model-path', '--hf-file', '-hff']

const KINDS: readonly ServerKind[] = [
  // A runner serves one model of Ollama's, behind the port of the server that started it.
  {
    name: 'ollama',
    is: (command) => isProgram(command, 'ollama') && command[1] === 'runner',
    usualPort: 11_434,
  },
  { name: 'ollama', is: (command) => isProgram(command, 'ollama_llama_server'), usualPort: 11_434 },
  { name: 'llama-server', is: (command) => isProgram(command, 'llama-server'), usualPort: null },
  {
    name: 'mlx_lm.server',
    is: (command) => isProgram(command, 'mlx_lm.server') || runsModule(command, /^mlx_lm(?:\.server)?$/),
    usualPort: 8080,
  },
  {
    name: 'vllm',
    is: (command) => isProgram(command, 'vllm') || runsModule(command, /^vllm\.entrypoints\./),
    usualPort: 8000,
  },
  { name: 'llama_cpp.server', is: (command) => runsModule(command, /^llama_cpp\.server$/), usualPort: 8000 },
  {
    name: 'sglang',
    is: (command) => isProgram(command, 'sglang') || runsModule(command, /^sglang\.launch_server$/),
    usualPort: 30_000,
  },
  {
    name: 'koboldcpp',
    is: (command) =>
      ['koboldcpp', 'koboldcpp.py', 'koboldcpp-linux-x64'].some((name) => isProgram(command, name)),
    usualPort: 5001,
  },
  { name: 'llamafile', is: (command) => isProgram(command, 'llamafile'), usualPort: 8080 },
]

/**
 * The inference servers among `processes`, each with what its children hold. `accelerator`: bytes on accelerators by
 * process. `pool`: `unified` when models run in the system's memory, else only accelerators count.
 */
export function serversAmong(
  processes: readonly MachineProcess[],
  accelerator: ReadonlyMap<number, bigint>,
  pool: 'unified' | 'accelerator',
): readonly RunningServer[] {
  const children = new Map<number, MachineProcess[]>()
  for (const each of processes) children.set(each.parent, [...(children.get(each.parent) ?? []), each])
  const kinds = new Map(
    processes.flatMap((each) => {
      const kind = KINDS.find(({ is }) => is(each.command))
      return kind === undefined ? [] : [[each.pid, kind] as const]
    }),
  )
  const held = (process: MachineProcess, seen: Set<number>): bigint => {
    if (seen.has(process.pid)) return 0n
    seen.add(process.pid)
    const own = (accelerator.get(process.pid) ?? 0n) + (pool === 'unified' ? process.systemBytes : 0n)
    // A server that another one started stands for itself.
    const started = (children.get(process.pid) ?? []).filter(({ pid }) => !kinds.has(pid))
    return started.reduce((sum, child) => sum + held(child, seen), own)
  }
  return processes.flatMap((process): RunningServer[] => {
    const kind = kinds.get(process.pid)
    if (kind === undefined) return []
    const isRunner = kind.name === 'ollama'
    return [
      {
        pid: process.pid,
        process: kind.name,
        port: (isRunner ? null : portOf(process.command)) ?? kind.usualPort,
        model: modelOf(process.command),
        bytes: held(process, new Set()),
      },
    ]
  })
}

function isProgram(command: readonly string[], name: string): boolean {
  // A script is named after its interpreter.
  return command
    .slice(0, 2)
    .some((part, i) => tail(part) === name && (i === 0 || /^python|^node$/.test(tail(command[0] ?? ''))))
}

function runsModule(command: readonly string[], module: RegExp): boolean {
  const at = command.indexOf('-m')
  return at > 0 && /^python/.test(tail(command[0] ?? '')) && module.test(command[at + 1] ?? '')
}

function portOf(command: readonly string[]): number | null {
  const port = Number(optionOf(command, PORT_OPTIONS))
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null
}

function modelOf(command: readonly string[]): string | null {
  // `python -m MODULE` is no model.
  const own = /^python/.test(tail(command[0] ?? '')) && command[1] === '-m' ? command.slice(3) : command
  const named = optionOf(own, MODEL_OPTIONS)
  if (named !== null) return tail(named) === '' ? null : tail(named)
  const isVllm = own.findIndex((part) => part === 'serve')
  const served = isVllm > 0 ? own[isVllm + 1] : undefined
  return served === undefined || served.startsWith('-') ? null : tail(served)
}

function optionOf(command: readonly string[], names: readonly string[]): string | null {
  for (const [i, part] of command.entries()) {
    if (names.includes(part)) return command[i + 1] ?? null
    const name = names.find((each) => each.startsWith('--') && part.startsWith(`${each}=`))
    if (name !== undefined) return part.slice(name.length + 1)
  }
  return null
}

function tail(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

/** What is asked of `nvidia-smi` to know which process holds how much. */
export const NVIDIA_APPS_ARGS = [
  '--query-compute-apps=pid,used_gpu_memory',
  '--format=csv,noheader,nounits',
] as const

/** Reads what it answers: a line for each process and card, memory in MiB; what it cannot say counts as nothing. */
export function readNvidiaApps(output: string): ReadonlyMap<number, bigint> {
  const held = new Map<number, bigint>()
  for (const [, pid, mebibytes] of output.matchAll(/^\s*(\d{1,10}),\s*(\d{1,10})\s*(?:MiB)?\s*$/gm)) {
    const process = Number(pid)
    held.set(process, (held.get(process) ?? 0n) + BigInt(mebibytes ?? 0) * 1024n * 1024n)
  }
  return held
}

/** Reads what macOS' `ps -axo pid=,ppid=,rss=,command=` answers; memory is in KiB. */
export function readPs(output: string): readonly MachineProcess[] {
  return output.split('\n').flatMap((line): MachineProcess[] => {
    const [, pid, parent, kibibytes, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.+)$/.exec(line) ?? []
    if (command === undefined) return []
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        command: command.split(/\s+/),
        systemBytes: BigInt(kibibytes ?? 0) * 1024n,
      },
    ]
  })
}

/** Memory that only this process has, of the text of Linux' `/proc/PID/status`, in bytes. */
export function ownBytesOfStatus(status: string): bigint {
  let bytes = 0n
  for (const [, kibibytes] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) {
    bytes += BigInt(kibibytes ?? 0) * 1024n
  }
  return bytes
}

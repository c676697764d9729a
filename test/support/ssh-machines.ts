import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { addAccount, findTool, removeAccount, SYSTEM_PATH } from './accounts.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** What the tests of gathering need besides the project; `.ci/run` installs them. */
export const GATHER_TOOLS = ['sshd', 'ssh', 'ssh-keygen', 'fish'] as const

/** How a machine of a test behaves. */
export interface MachineKind {
  /** What runs the commands that ssh sends, as a login shell does: the text of a script. Left out: sh. */
  readonly loginShell?: string
  /**
   * An account of its own on this machine, with that program as its login shell and these files in its home, in place of
   * `loginShell`. Only root can make one.
   */
  readonly account?: { readonly shell: string; readonly files: Readonly<Record<string, string>> }
  /** Whether Node is on its PATH. */
  readonly node: boolean
  /** Whether Lab Planner is. */
  readonly planner?: boolean
  /** Whether the key of the test lets anyone in. */
  readonly refusesKey?: boolean
  /** Whether its host key is in the known hosts. */
  readonly unknownHost?: boolean
}

/** Real OpenSSH servers on 127.0.0.1, one a machine, each with a home of its own. */
export interface SshMachines {
  readonly folder: string
  /** The environment under which `ssh NAME` reaches them. */
  readonly env: Readonly<Record<string, string>>
  readonly home: (name: string) => string
  /** Every file below a machine's home, relative and sorted. */
  readonly filesAt: (name: string) => Promise<readonly string[]>
  readonly stop: () => Promise<void>
}

/** The fish shell as a login shell. */
export const FISH = '#!/bin/sh\nexec fish -c "$SSH_ORIGINAL_COMMAND"\n'
/** A shell that greets, without an end of its last line. */
export const BANNER =
  '#!/bin/sh\necho "*** Welcome ***"\nprintf "@ no answer: "\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n'
/** A shell that never starts anything. */
export const HANGS = '#!/bin/sh\nexec sleep 600\n'
/** A shell whose command is ended while it answers. */
export const DIES =
  '#!/bin/sh\nsh -c "$SSH_ORIGINAL_COMMAND" | while read -r line; do echo "$line"; case $line in *progress*) exit 3 ;; esac; done\nexit 3\n'

export async function startSshMachines(kinds: Readonly<Record<string, MachineKind>>): Promise<SshMachines> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-lab-'))
  const etc = join(folder, 'etc')
  const bin = join(folder, 'bin')
  for (const each of [etc, bin]) await mkdir(each, { mode: 0o700 })
  for (const key of ['user', 'stranger']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(etc, key)])
  }
  // A server of root wants this folder for its unprivileged half.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const servers: ChildProcess[] = []
  const accounts: string[] = []
  const config: string[] = []
  const known: string[] = []
  const home = (name: string): string => join(folder, 'homes', name)
  for (const [name, kind] of Object.entries(kinds)) {
    const started = await startMachine(name, kind, { folder, etc, home: home(name) })
    servers.push(started.server)
    config.push(`Host ${name}`, '  HostName 127.0.0.1', `  Port ${started.port}`)
    if (started.account !== null) {
      accounts.push(started.account)
      config.push(`  User ${started.account}`)
    }
    if (kind.unknownHost !== true) known.push(`[127.0.0.1]:${started.port} ${started.hostKey}`)
  }
  await writeFile(join(etc, 'known_hosts'), `${known.join('\n')}\n`)
  const rest = [
    'Host *',
    `  User ${userInfo().username}`,
    `  IdentityFile ${join(etc, 'user')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${join(etc, 'known_hosts')}`,
    '  GlobalKnownHostsFile none',
  ]
  await writeFile(join(etc, 'ssh_config'), [...config, ...rest, ''].join('\n'))
  const ssh = await findTool('ssh')
  await program(join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${join(etc, 'ssh_config')} "$@"\n`)
  return {
    folder,
    env: { PATH: `${bin}:${SYSTEM_PATH}`, HOME: join(folder, 'operator') },
    home,
    filesAt: async (name) => {
      const entries = await readdir(home(name), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => !entry.isDirectory())
      return files.map((entry) => relative(home(name), join(entry.parentPath, entry.name))).sort()
    },
    stop: async () => {
      for (const server of servers) server.kill()
      for (const account of accounts) await removeAccount(account)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Places {
  readonly folder: string
  readonly etc: string
  readonly home: string
}

async function startMachine(
  name: string,
  kind: MachineKind,
  { folder, etc, home }: Places,
): Promise<{ server: ChildProcess; port: number; hostKey: string; account: string | null }> {
  await mkdir(home, { recursive: true })
  const bin = join(folder, 'programs', name)
  await mkdir(bin, { recursive: true })
  await linkTools(bin)
  await program(
    join(bin, 'ssh'),
    `#!/bin/sh\nexec ${await findTool('ssh')} -F ${join(etc, 'ssh_config')} "$@"\n`,
  )
  if (kind.node) await symlink(process.execPath, join(bin, 'node'))
  if (kind.planner === true) {
    const entry = join(dirname(dirname(import.meta.dirname)), 'bin', 'lab-planner.js')
    await program(join(bin, 'lab-planner'), `#!/bin/sh\nexec ${process.execPath} ${entry} "$@"\n`)
  }
  const shell = join(folder, `${name}-shell`)
  await program(shell, kind.loginShell ?? '#!/bin/sh\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n')
  // An account must reach its home, and the server its keys under that account.
  if (kind.account !== undefined) for (const each of [folder, etc]) await chmod(each, 0o711)
  const account = kind.account === undefined ? null : await addAccount({ ...kind.account, home })
  const hostKey = join(etc, `${name}-host`)
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', hostKey])
  const port = await freePort()
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(etc, kind.refusesKey === true ? 'stranger.pub' : 'user.pub')}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'StrictModes no',
    'UsePAM no',
    'MaxStartups 100',
    `SetEnv PATH=${bin} HOME=${home} XDG_CONFIG_HOME=${join(home, '.config')}`,
    ...(account === null ? [`ForceCommand ${shell}`] : []),
    `PidFile none`,
    '',
  ]
  const config = join(etc, `${name}-sshd`)
  await writeFile(config, lines.join('\n'))
  const server = spawn(await findTool('sshd'), ['-D', '-e', '-f', config], { stdio: 'ignore' })
  await untilItListens(port, server)
  const { stdout } = await run('ssh-keygen', ['-y', '-f', hostKey])
  return { server, port, hostKey: stdout.trim(), account }
}

/** The tools that every machine has, in a folder that has no Node. */
async function linkTools(bin: string): Promise<void> {
  const tools = ['sh', 'sed', 'uname', 'df', 'timeout', 'sleep', 'cat', 'head', 'dd', 'wc', 'fish']
  for (const tool of tools) {
    const path = await findTool(tool)
    if (path !== '') await symlink(path, join(bin, tool))
  }
}

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await chmod(path, 0o755)
}

async function untilItListens(port: number, server: ChildProcess): Promise<void> {
  const { connect } = await import('node:net')
  for (let tries = 0; ; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('close', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
    if (tries > 200 || server.exitCode !== null) throw new Error('an ssh server does not listen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

import { execFile, spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addAccount, removeAccount } from './accounts.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** What the tests of fetch scripts need besides the project; `.ci/run` installs them. */
export const SSH_TOOLS = ['sshd', 'ssh', 'ssh-keygen', 'rsync', 'b3sum'] as const

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`

/** Those of `tools` that this machine lacks. */
export function missingTools(tools: readonly string[]): readonly string[] {
  return tools.filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`], { env: { PATH } }).status !== 0)
}

/** A real OpenSSH server on 127.0.0.1, whose host names are the nodes of a lab: all lead to this machine. */
export interface SshNodes {
  /** A folder of the test's own. */
  readonly folder: string
  /** The environment under which `ssh NODE` and rsync over it reach the server. */
  readonly env: Readonly<Record<string, string>>
  /** The home of a node's account; the test's own folder where nodes have none. */
  readonly homeOf: (nodeId: string) => string
  /** Gives what the test put below a node's home to that node's account. */
  readonly give: (nodeId: string) => void
  /** Runs a script on a node, under its account where it has one. */
  readonly runOn: (nodeId: string, script: string, args: readonly string[]) => SpawnSyncReturns<string>
  stop(): Promise<void>
}

/**
 * Starts the server for these node ids. It lets in by a key the user of the test, or with `accounts` (root only) each
 * node's own account, so that what one node can read and write on another is what ssh allows.
 */
export async function startSshNodes(
  nodeIds: readonly string[],
  { accounts = false }: { readonly accounts?: boolean } = {},
): Promise<SshNodes> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-ssh-'))
  const etc = join(folder, 'etc')
  const bin = join(folder, 'bin')
  await mkdir(etc, { mode: 0o700 })
  await mkdir(bin)
  for (const key of ['host', 'user']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(etc, key)])
  }
  // A server of root wants this folder for its unprivileged half.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true })
  const port = await freePort()
  await writeFile(
    join(etc, 'sshd_config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${join(etc, 'host')}`,
      `AuthorizedKeysFile ${join(etc, 'user.pub')}`,
      'PasswordAuthentication no',
      'StrictModes no',
      'UsePAM no',
      'MaxStartups 100',
      `PidFile ${join(etc, 'pid')}`,
      '',
    ].join('\n'),
  )
  const homeOf = (nodeId: string): string => (accounts ? join(folder, 'homes', nodeId) : folder)
  const userOf = new Map<string, string>()
  if (accounts) {
    for (const each of [folder, etc]) await chmod(each, 0o711)
    for (const nodeId of nodeIds) {
      const account = await addAccount({ home: homeOf(nodeId), shell: 'sh', files: {} })
      userOf.set(nodeId, account)
      // Each has the key as a file of its own: ssh takes none that others can read.
      await copyFile(join(etc, 'user'), join(etc, `key-${account}`))
      await run('chown', [account, join(etc, `key-${account}`)])
    }
    await copyFile(join(etc, 'user'), join(etc, `key-${userInfo().username}`))
  }
  const config = [
    ...nodeIds.flatMap((nodeId) => [`Host ${nodeId}`, `  User ${userOf.get(nodeId) ?? userInfo().username}`]),
    'Host *',
    '  HostName 127.0.0.1',
    `  Port ${port}`,
    `  IdentityFile ${join(etc, accounts ? 'key-%u' : 'user')}`,
    '  IdentitiesOnly yes',
    `  UserKnownHostsFile ${accounts ? '/dev/null' : join(etc, 'known_hosts')}`,
    '  StrictHostKeyChecking no',
    '  LogLevel ERROR',
    '',
  ]
  await writeFile(join(etc, 'ssh_config'), config.join('\n'))
  const ssh = (await run('sh', ['-c', 'command -v ssh'], { env: { PATH } })).stdout.trim()
  await writeFile(join(bin, 'ssh'), `#!/bin/sh\nexec ${ssh} -F ${join(etc, 'ssh_config')} "$@"\n`, {
    mode: 0o755,
  })
  const sshd = (await run('sh', ['-c', 'command -v sshd'], { env: { PATH } })).stdout.trim()
  const server = spawn(sshd, ['-D', '-e', '-f', join(etc, 'sshd_config')], { stdio: 'ignore' })
  const env = { PATH: `${bin}:${PATH}`, HOME: folder }
  await untilItAnswers(env, nodeIds[0] ?? 'localhost', server)
  return {
    folder,
    env,
    homeOf,
    give: (nodeId) => {
      const account = userOf.get(nodeId)
      if (account !== undefined) spawnSync('chown', ['-R', account, homeOf(nodeId)])
    },
    runOn: (nodeId, script, args) => {
      const account = userOf.get(nodeId)
      const as =
        account === undefined ? [] : ['setpriv', '--reuid', account, '--regid', account, '--clear-groups']
      const [command = 'sh', ...rest] = [...as, 'sh', script, ...args]
      return spawnSync(command, rest, { env: { ...env, HOME: homeOf(nodeId) }, encoding: 'utf8' })
    },
    stop: async () => {
      server.kill()
      for (const account of userOf.values()) await removeAccount(account)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(
  env: Readonly<Record<string, string>>,
  host: string,
  server: ChildProcess,
): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { status, stderr } = spawnSync('ssh', ['-o', 'BatchMode=yes', host, 'true'], {
      env,
      encoding: 'utf8',
    })
    if (status === 0) return
    if (tries > 100 || server.exitCode !== null) throw new Error(`the ssh server does not answer: ${stderr}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

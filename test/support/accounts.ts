import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { promisify } from 'node:util'
import { writeTree } from './temp-folder.ts'

const run = promisify(execFile)

/** Where the tools of the system's administrator are, too. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Whether this process may make accounts on this machine. */
export const CAN_ADD_ACCOUNTS = process.getuid?.() === 0

export interface AccountParts {
  readonly home: string
  /** The program of its login shell. */
  readonly shell: string
  /** What is in its home. */
  readonly files: Readonly<Record<string, string>>
}

/** Makes an account of this machine with a home of its own; returns its name. No password opens it. */
export async function addAccount({ home, shell, files }: AccountParts): Promise<string> {
  const account = `lp-test-${randomBytes(4).toString('hex')}`
  // `*` is a password that nothing matches, and not a locked account.
  const args = ['--no-create-home', '--home-dir', home, '--shell', await findTool(shell), '--password', '*']
  await run('useradd', [...args, account], { env: { PATH: SYSTEM_PATH } })
  await mkdir(home, { recursive: true })
  await writeTree(home, files)
  await run('chown', ['-R', account, home])
  return account
}

export async function removeAccount(account: string): Promise<void> {
  await run('userdel', ['--force', account], { env: { PATH: SYSTEM_PATH } })
}

/** The path of a program; empty where there is none. */
export async function findTool(tool: string): Promise<string> {
  const env = { PATH: SYSTEM_PATH }
  return (await run('sh', ['-c', `command -v ${tool} || true`], { env })).stdout.trim()
}

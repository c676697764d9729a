import { homedir } from 'node:os'
import { isatty } from 'node:tty'
import { version } from '../package.json'
import { parseArguments, type Invocation } from './terminal/arguments.ts'
import { checkCommand } from './terminal/check-command.ts'
import { diffCommand } from './terminal/diff-command.ts'
import { explainCommand } from './terminal/explain-command.ts'
import { exportCommand } from './terminal/export-command.ts'
import { hashCommand } from './terminal/hash-command.ts'
import { EXIT, type CliIo } from './terminal/io.ts'
import { licensesCommand } from './terminal/licenses-command.ts'
import { memoryCommand } from './terminal/memory-command.ts'
import { planCommand } from './terminal/plan-command.ts'
import { openScenario, underFlags } from './terminal/scenario-option.ts'
import { statusCommand } from './terminal/status-command.ts'
import { serveCommand } from './terminal/serve-command.ts'
import { rosterDraftCommand } from './terminal/roster-draft-command.ts'
import { readBounded } from './terminal/read-bounded.ts'
import { suggestCommand } from './terminal/suggest-command.ts'
import { scanCommand } from './terminal/scan-command.ts'
import { verifyCommand } from './terminal/verify-command.ts'

export type { CliIo } from './terminal/io.ts'

/**
 * The command line: a function of its arguments (without the program's name), streams, environment and
 * folder. Resolves to the exit code; nothing but {@link CliIo} and the disk is touched.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  const parsed = parseArguments(argv, version, io)
  if (parsed.kind === 'exit') return parsed.code
  const invocation = await withScenarioFile(parsed.invocation, io)
  return invocation === null ? EXIT.badInput : runCommand(invocation, io)
}

/** The invocation with its scenario file read; null when that cannot be. */
async function withScenarioFile(invocation: Invocation, io: CliIo): Promise<Invocation | null> {
  if (!('scenarioFile' in invocation) || invocation.scenarioFile === null) return invocation
  const scenario = await openScenario(invocation.scenarioFile, invocation.lab, io)
  return scenario && { ...invocation, scenario: underFlags(invocation.scenarioFlags, io.nowSecs, scenario) }
}

function runCommand(invocation: Invocation, io: CliIo): Promise<number> {
  switch (invocation.command) {
    case 'plan':
      return planCommand(invocation, io)
    case 'explain':
      return explainCommand(invocation, io)
    case 'export':
      return exportCommand(invocation, io)
    case 'check':
      return checkCommand(invocation, io)
    case 'diff':
      return diffCommand(invocation, io)
    case 'licenses':
      return licensesCommand(io)
    case 'memory':
      return memoryCommand(invocation, io)
    case 'serve':
      return serveCommand(invocation, io)
    case 'hash':
      return hashCommand(invocation, io)
    case 'verify':
      return verifyCommand(invocation, io)
    case 'status':
      return statusCommand(invocation, io)
    case 'suggest':
      return suggestCommand(invocation, io)
    case 'roster draft':
      return rosterDraftCommand(invocation, io)
    case 'scan models':
    case 'scan node':
    case 'scan lab':
    case 'scan answer':
      return scanCommand(invocation, io)
  }
}

/** Runs the command line as this process. */
export async function main(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader has seen enough (`| head`): that is no failure of ours.
      if (error.code === 'EPIPE') process.exit()
      throw error
    })
  }
  // Set, not exited with: what was written to a pipe may still be on its way.
  process.exitCode = await runCli(process.argv.slice(2), processIo())
}

function processIo(): CliIo {
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    readStdin: (maxBytes) => readBounded(process.stdin, maxBytes),
    cwd: process.cwd(),
    env: process.env,
    // A stream that is no terminal has no `isTTY` at all, whatever its type says.
    stdoutIsTty: isatty(1),
    stderrIsTty: isatty(2),
    columns: isatty(1) ? process.stdout.columns : null,
    homeDir: homedir(),
    nowSecs: Math.floor(Date.now() / 1000),
    onInterrupt: (stop) => {
      // Once: a second Ctrl-C ends the process as it always does.
      process.once('SIGINT', stop)
      return () => process.off('SIGINT', stop)
    },
  }
}

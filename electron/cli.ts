import { homedir } from 'node:os'
import { isatty } from 'node:tty'
import { version } from '../package.json'
import { endProcess } from './end-process.ts'
import { parseArguments, type Invocation } from './terminal/arguments.ts'
import { EXIT, type CliIo } from './terminal/io.ts'
import { underFlags } from './terminal/scenario-flags.ts'
import { readBounded } from './terminal/read-bounded.ts'

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
  const { openScenario } = await import('./terminal/scenario-option.ts')
  const scenario = await openScenario(invocation.scenarioFile, invocation.lab, io)
  return scenario && { ...invocation, scenario: underFlags(invocation.scenarioFlags, io.nowSecs, scenario) }
}

/** A command's part is loaded when it is asked for: the libraries of the others take longer than most plans. */
async function runCommand(invocation: Invocation, io: CliIo): Promise<number> {
  switch (invocation.command) {
    case 'plan':
      return (await import('./terminal/plan-command.ts')).planCommand(invocation, io)
    case 'explain':
      return (await import('./terminal/explain-command.ts')).explainCommand(invocation, io)
    case 'export':
      return (await import('./terminal/export-command.ts')).exportCommand(invocation, io)
    case 'check':
      return (await import('./terminal/check-command.ts')).checkCommand(invocation, io)
    case 'diff':
      return (await import('./terminal/diff-command.ts')).diffCommand(invocation, io)
    case 'licenses':
      return (await import('./terminal/licenses-command.ts')).licensesCommand(io)
    case 'memory':
      return (await import('./terminal/memory-command.ts')).memoryCommand(invocation, io)
    case 'serve':
      return (await import('./terminal/serve-command.ts')).serveCommand(invocation, io)
    case 'hash':
      return (await import('./terminal/hash-command.ts')).hashCommand(invocation, io)
    case 'verify':
      return (await import('./terminal/verify-command.ts')).verifyCommand(invocation, io)
    case 'status':
      return (await import('./terminal/status-command.ts')).statusCommand(invocation, io)
    case 'suggest':
      return (await import('./terminal/suggest-command.ts')).suggestCommand(invocation, io)
    case 'roster draft':
      return (await import('./terminal/roster-draft-command.ts')).rosterDraftCommand(invocation, io)
    case 'scan models':
    case 'scan node':
    case 'scan lab':
    case 'scan answer':
      return (await import('./terminal/scan-command.ts')).scanCommand(invocation, io)
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
  endProcess()
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

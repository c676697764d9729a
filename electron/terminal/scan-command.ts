import type { CliIo, ExitCode } from './io.ts'
import type { ScanInvocation } from './scan-arguments.ts'

/** `scan models`, `scan node`, `scan lab` and `scan answer`. */
export async function scanCommand(invocation: ScanInvocation, io: CliIo): Promise<ExitCode> {
  // Loaded when asked for: hashing and probing bring libraries that nothing else needs.
  switch (invocation.command) {
    case 'scan models': {
      const { scanModelsCommand } = await import('./scan-models-command.ts')
      return scanModelsCommand(invocation, io)
    }
    case 'scan node': {
      const { scanNodeCommand } = await import('./scan-node-command.ts')
      return scanNodeCommand(invocation, io)
    }
    case 'scan lab': {
      const { scanLabCommand } = await import('./scan-lab-command.ts')
      return scanLabCommand(invocation, io)
    }
    case 'scan answer': {
      const { scanAnswerCommand } = await import('./scan-answer-command.ts')
      return scanAnswerCommand(invocation, io)
    }
  }
}

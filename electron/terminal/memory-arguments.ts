import { InvalidArgumentError, Option, type Command } from 'commander'
import { CACHE_TYPES, type CacheType } from '../../shared/memory/cache-type.ts'
import { contextFault, parallelFault } from '../../shared/memory/setting.ts'

/** What a person says of the setting; null where nothing is said. */
export interface MemoryOptions {
  readonly context: number | null
  readonly kv: CacheType | null
  readonly parallel: number | null
}

interface RawMemoryOptions {
  readonly context?: number
  readonly kv?: CacheType
  readonly parallel?: number
}

/** Adds the options of `memory` to `command`. */
export function withMemoryOptions(command: Command): Command {
  return command
    .description('what roles, or the model of a GGUF file or folder, take in memory, part by part')
    .argument('[target]', 'a role of the lab, a GGUF file or a model’s folder (default: every role)')
    .option(
      '--context <tokens>',
      'tokens of context (default: 32768, or what the model was trained for)',
      parseContext,
    )
    .addOption(new Option('--kv <type>', 'type of K and V (default: f16)').choices(CACHE_TYPES))
    .option('--parallel <sequences>', 'requests answered at once (default: 1)', parseParallel)
    .option('--json', 'write JSON to standard output')
}

/** The options of `command` as given. */
export function memoryOptions(command: Command): MemoryOptions {
  const { context = null, kv = null, parallel = null } = command.opts<RawMemoryOptions>()
  return { context, kv, parallel }
}

function parseContext(text: string): number {
  return parseCount(text, contextFault)
}

function parseParallel(text: string): number {
  return parseCount(text, parallelFault)
}

function parseCount(text: string, faultOf: (count: number) => string | null): number {
  const count = /^-?\d{1,15}$/.test(text) ? Number(text) : NaN
  const fault = faultOf(count)
  if (fault !== null) throw new InvalidArgumentError(`${fault[0]?.toUpperCase() ?? ''}${fault.slice(1)}.`)
  return count
}

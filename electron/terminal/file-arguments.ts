import type { Command } from 'commander'
import { NODE_ID_RULE } from '../../shared/node/read-node-facts.ts'
import { DEFAULT_LAB } from '../host/paths.ts'

/** Prints the BLAKE3 of files, as `b3sum` does. */
export interface HashInvocation {
  readonly command: 'hash'
  /** As given. */
  readonly files: readonly string[]
}

/** Holds the files below folders against the lab's manifests. */
export interface VerifyInvocation {
  readonly command: 'verify'
  readonly lab: string
  /** As given; none: the roots that fleet.yaml has for `node`. */
  readonly folders: readonly string[]
  readonly node: string | null
  /** Names of the models that must be there; none: those of which anything is there. */
  readonly models: readonly string[]
  readonly json: boolean
}

export type FileInvocation = HashInvocation | VerifyInvocation

/** Adds `hash` and `verify` to `program`. */
export function addFileCommands(program: Command, run: (invocation: FileInvocation) => void): void {
  program
    .command('hash')
    .description('print the BLAKE3 of files, as b3sum does')
    .argument('<files...>', 'files to hash')
    .action((files: readonly string[]) => {
      run({ command: 'hash', files })
    })
  const verify = program
    .command('verify')
    .description('read the models below folders of this machine and hold them against the lab’s manifests')
    .argument('[folders...]', 'folders with one folder a model (default: the root of --node in fleet.yaml)')
    .option('--node <id>', 'take the folders from this node of fleet.yaml')
    .option('--model <name>', 'a model that must be there (repeatable)', collect)
    .option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
    .option('--json', 'write JSON to standard output')
    .addHelpText('after', VERIFY_HELP)
  verify.action((folders: readonly string[], raw: RawVerifyOptions) => {
    const { lab, node = null, model = [], json = false } = raw
    if ((folders.length === 0) === (node === null)) verify.error('error: name folders, or a node with --node')
    if (node !== null && !NODE_ID_RULE.test(node))
      verify.error(`error: a node's id is ${NODE_ID_RULE.expected}`)
    run({ command: 'verify', lab, folders, node, models: model, json })
  })
}

interface RawVerifyOptions {
  readonly lab: string
  readonly node?: string
  readonly model?: readonly string[]
  readonly json?: true
}

const VERIFY_HELP = `
Exits with 0 when every file of the models found is there with the manifest's bytes, with 1 when one is
missing or has other bytes, with 3 when the lab or a folder cannot be read. Nothing is written.`

function collect(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name]
}

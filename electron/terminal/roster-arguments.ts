import { Option, type Command } from 'commander'
import { DEFAULT_LAB } from '../host/paths.ts'

/** Proposes a roster by what lies on this machine. */
export interface RosterDraftInvocation {
  readonly command: 'roster draft'
  readonly lab: string
  /** As given; none: the usual places of this machine. */
  readonly paths: readonly string[]
  readonly write: boolean
}

/** Adds `roster draft` to `program`. */
export function addRosterCommands(program: Command, run: (invocation: RosterDraftInvocation) => void): void {
  program
    .command('roster')
    .description('make a roster where there is none')
    .command('draft')
    .description(
      'print a roster of the models on this machine and in the lists of other tools: llama-swap’s, LiteLLM’s or Olla’s config.yaml, llama-server’s models.ini',
    )
    .argument(
      '[paths...]',
      'places with models, and files of other tools (default: this machine’s usual places)',
    )
    .option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
    .addOption(new Option('--write', 'write it as the lab’s roster; one that is there is never touched'))
    .addHelpText('after', HELP)
    .action((paths: readonly string[], raw: { readonly lab: string; readonly write?: true }) => {
      run({ command: 'roster draft', lab: raw.lab, paths, write: raw.write ?? false })
    })
}

const HELP = `
Weight files are read as far as their headers, files of other tools are never changed, and keys
in them are not taken. Where the lab has a roster, only entries for new models are printed, to
be copied into it.`

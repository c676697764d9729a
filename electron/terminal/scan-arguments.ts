import { InvalidArgumentError, Option, type Command } from 'commander'
import { MAX_NAME_BYTES } from '../../shared/model-manifest/read-body.ts'
import { NODE_ID_RULE } from '../../shared/node/read-node-facts.ts'
import { isToken } from '../../shared/token.ts'
import { addGatherCommands, type ScanAnswerInvocation, type ScanLabInvocation } from './gather-arguments.ts'
import { DEFAULT_LAB } from '../host/paths.ts'
import { parseThreads, THREADS_WORDS } from './option-values.ts'

/** Finds models and writes their manifests, or holds them against the manifests there are. */
export interface ScanModelsInvocation {
  readonly command: 'scan models'
  readonly lab: string
  /** As given. */
  readonly paths: readonly string[]
  /** Whether the machine's usual places are looked at too. */
  readonly usualPlaces: boolean
  readonly redistributable: boolean
  readonly name: string | null
  readonly verify: boolean
  readonly dryRun: boolean
  /** How many threads hash; null: half of the cores. */
  readonly threads: number | null
  readonly json: boolean
}

/** Writes the facts of this machine. */
export interface ScanNodeInvocation {
  readonly command: 'scan node'
  readonly lab: string
  readonly id: string | null
  readonly json: boolean
}

export type ScanInvocation =
  ScanModelsInvocation | ScanNodeInvocation | ScanLabInvocation | ScanAnswerInvocation

interface RawModelOptions {
  readonly lab: string
  readonly all?: true
  readonly redistributable?: true
  readonly name?: string
  readonly verify?: true
  readonly dryRun?: true
  readonly threads?: number
  readonly json?: true
}

interface RawNodeOptions {
  readonly lab: string
  readonly id?: string
  readonly json?: true
}

/** Adds `scan models` and `scan node` to `program`. */
export function addScanCommands(program: Command, run: (invocation: ScanInvocation) => void): void {
  const scan = program.command('scan').description('make manifests and node facts of what is on this machine')
  const models = scan
    .command('models')
    .description(
      'hash models where they lie and write a manifest of each into the lab; nothing else is written',
    )
    .argument(
      '[paths...]',
      'a model’s folder, a GGUF file, an Ollama store, a Hugging Face cache, a folder of models',
    )
    .option('--all', 'look at the usual places of this machine too')
    .option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
    .option(
      '--name <name>',
      'name of the one model (default: the roster’s for its repo, else its folder’s)',
      parseName,
    )
    .option('--redistributable', 'state in the manifests that the weights may be handed to other nodes')
    .addOption(
      new Option('--verify', 'read everything again and compare it with the lab’s manifests').conflicts([
        'dryRun',
        'redistributable',
      ]),
    )
    .option('--dry-run', 'only say what would be scanned; no weights are read and nothing is written')
    .option('--threads <n>', THREADS_WORDS, parseThreads)
    .option('--json', 'write JSON to standard output')
    .addHelpText('after', MODELS_HELP)
  models.action((paths: readonly string[], raw: RawModelOptions) => {
    const { lab, all = false, verify = false } = raw
    if (paths.length === 0 && !all && !verify) models.error('error: name a path to scan, or give --all')
    run({
      command: 'scan models',
      lab,
      paths,
      usualPlaces: all,
      redistributable: raw.redistributable ?? false,
      name: raw.name ?? null,
      verify,
      dryRun: raw.dryRun ?? false,
      threads: raw.threads ?? null,
      json: raw.json ?? false,
    })
  })
  scan
    .command('node')
    .description(
      'write the facts of this machine into the lab: memory, runtimes, storage, and the models it holds',
    )
    .option(
      '--id <id>',
      'id of this node (default: the one it has in the lab, else the machine’s name)',
      parseNodeId,
    )
    .option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
    .option('--json', 'write the facts to standard output and no file')
    .action(({ lab, id, json }: RawNodeOptions) => {
      run({ command: 'scan node', lab, id: id ?? null, json: json ?? false })
    })
  addGatherCommands(scan, run)
}

const MODELS_HELP = `
Where the models lie and the hashes of their files are remembered with your settings (scan.json), never
beside the weights. After a scan that was stopped, the same one goes on with the files it has not finished; a
file that was half read is read from its start. "scan node" reports from it what this machine holds.`

function parseName(text: string): string {
  if (isToken(text, MAX_NAME_BYTES)) return text
  throw new InvalidArgumentError(
    `It must be 1 to ${MAX_NAME_BYTES} letters, digits and . _ + : -, first a letter or digit.`,
  )
}

function parseNodeId(text: string): string {
  if (NODE_ID_RULE.test(text)) return text
  throw new InvalidArgumentError(`It must be ${NODE_ID_RULE.expected}.`)
}

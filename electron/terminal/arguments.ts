import { Command, CommanderError, Option } from 'commander'
import { EXPORT_FORMATS, type ExportFormat } from '../../shared/export/export-report.ts'
import { LAB_PLACE_TRAITS, LAB_PLACES, type LabPlace } from '../../shared/lab/lab-places.ts'
import type { DeclaredNode } from '../../shared/node/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import { DEFAULT_TIME_LIMIT } from '../../shared/suggest/suggest-plan.ts'
import { DEFAULT_LAB, STDIN_NAME } from '../host/paths.ts'
import { addFileCommands, type FileInvocation } from './file-arguments.ts'
import { EXIT, outputWidth, type CliIo } from './io.ts'
import { underFlags, type ScenarioFlags } from './scenario-flags.ts'
import { memoryOptions, withMemoryOptions } from './memory-arguments.ts'
import type { MemoryInvocation } from './memory-command.ts'
import { addForcedNode, addNode, parseGib, parseLimit, parsePort, parseSeconds } from './option-values.ts'
import { addRosterCommands, type RosterDraftInvocation } from './roster-arguments.ts'
import { addScanCommands, type ScanInvocation } from './scan-arguments.ts'
import { printableComplaint } from './complaint.ts'

/** Which lab is meant, and what of it lies elsewhere than the convention has it. */
export interface LabOptions {
  readonly lab: string
  readonly given: Readonly<Partial<Record<LabPlace, string>>>
  readonly declared: readonly DeclaredNode[]
}

/** What every command is given. */
export interface CommonOptions {
  readonly lab: LabOptions
  /** What the command line says over planning with nothing assumed; over the scenario file where one is given. */
  readonly scenario: Scenario
  readonly scenarioFile: string | null
  readonly scenarioFlags: ScenarioFlags
  readonly json: boolean
}

/** What `diff` compares: two labs, overlays or plan files, or the lab under two scenarios. */
type DiffSides =
  | { readonly kind: 'named'; readonly a: string; readonly b: string }
  | { readonly kind: 'scenarios'; readonly a: string; readonly b: string }

/** The planner for a browser. */
export interface ServeInvocation {
  readonly command: 'serve'
  /** Null: the lab in its default place, or the sample. */
  readonly lab: LabOptions | null
  /** Null: the usual port, or any free one. */
  readonly port: number | null
  readonly open: boolean
}

/** The licenses of the libraries in the program. */
interface LicensesInvocation {
  readonly command: 'licenses'
}

export type Invocation =
  | ServeInvocation
  | MemoryInvocation
  | ScanInvocation
  | RosterDraftInvocation
  | FileInvocation
  | PlanningInvocation
  | LicensesInvocation

type PlanningInvocation = CommonOptions &
  (
    | { readonly command: 'plan'; readonly all: boolean }
    | {
        readonly command: 'explain'
        /** Null: what it would take to run every role. */
        readonly role: string | null
        /** Every node, not only the most useful ones. */
        readonly all: boolean
      }
    | {
        readonly command: 'export'
        readonly out: string
        readonly format: ExportFormat
        /** Only say what would be written. */
        readonly check: boolean
        /** Replace files that have other content. */
        readonly force: boolean
        /** The run book instead of specs. */
        readonly runbook: boolean
        /** A plan that runs now, as `diff` takes one; null when it is not known. */
        readonly before: string | null
      }
    | { readonly command: 'check'; readonly all: boolean }
    | {
        readonly command: 'suggest'
        /** Most seconds that the solver may take. */
        readonly seconds: number
      }
    | {
        readonly command: 'status'
        /** Ask again and again until it is interrupted. */
        readonly watch: boolean
      }
    | { readonly command: 'diff'; readonly sides: DiffSides }
  )

/**
 * A command line that makes sense, or what to exit with after help, the version or a complaint was written.
 */
export type ParsedArguments =
  { readonly kind: 'run'; readonly invocation: Invocation } | { readonly kind: 'exit'; readonly code: number }

interface RawOptions extends ScenarioFlags, Readonly<Partial<Record<LabPlace, string>>> {
  readonly lab: string
  readonly node?: readonly DeclaredNode[]
  readonly scenario?: readonly string[]
  readonly json?: true
}

interface RawExportOptions extends RawOptions {
  readonly out: string
  readonly format: ExportFormat
  readonly check?: true
  readonly force?: true
  readonly runbook?: true
  readonly before?: string
}

const EVERY_PROBLEM = 'list every problem, also where many are of one kind'

const EXIT_CODES = `
Exit codes:
  0   fine
  1   differs (diff, status, export --check, scan models --verify, verify, a
      changed file that export left alone)
  2   a role cannot run (plan, explain, suggest)
  3   bad input: a file with errors, an unknown role, a folder not to be written
  64  bad usage
  130 interrupted (scan)`

/**
 * Reads the arguments after the program's name. Help and the version go to standard output, complaints to
 * standard error; every complaint about the command line is {@link EXIT}.usage.
 */
export function parseArguments(argv: readonly string[], version: string, io: CliIo): ParsedArguments {
  const found: { invocation: Invocation | null } = { invocation: null }
  const program = makeProgram(version, io, argv, (invocation) => {
    found.invocation = invocation
  })
  try {
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { kind: 'exit', code: error.exitCode === 0 ? EXIT.fine : EXIT.usage }
  }
  return found.invocation === null
    ? { kind: 'exit', code: EXIT.usage }
    : { kind: 'run', invocation: found.invocation }
}

function makeProgram(
  version: string,
  io: CliIo,
  argv: readonly string[],
  run: (invocation: Invocation) => void,
): Command {
  const program = new Command('lab-planner')
    .description('Plan which node of a model lab runs each role of its roster, and what would have to move.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .exitOverride()
    .configureOutput({
      writeOut: io.stdout,
      writeErr: (text) => io.stderr(printableComplaint(text, argv)),
      getOutHelpWidth: () => outputWidth(io),
      getErrHelpWidth: () => outputWidth(io),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError('(add --help to see what can be given)')
    .addHelpText('after', EXIT_CODES)

  const finish = (command: Command, what: (options: RawOptions) => Invocation): void => {
    const options = command.opts<RawOptions>()
    readStdinOnce(command, inputs(options))
    if ((options.scenario?.length ?? 0) > 1)
      command.error('error: --scenario can be given once (twice to diff)')
    run(what(options))
  }

  program
    .command('licenses')
    .description('print the licenses of the libraries in the program')
    .action(() => {
      run({ command: 'licenses' })
    })
  withCommonOptions(
    program.command('plan').description('show the plan of every role').option('--all', EVERY_PROBLEM),
  ).action((_options: RawOptions, command: Command) => {
    const { all = false } = command.opts<RawOptions & { readonly all?: true }>()
    finish(command, (options) => ({ ...common(options, io), command: 'plan', all }))
  })
  withCommonOptions(
    program
      .command('explain')
      .description('explain the plan of one role, or what it would take to run every role')
      .argument('[role]', 'id of the role; without one: what it would take to run all of them')
      .option('--all', 'show every node, not only the 20 most useful'),
  ).action((role: string | undefined, _options: RawOptions, command: Command) => {
    const { all = false } = command.opts<RawOptions & { readonly all?: true }>()
    finish(command, (options) => ({ ...common(options, io), command: 'explain', role: role ?? null, all }))
  })
  withCommonOptions(withExportOptions(program.command('export'))).action(
    (_options: RawOptions, command: Command) => {
      const raw = command.opts<RawExportOptions>()
      const { out, format, check = false, force = false, runbook = false, before = null } = raw
      if (before !== null && !runbook) command.error('error: --before is for --runbook')
      finish(command, (options) => ({
        ...common(options, io),
        ...{ command: 'export', out, format, check, force, runbook, before },
      }))
    },
  )
  withCommonOptions(
    program
      .command('check')
      .description('read everything and list the problems')
      .option('--all', EVERY_PROBLEM),
  ).action((_options: RawOptions, command: Command) => {
    const { all = false } = command.opts<RawOptions & { readonly all?: true }>()
    finish(command, (options) => ({ ...common(options, io), command: 'check', all }))
  })
  withCommonOptions(
    program
      .command('suggest')
      .description('find nodes for all roles together, better than one by one; changes nothing')
      .option(
        '--time <seconds>',
        'most seconds the solver may take, 1 to 3600',
        parseLimit,
        DEFAULT_TIME_LIMIT,
      ),
  ).action((_options: RawOptions, command: Command) => {
    const { time } = command.opts<RawOptions & { readonly time: number }>()
    finish(command, (options) => ({ ...common(options, io), command: 'suggest', seconds: time }))
  })
  withCommonOptions(
    program
      .command('status')
      .description(
        'ask the servers of the lab what they run, and hold it against the plan (see `url` in fleet.yaml)',
      )
      .option('--watch', 'ask again every 10 seconds until Ctrl-C, and say what changed'),
  ).action((_options: RawOptions, command: Command) => {
    const { watch = false } = command.opts<RawOptions & { readonly watch?: true }>()
    finish(command, (options) => ({ ...common(options, io), command: 'status', watch }))
  })
  withCommonOptions(
    program
      .command('diff')
      .description('compare two plans: of two labs, of two overlays of the lab, or two files of plan --json')
      .argument('[a]', 'a lab folder, an overlay file, or a plan file (- reads standard input)')
      .argument('[b]', 'what to compare it with; neither, where --scenario is given twice'),
  ).action((a: string | undefined, b: string | undefined, _options: RawOptions, command: Command) => {
    const [first, second, ...further] = command.opts<RawOptions>().scenario ?? []
    if (a !== undefined && b !== undefined) {
      finish(command, (options) => {
        readStdinOnce(command, [a, b, ...inputs(options)])
        return { ...common(options, io), command: 'diff', sides: { kind: 'named', a, b } }
      })
      return
    }
    if (a !== undefined || first === undefined || second === undefined || further.length > 0)
      command.error('error: give two things to compare, or --scenario twice')
    readStdinOnce(command, inputs(command.opts<RawOptions>()))
    const options = { ...command.opts<RawOptions>(), scenario: [] }
    const sides = { kind: 'scenarios', a: first, b: second } as const
    run({ ...common(options, io), command: 'diff', sides })
  })
  withLabOptions(withMemoryOptions(program.command('memory'))).action(
    (target: string | undefined, _options: RawOptions, command: Command) => {
      finish(command, (options) => ({
        command: 'memory',
        target: target ?? null,
        lab: labOptions(options),
        options: memoryOptions(command),
        json: options.json ?? false,
      }))
    },
  )
  withLabOptions(
    program
      .command('serve')
      .description('open the planner in a browser: serves it on 127.0.0.1 until Ctrl-C')
      .option(
        '--port <port>',
        'port to listen on (default: 7321, or a free one when that is taken)',
        parsePort,
      )
      .option('--open', 'open a browser at it'),
  ).action((_options: RawOptions, command: Command) => {
    const options = command.opts<RawOptions & { readonly port?: number; readonly open?: true }>()
    const named =
      command.getOptionValueSource('lab') === 'cli' ||
      LAB_PLACES.some((place) => options[place] !== undefined)
    run({
      command: 'serve',
      lab: named ? labOptions(options) : null,
      port: options.port ?? null,
      open: options.open ?? false,
    })
  })
  addScanCommands(program, run)
  addRosterCommands(program, run)
  addFileCommands(program, run)
  return program
}

/** What the options name that can be read from standard input. */
function inputs(options: RawOptions): readonly (string | undefined)[] {
  return [...LAB_PLACES.map((place) => options[place]), ...(options.scenario ?? [])]
}

function readStdinOnce(command: Command, names: readonly (string | undefined)[]): void {
  if (names.filter((name) => name === STDIN_NAME).length > 1)
    command.error('error: standard input can be read once only: give - once')
}

function withExportOptions(command: Command): Command {
  return command
    .description('write the inference spec of every role to a folder, or how to carry the plan out')
    .requiredOption('--out <dir>', 'folder to write to; it is made when missing')
    .addOption(new Option('--format <format>', 'format of the files').choices(EXPORT_FORMATS).default('json'))
    .addOption(
      new Option('--check', 'write nothing; exit 1 when a file would be new or different').conflicts('force'),
    )
    .option('--force', 'replace files that are there with other content')
    .option('--runbook', 'write the run book: what to fetch, start and stop where, and what does it')
    .option('--before <plan>', 'what runs now, for --runbook: a lab, an overlay, or a file of plan --json')
}

/**
 * The options of every command; `export` takes the scenario's too, so that one set of options serves them
 * all.
 */
function withCommonOptions(command: Command): Command {
  return withLabOptions(command)
    .option('--node <spec>', 'a node, ID=complete|none[:FREE_GIB][,ineligible] (repeatable)', addNode)
    .option(
      '--scenario <name>',
      'a scenario: its name in the lab, or a file; the options below count before it (- reads standard input)',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option('--allow-transfer', 'weights may be fetched from another node')
    .option('--max-gib <gib>', 'most that may be fetched for one role, in GiB (2^30 bytes)', parseGib)
    .option('--headroom-gib <gib>', 'space that must stay free on the target, in GiB (default: 1)', parseGib)
    .option('--veto-sharing', 'forbid copying weights: treat every model as not redistributable')
    .option(
      '--force-node <id=in|out>',
      'treat a node as eligible despite failures, or never run there (repeatable)',
      addForcedNode,
    )
    .option('--require-fresh-facts', 'rule out nodes whose facts are stale')
    .option('--now <seconds>', 'unix time to judge facts by (default: the clock’s)', parseSeconds)
    .option('--json', 'write JSON to standard output')
}

/** Which lab, and what of it lies elsewhere. */
function withLabOptions(command: Command): Command {
  command.option('--lab <dir>', 'folder of the lab', DEFAULT_LAB)
  for (const place of LAB_PLACES) {
    const { path, holds, words } = LAB_PLACE_TRAITS[place]
    const stdin = holds === 'file' ? ' (- reads standard input)' : ''
    command.option(`--${place} <${holds === 'file' ? 'file' : 'dir'}>`, `${words} instead of ${path}${stdin}`)
  }
  return command
}

function labOptions(options: RawOptions): LabOptions {
  const given: Partial<Record<LabPlace, string>> = {}
  for (const place of LAB_PLACES) {
    const own = options[place]
    if (own !== undefined) given[place] = own
  }
  return { lab: options.lab, given, declared: options.node ?? [] }
}

function common(options: RawOptions, io: CliIo): CommonOptions {
  return {
    lab: labOptions(options),
    scenario: underFlags(options, io.nowSecs),
    scenarioFile: options.scenario?.[0] ?? null,
    scenarioFlags: options,
    json: options.json ?? false,
  }
}

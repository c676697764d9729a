import { describe, expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { cli, SAMPLE } from './terminal/fake-io.ts'

describe('help and version', () => {
  test.each([[['--help']], [['plan', '--help']], [['help', 'export']]])(
    '%j goes to standard output and exits 0',
    async (argv) => {
      const { code, out, err } = await cli(argv)
      expect(out).toContain('Usage: lab-planner')
      expect(out.split('\n').every((line) => line.length <= 80)).toBe(true)
      expect(err).toBe('')
      expect(code).toBe(0)
    },
  )

  test('--version prints the package’s version', async () => {
    expect(await cli(['--version'])).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
  })
})

describe('bad usage exits 64 and writes nothing to standard output', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['no command', [], 'Usage: lab-planner'],
    ['an unknown command', ['frobnicate'], "unknown command 'frobnicate'"],
    ['an unknown option', ['plan', '--frobnicate'], "unknown option '--frobnicate'"],
    ['an option without its value', ['plan', '--lab'], "option '--lab <dir>' argument missing"],
    ['no file to hash', ['hash'], "missing required argument 'files'"],
    ['too many arguments', ['plan', 'extra'], 'too many arguments'],
    ['a bad ceiling', ['plan', '--max-gib', 'lots'], 'It must be a number of GiB from 0'],
    ['a negative headroom', ['plan', '--headroom-gib=-1'], 'It must be a number of GiB from 0'],
    ['a bad time', ['plan', '--now', '1.5'], 'It must be whole unix seconds'],
    ['a bad node', ['plan', '--node', 'gpu-box'], 'there is no = after the node id'],
    ['a bad forced node', ['plan', '--force-node', 'gpu-box=maybe'], 'It must be ID=in or ID=out'],
    [
      'a node forced both ways',
      ['plan', '--force-node', 'a=in', '--force-node', 'a=out'],
      'a cannot be forced both in and out',
    ],
    ['an export to nowhere', ['export'], "required option '--out <dir>' not specified"],
    ['an unknown format', ['export', '--out', 'x', '--format', 'toml'], 'Allowed choices are json, yaml'],
    ['a check that writes', ['export', '--out', 'x', '--check', '--force'], 'cannot be used with option'],
    [
      'one input for two files',
      ['plan', '--roster', '-', '--overlay', '-'],
      'standard input can be read once only',
    ],
    ['one input for two plans', ['diff', '-', '-'], 'standard input can be read once only'],
    ['one plan to compare', ['diff', 'a'], 'give two things to compare'],
  ]
  test.each(cases)('%s', async (_name, argv, complaint) => {
    const { code, out, err } = await cli(argv)
    expect(err).toContain(complaint)
    expect(out).toBe('')
    expect(code).toBe(64)
  })
})

describe('what was typed is shown in complaints, not acted on', () => {
  const STEERING = 'a\u001b[31mb\u001b]52;c;YQ==\u0007c\u009bd\u202ee\u061cf\u{e0041}g\rh\nerror: i'
  test.each<[string, readonly string[]]>([
    ['a command', [STEERING]],
    ['an option', ['plan', `--${STEERING}`]],
    ['a value', ['plan', '--max-gib', STEERING]],
    ['a role', ['explain', STEERING, ...SAMPLE]],
    ['a lab', ['plan', '--lab', STEERING]],
    ['a node', ['plan', '--node', STEERING, ...SAMPLE]],
    ['a scenario', ['plan', '--scenario', STEERING, ...SAMPLE]],
    [
      'a plan to export from',
      ['export', '--out', '/dev/null/x', '--runbook', '--before', STEERING, ...SAMPLE],
    ],
    ['a file to hash', ['hash', STEERING]],
    ['a model to measure', ['memory', STEERING, ...SAMPLE]],
    ['sides to compare', ['diff', STEERING, STEERING]],
  ])('%s', async (_name, argv) => {
    const { code, out, err } = await cli(argv)
    expect(code).not.toBe(0)
    expect(out + err).not.toMatch(/(?!\n)[\p{Cc}\u202e\u061c\u{e0041}]/u)
    expect(out + err).toContain('\\u')
    expect(out + err).not.toMatch(/^error: i/m)
  })
})

describe('nodes named on the command line', () => {
  const rowOf = (out: string): string => out.split('\n').find((line) => line.startsWith('hermes ')) ?? ''

  test('--node adds a node that holds everything, and repeats', async () => {
    const argv = ['plan', ...SAMPLE, '--node', 'a-box=none:500', '--node', 'b-box=complete']
    const { out } = await cli(argv)
    // The role that comes first and excludes hermes takes the one node that holds everything.
    expect(out).toMatch(/^coder-daily .* in place +- +b-box$/m)
    expect(rowOf(out)).toMatch(/cannot run +- +no place/)
    expect(out.replace(/\s+/g, ' ')).toContain('on a-box: weights are held elsewhere')
  })

  test('an ineligible one serves as a source only', async () => {
    const argv = ['plan', ...SAMPLE, '--allow-transfer', '--node', 'b-box=complete:9,ineligible']
    expect((await cli(argv)).out.replace(/\s+/g, ' ')).toContain('from archive-nas and b-box')
  })
})

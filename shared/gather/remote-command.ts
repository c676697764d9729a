import { GATHER_PROTOCOL } from './messages.ts'

/** What answers on a machine: the planner itself, its one file run by Node, or a shell script. */
const ANSWERERS = ['lab-planner', 'node', 'sh'] as const
export type Answerer = (typeof ANSWERERS)[number]

/** The oldest Node that runs the planner's one file, as major times 100 plus minor. */
const OLDEST_NODE = 2019

/** Where Node and the planner are often installed that the PATH of a command over ssh lacks. */
const FOLDERS = [
  ...['"$HOME/.local/bin"', '/usr/local/bin', '/opt/homebrew/bin', '/snap/bin', '"$HOME/.volta/bin"'],
  ...['"$HOME/.local/share/mise/shims"', '"$HOME"/.nvm/versions/node/*/bin'],
]

/**
 * The command that ssh runs on a machine: it says what there is to answer (`@MARK ready node`) and becomes that, which
 * then reads from standard input. The login shell of the machine may be any: for sh, bash, zsh, fish and csh alike the
 * text in single quotes is itself, since it has no quote, backslash, exclamation mark or line end in it.
 */
export function remoteCommand(mark: string): string {
  const isNewEnough = `var v=process.versions.node.split(/[.]/).map(Number);process.exit(v[0]*100+v[1]<${OLDEST_NODE}?1:0)`
  const script = [
    `m=${mark}`,
    `for d in ${FOLDERS.join(' ')}; do if test -d "$d"; then PATH="$PATH:$d"; fi; done`,
    'export PATH',
    'echo',
    `if lab-planner scan answer --can ${GATHER_PROTOCOL} </dev/null >/dev/null 2>&1; then echo "@$m ready lab-planner"; exec lab-planner scan answer; fi`,
    `for n in node "$HOME"/.nvm/versions/node/*/bin/node nodejs; do if "$n" -e "${isNewEnough}" </dev/null >/dev/null 2>&1; then echo "@$m ready node"; exec "$n" --input-type=commonjs -; fi; done`,
    'echo "@$m ready sh"',
    'exec sh -s',
  ]
  return `exec sh -c '${script.join('; ')}'`
}

/** What of {@link ANSWERERS} the line says; null for any other line. */
export function answererIn(line: string): Answerer | null {
  const [, name] = /^ready (\S+)$/.exec(line) ?? []
  return ANSWERERS.find((each) => each === name) ?? null
}

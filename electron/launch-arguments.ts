import { resolve } from 'node:path'

/**
 * The arguments meant for the planner: without the program and, in development (`electron FOLDER …`), without everything
 * up to the program's folder; the runtime's own switches may stand before it.
 */
export function ownArguments(argv: readonly string[], isDefaultApp: boolean): readonly string[] {
  const args = argv.slice(1)
  return isDefaultApp ? args.slice(args.findIndex((arg) => !arg.startsWith('-')) + 1) : args
}

/**
 * The lab that a command line names: `--lab DIR`, `--lab=DIR`, or a bare path, as file managers give it. The
 * last one counts. Anything else that begins with `-` is the runtime's own business. Null when there is none.
 *
 * @param args the planner's own, see {@link ownArguments}.
 */
export function labArgument(args: readonly string[], cwd: string): string | null {
  let found: string | null = null
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--lab') {
      i++
      found = args[i] ?? found
    } else if (arg.startsWith('--lab=')) found = arg.slice('--lab='.length)
    else if (!arg.startsWith('-') && arg !== '') found = arg
  }
  return found === null ? null : resolve(cwd, found)
}

import { labPathsByConvention } from '../host/paths.ts'
import type { ServeInvocation } from './arguments.ts'
import type { CliIo } from './io.ts'

/** `serve`: the planner for a browser, until it is stopped. */
export async function serveCommand({ lab, port, open }: ServeInvocation, io: CliIo): Promise<number> {
  // Loaded when asked for: the server is many times the size of the rest of the terminal.
  const { serve } = await import('../serve.ts')
  const places = lab && labPathsByConvention(lab.lab, lab.given, { cwd: io.cwd, home: io.homeDir })
  return serve({ port, open, lab: places }, io)
}

import { isAbsolute, join } from 'node:path'

/** What decides where a person's settings belong. */
export interface ConfigSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

const FOLDER = 'lab-planner'

/**
 * The folder of a person's settings: where the system keeps such things, or what `LAB_PLANNER_CONFIG_DIR`
 * says. A relative `XDG_CONFIG_HOME` is ignored, as its specification asks.
 */
export function configDirOf({ env, platform, home }: ConfigSurroundings): string {
  const own = env['LAB_PLANNER_CONFIG_DIR'] ?? ''
  if (own !== '') return own
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', FOLDER)
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), FOLDER)
  const xdg = env['XDG_CONFIG_HOME'] ?? ''
  return join(isAbsolute(xdg) ? xdg : join(home, '.config'), FOLDER)
}

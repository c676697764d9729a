import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The path of Electron's binary, or null when it was not downloaded. The package is not imported: that would
 * start the download.
 */
export function findElectron(): string | null {
  const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? ''
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    return existing(join(override === '' ? join(folder, 'dist') : override, name))
  } catch {
    // The package's own download writes that name; a folder that is named by hand can do without.
    return override === '' ? null : existing(join(override, 'electron'))
  }
}

function existing(path: string): string | null {
  return existsSync(path) ? path : null
}

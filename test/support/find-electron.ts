import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The path of Electron's binary, or null when it was not downloaded. The package is not imported: that would
 * start the download.
 */
export function findElectron(): string | null {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    const name = readFileSync(join(folder, 'path.txt'), 'utf8').trim()
    const override = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? ''
    const path = join(override === '' ? join(folder, 'dist') : override, name)
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}

import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runProgram } from './run-program.ts'

/** What the tests need beside Electron itself: the program, and Debian's package that has it. */
const PACKAGES = { Xvfb: 'xvfb', unzip: 'unzip', setpriv: 'util-linux', xdotool: 'xdotool' } as const
export type NeededProgram = keyof typeof PACKAGES

const INSTALL_MS = 300_000

/** Whether a program of that name is found. */
export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

/** Those of `names` that are missing, after Debian's packages were installed where that is allowed. */
export function missingPrograms(names: readonly NeededProgram[]): readonly NeededProgram[] {
  const missing = names.filter((name) => !hasProgram(name))
  if (missing.length === 0 || !existsSync('/etc/debian_version') || process.getuid?.() !== 0) return missing
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const packages = missing.map((name) => PACKAGES[name])
  runProgram('apt-get', ['update', '-qq'], { ms: INSTALL_MS, env })
  runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    ms: INSTALL_MS,
    env,
  })
  return missing.filter((name) => !hasProgram(name))
}

/** What a person does to have the programs. */
export function howToInstall(names: readonly NeededProgram[]): string {
  return `install ${names.map((name) => PACKAGES[name]).join(', ')} (Debian: apt-get install)`
}

import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** A browser to test in, or one line that says why there is none. */
export type FoundBrowser =
  { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string }

/** How long fetching a browser may take, in milliseconds. */
const INSTALL_MS = 300_000

const ON_PATH = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge']
const USUAL_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * Chromium's arguments in tests: nothing goes out by itself, and as root it starts without its sandbox only.
 */
export const BROWSER_ARGS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--no-first-run',
  '--no-default-browser-check',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/**
 * Finds a Chromium: the one that `CHROME_PATH` names, an installed one, or Playwright's own. When there is
 * none, one is fetched: Playwright's, or on Debian as root the system's package.
 */
export function findBrowser(): FoundBrowser {
  const named = process.env['CHROME_PATH'] ?? ''
  if (named !== '') {
    return isProgram(named)
      ? { ok: true, path: named }
      : { ok: false, reason: `CHROME_PATH names ${named}, which is no program: correct it or unset it` }
  }
  const found = installedBrowser() ?? fetchedBrowser()
  return found === null
    ? {
        ok: false,
        reason: 'no Chromium was found and none could be fetched: install one, or set CHROME_PATH to one',
      }
    : { ok: true, path: found }
}

function installedBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = ON_PATH.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...USUAL_PLACES, ...onPath, chromium.executablePath()].find(isProgram) ?? null
}

function fetchedBrowser(): string | null {
  console.error('No Chromium was found; fetching one …')
  run('npx', ['playwright', 'install', 'chromium'])
  if (isProgram(chromium.executablePath())) return chromium.executablePath()
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', 'chromium'])
  }
  return installedBrowser()
}

function run(program: string, args: readonly string[]): void {
  // What it prints would be taken for the tests' own output; whether it worked is seen by the browser being
  // there.
  spawnSync(program, args, { stdio: 'ignore', timeout: INSTALL_MS, shell: process.platform === 'win32' })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

import { realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { answer, refuse, STRANGE_TOKEN, failed } from './answers.ts'
import { browseFolder } from './browse.ts'
import type { HostImplementation } from './dispatch.ts'
import type { LabSession } from './lab-session.ts'
import { readTextFile } from './read-text-file.ts'
import type { SettingsStore } from './settings.ts'
import { diskFault } from './system-error.ts'
import type { TokenTarget, PathTokens } from './path-tokens.ts'

/** The system's own dialogs; both give the chosen path, or null when the person chose none. */
export interface HostDialogs {
  readonly pickFolder: (purpose: 'open_lab' | 'export' | 'scan') => Promise<string | null>
  readonly pickFile: (purpose: 'open_roster' | 'open_scenario') => Promise<string | null>
}

export interface PlaceParts {
  readonly home: string
  readonly settings: SettingsStore
  /** Null where the system has none to offer. */
  readonly dialogs: HostDialogs | null
  /** Shows a path in the file manager; null where there is none. */
  readonly reveal: ((path: string) => void) | null
}

type PlaceCalls = Pick<
  HostImplementation,
  'pickFolder' | 'pickFile' | 'browse' | 'childFolder' | 'readPicked' | 'reveal' | 'recentLabs'
>

const MOST_PICKED_BYTES = 1024 * 1024
const NO_DIALOGS = failed('unsupported', 'There are no dialogs here. Browse to the place instead.')
const HAS_DIALOGS = failed('unsupported', 'This window has dialogs for that.')
const NOT_OFFERED = failed('refused', 'Only the home folder and the folders of labs can be browsed.')
const NO_SCENARIO = failed('bad_arguments', 'This is not a scenario file of Lab Planner.')
const NO_FILE_MANAGER = failed('unsupported', 'A browser cannot show a file manager.')
const BAD_FOLDER_NAME = failed('bad_arguments', 'That is not a name for a new folder.')

/**
 * The calls by which a person finds places on disk. The page sees tokens and labels, never more than it
 * needs.
 */
export function placeCalls(parts: PlaceParts, desk: LabSession, tokens: PathTokens): PlaceCalls {
  const { home, dialogs, settings } = parts
  const picked = async (pick: Promise<string | null>, kind: TokenTarget['kind']) => {
    const path = await pick
    return { ok: true, value: path === null ? null : tokens.give(path, kind) } as const
  }
  return {
    pickFolder: ({ purpose }) => {
      return dialogs ? picked(dialogs.pickFolder(purpose), 'folder') : refuse(NO_DIALOGS)
    },
    pickFile: ({ purpose }) => {
      return dialogs ? picked(dialogs.pickFile(purpose), 'file') : refuse(NO_DIALOGS)
    },
    browse: async ({ token }) => {
      // Where the system has dialogs, a person chooses by those, and the page has no business on the disk.
      if (dialogs) return HAS_DIALOGS
      const folder = token === null ? home : tokens.folder(token)
      if (folder === null) return STRANGE_TOKEN
      const labs = [desk.current()?.source.paths.lab.path, ...settings.current().recentLabs]
      try {
        const roots = await realFolders([home, ...labs.filter((path) => path !== undefined)])
        if (!(await isOffered(folder, roots))) return NOT_OFFERED
        const listing = await browseFolder(folder, tokens)
        const isTop = !(await isOffered(dirname(folder), roots))
        return { ok: true, value: isTop ? { ...listing, parent: null } : listing }
      } catch (error) {
        return failed('io', `The folder cannot be listed: ${diskFault(error).reason}.`)
      }
    },
    childFolder: ({ token, name }) => {
      const folder = tokens.folder(token)
      if (folder === null) return refuse(STRANGE_TOKEN)
      return isFolderName(name) ? answer(tokens.give(join(folder, name), 'folder')) : refuse(BAD_FOLDER_NAME)
    },
    readPicked: async ({ token }) => {
      const target = tokens.take(token)
      if (target === null || target.kind === 'folder') return STRANGE_TOKEN
      const read = await readTextFile(target.path, MOST_PICKED_BYTES)
      if (!read.ok) return failed('io', `Cannot read the file: ${read.reason}.`)
      // A page that went bad must not read other files by this.
      const { isScenarioText } = await import('../../shared/scenario/scenario-file.ts')
      return isScenarioText(read.text) ? { ok: true, value: { text: read.text } } : NO_SCENARIO
    },
    reveal: (args) => {
      const path = args.what === 'token' ? tokens.take(args.token)?.path : desk.pathOf(args.file)
      if (path === undefined || path === null) return refuse(STRANGE_TOKEN)
      if (!parts.reveal) return refuse(NO_FILE_MANAGER)
      parts.reveal(path)
      return answer(null)
    },
    recentLabs: async () => {
      const value = await Promise.all(
        settings.current().recentLabs.map(async (path) => {
          const stats = await stat(path).catch(() => null)
          return { ...tokens.give(path, stats?.isFile() ? 'file' : 'folder'), missing: stats === null }
        }),
      )
      return { ok: true, value }
    },
  }
}

/** The real paths of those that are folders; of a roster, its folder. */
async function realFolders(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const real = await realpath(path).catch(() => null)
      if (real === null) return []
      return (await stat(real)).isDirectory() ? [real] : [dirname(real)]
    }),
  )
  return found.flat()
}

/** Whether `folder` is in one of `roots`, through whatever links. */
async function isOffered(folder: string, roots: readonly string[]): Promise<boolean> {
  const real = await realpath(folder)
  return roots.some((root) => {
    const way = relative(root, real)
    return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  })
}

/** A name that stays inside its folder on every system. */
function isFolderName(name: string): boolean {
  const isEdgy = name !== name.trim() || name.startsWith('.') || name.endsWith('.')
  return !isEdgy && !/[/\\:*?"<>|\p{Cc}]/u.test(name)
}

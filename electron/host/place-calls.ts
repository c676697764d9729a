import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { answer, refuse, STRANGE_TOKEN } from './answers.ts'
import { browseFolder } from './browse.ts'
import { failed, type HostImplementation } from './dispatch.ts'
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
      const folder = token === null ? home : tokens.folder(token)
      if (folder === null) return STRANGE_TOKEN
      try {
        return { ok: true, value: await browseFolder(folder, tokens) }
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
      if (target?.kind !== 'file') return STRANGE_TOKEN
      const read = await readTextFile(target.path, MOST_PICKED_BYTES)
      if (!read.ok) return failed('io', `Cannot read the file: ${read.reason}.`)
      return { ok: true, value: { text: read.text } }
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

/** A name that stays inside its folder on every system. */
function isFolderName(name: string): boolean {
  const isEdgy = name !== name.trim() || name.startsWith('.') || name.endsWith('.')
  return !isEdgy && !/[/\\:*?"<>|\p{Cc}]/u.test(name)
}

import { readdir, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { FolderListing } from '../../shared/host-api.ts'
import { compareCodePoints } from '../../shared/token.ts'
import type { PathTokens } from './path-tokens.ts'

/** Files that a lab or a scenario can be opened from. */
const OPENABLE = new Set(['.yaml', '.yml', '.json'])
/** More is not browsed but typed; the page says so by the count. */
const MOST_ENTRIES = 2000

/**
 * Lists `folder` for a page that has no native dialogs: folders and files that can be opened, by name, hidden
 * ones left out, links followed. Throws what the disk throws when the folder cannot be read.
 */
export async function browseFolder(folder: string, tokens: PathTokens): Promise<FolderListing> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort(compareCodePoints)
  const folders: string[] = []
  const files: string[] = []
  for (const name of names.slice(0, MOST_ENTRIES)) {
    const kind = await kindOf(join(folder, name))
    if (kind === 'folder') folders.push(name)
    else if (kind === 'file' && OPENABLE.has(extname(name).toLowerCase())) files.push(name)
  }
  const parent = dirname(folder)
  return {
    here: tokens.give(folder, 'folder'),
    parent: parent === folder ? null : tokens.give(parent, 'folder'),
    folders: folders.map((name) => ({ ...tokens.give(join(folder, name), 'folder'), label: name })),
    files: files.map((name) => ({ ...tokens.give(join(folder, name), 'listed_file'), label: name })),
  }
}

async function kindOf(path: string): Promise<'folder' | 'file' | null> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) return 'folder'
    return stats.isFile() ? 'file' : null
  } catch {
    // A dangling link, or one of somebody else's: there is nothing to open.
    return null
  }
}

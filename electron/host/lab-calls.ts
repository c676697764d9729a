import { looksLikeRoster } from '../../shared/roster/looks-like-roster.ts'
import { answer, NO_LAB, refuse, STRANGE_TOKEN, failed } from './answers.ts'
import type { HostImplementation } from './dispatch.ts'
import { MAX_FILE_BYTES } from '../../shared/lab/lab-places.ts'
import type { LabSession } from './lab-session.ts'
import { readTextFile } from './read-text-file.ts'
import { saveOverlay } from './save-overlay.ts'
import type { PathTokens } from './path-tokens.ts'

type LabCalls = Pick<
  HostImplementation,
  | 'openLab'
  | 'stopOpening'
  | 'labTexts'
  | 'currentLab'
  | 'reload'
  | 'lookAgain'
  | 'readFileText'
  | 'saveOverlay'
>

/** An answer of texts is closed when it has this many characters: reading it must not keep the page waiting. */
const ENOUGH_CHARACTERS = 256 * 1024

/** The calls about the lab itself and its files. */
const NO_ROSTER = failed(
  'bad_arguments',
  'This is no roster: it has no `roster` list. Open a lab by its folder, or name the file to `lab-planner serve --roster`.',
)

/** Also when the file cannot be read: then opening it says why. */
async function isRosterFile(path: string): Promise<boolean> {
  const read = await readTextFile(path, MAX_FILE_BYTES.roster)
  return !read.ok || looksLikeRoster(read.text)
}

export function labCalls(desk: LabSession, tokens: PathTokens): LabCalls {
  return {
    openLab: async (args) => {
      switch (args.by) {
        case 'default':
          return desk.openDefault()
        case 'sample':
          return desk.openSample()
        case 'token': {
          const target = tokens.take(args.token)
          if (target === null) return STRANGE_TOKEN
          // A page that went bad must not read other files by opening them.
          if (target.kind === 'listed_file' && !(await isRosterFile(target.path))) return NO_ROSTER
          return desk.openPath(target.path)
        }
      }
    },
    stopOpening: () => {
      desk.stopOpening()
      return answer(null)
    },
    labTexts: ({ hashes }) => {
      const lab = desk.current()
      if (!lab) return refuse(NO_LAB)
      const texts: (string | null)[] = []
      let characters = 0
      for (const hash of hashes) {
        const text = lab.textOf(hash)
        texts.push(text)
        characters += text?.length ?? 0
        if (characters >= ENOUGH_CHARACTERS) break
      }
      return answer(texts)
    },
    currentLab: () => answer(desk.current()?.snapshot() ?? null),
    reload: async () => {
      const lab = desk.current()
      return lab ? { ok: true, value: await lab.reload() } : NO_LAB
    },
    lookAgain: async () => {
      await desk.current()?.look()
      return { ok: true, value: null }
    },
    readFileText: async ({ file }) => {
      const lab = desk.current()
      if (!lab) return NO_LAB
      const path = desk.pathOf(file)
      if (path === null) return failed('bad_arguments', 'The open lab has no file of that name.')
      const kind = lab.snapshot().lab.files.find((known) => known.file === file)?.kind ?? 'overlay'
      const read = await readTextFile(path, MAX_FILE_BYTES[kind])
      if (!read.ok) return failed('io', `Cannot read the file: ${read.reason}.`)
      return { ok: true, value: { text: read.text, hash: read.hash } }
    },
    saveOverlay: async ({ text, baseHash }) => {
      const lab = desk.current()
      if (!lab) return NO_LAB
      const { paths, readOnly } = lab.source
      if (readOnly !== null) return failed('io', `Cannot save. ${readOnly}`)
      if (paths.overlay.path === null) return FROM_STDIN
      const saved = await saveOverlay(paths.overlay.path, text, baseHash, {
        roster: paths.roster.path,
        lab: paths.lab,
      })
      if (saved.kind === 'saved') lab.saved()
      return saved.kind === 'failed' ? failed('io', saved.message) : { ok: true, value: saved }
    },
  }
}

const FROM_STDIN = failed('unsupported', 'An overlay from standard input cannot be saved.')

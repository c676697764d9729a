import { lstat } from 'node:fs/promises'
import type { DraftReport } from '../../../shared/draft/draft-json.ts'
import { draftEntryOf, proposalOf } from '../../../shared/draft/draft-json.ts'
import { draftText } from '../../../shared/draft/draft-text.ts'
import { answer, STRANGE_TOKEN, failed } from '../answers.ts'
import type { HostImplementation } from '../dispatch.ts'
import type { LabSource } from '../lab-source.ts'
import { DEFAULT_LAB, labPathsByConvention, shortenHome, type LabPaths } from '../paths.ts'
import type { PathTokens } from '../path-tokens.ts'
import type { ScanPlaceName } from '../scan/find-models.ts'
import { openScanLab } from '../scan/scan-lab.ts'
import type { UsualPlaces } from '../scan/usual-places.ts'
import { makeDraft, usualToolFiles } from './make-draft.ts'
import { writeNewRoster } from './write-roster.ts'

export interface DraftParts {
  readonly home: string
  /** The open lab, if there is one. */
  readonly lab: () => LabSource | null
  readonly tokens: PathTokens
  readonly usualPlaces: () => Promise<UsualPlaces>
}

type DraftCalls = Pick<HostImplementation, 'draftRoster' | 'writeRoster'>

/**
 * The calls that make a first roster. It is that of the open lab; where the sample or none is open, that of the lab in its
 * default place. The page gives entries, never a text or a path.
 */
export function draftCalls({ home, lab, tokens, usualPlaces }: DraftParts): DraftCalls {
  let last: DraftReport | null = null
  const paths = (): LabPaths => {
    const source = lab()
    if (source !== null && source.origin !== 'sample') return source.paths
    return labPathsByConvention(DEFAULT_LAB, {}, { cwd: home, home })
  }
  return {
    draftRoster: async ({ places: picked, usual }) => {
      const places: ScanPlaceName[] = []
      for (const token of picked) {
        const target = tokens.take(token)
        if (target === null) return STRANGE_TOKEN
        places.push({ path: target.path, shown: shortenHome(target.path, home) })
      }
      const here = paths()
      const opened = await openScanLab(here)
      const usuals = usual ? await usualPlaces() : { places: [], away: [] }
      const draft = await makeDraft({
        places: [...places, ...usuals.places],
        usualFiles: usual ? usualToolFiles(home) : [],
        away: usuals.away,
        entries: opened.lab.roster?.entries ?? [],
        home,
      })
      last = {
        entries: draft.proposals.map(draftEntryOf),
        remarks: draft.proposals.map(({ remarks }) => remarks),
        leftOut: draft.leftOut.map(({ shown, reason }) => ({ place: shown, reason })),
        roster: here.roster.shown,
        isThere: opened.lab.roster !== null || (await isSomethingAt(here.roster.path)),
      }
      return answer(last)
    },
    writeRoster: async ({ entries }) => {
      const { roster, lab: folder } = paths()
      if (last === null || entries.some(({ proposal }) => last?.remarks[proposal] === undefined)) {
        return failed('bad_arguments', 'Those entries are not known any more. Look for models again.')
      }
      if (roster.path === null) return failed('refused', 'The roster of this lab is standard input.')
      const text = draftText(entries.map((entry) => proposalOf(entry, last?.remarks[entry.proposal] ?? [])))
      const saved = await writeNewRoster(roster.path, text)
      if (!saved.ok) return failed('io', `${roster.shown}: ${saved.message}`)
      return answer({ file: roster.shown, lab: tokens.give(folder.path, 'folder') })
    },
  }
}

async function isSomethingAt(path: string | null): Promise<boolean> {
  if (path === null) return true
  return lstat(path).then(
    () => true,
    () => false,
  )
}

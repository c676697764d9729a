import { lstat } from 'node:fs/promises'
import { draftText, entriesText } from '../../shared/draft/draft-text.ts'
import { plural } from '../../shared/listed.ts'
import { makeDraft, usualToolFiles } from '../host/draft/make-draft.ts'
import { writeNewRoster } from '../host/draft/write-roster.ts'
import { labPathsByConvention } from '../host/paths.ts'
import { openScanLab } from '../host/scan/scan-lab.ts'
import { usualPlaces } from '../host/scan/usual-places.ts'
import { isMissing } from '../host/system-error.ts'
import { EXIT, type CliIo, type ExitCode } from './io.ts'
import { complain, ofSeverity, reportProblems } from './report.ts'
import type { RosterDraftInvocation } from './roster-arguments.ts'
import { tellLeftOut } from './scan-found.ts'
import { namedPlace } from './scan-setting.ts'
import { printable } from './width.ts'

/** `roster draft`: proposes a roster, and writes it where there is none. */
export async function rosterDraftCommand(
  { lab: dir, paths, write }: RosterDraftInvocation,
  io: CliIo,
): Promise<ExitCode> {
  const places = labPathsByConvention(dir, {}, { cwd: io.cwd, home: io.homeDir })
  const { lab } = await openScanLab(places)
  const { path, shown } = places.roster
  const isThere = lab.roster !== null || (path !== null && (await isSomethingAt(path)))
  if (isThere && lab.roster === null) {
    reportProblems(ofSeverity(lab.problems, 'error'), () => undefined, io)
    complain(`the roster ${shown} is there and cannot be read: nothing can be proposed beside it`, io)
    return EXIT.badInput
  }
  const usual =
    paths.length > 0
      ? { places: [], away: [] }
      : await usualPlaces({ env: io.env, platform: process.platform, home: io.homeDir })
  const { proposals, leftOut } = await makeDraft({
    places: [...paths.map((each) => namedPlace(each, io)), ...usual.places],
    usualFiles: paths.length > 0 ? [] : usualToolFiles(io.homeDir),
    away: usual.away,
    entries: lab.roster?.entries ?? [],
    home: io.homeDir,
  })
  tellLeftOut(leftOut, io)
  if (proposals.length === 0) {
    complain(isThere ? `${shown} has every model that was found` : NOTHING, io)
    return isThere ? EXIT.fine : EXIT.badInput
  }
  if (isThere) {
    io.stderr(`${printable(shown)} is there and stays as it is: copy these entries below its roster key.\n`)
    io.stdout(entriesText(proposals))
    return write ? EXIT.badInput : EXIT.fine
  }
  const text = draftText(proposals)
  if (!write || path === null) {
    io.stdout(text)
    return EXIT.fine
  }
  const saved = await writeNewRoster(path, text)
  if (!saved.ok) {
    complain(`${shown}: ${saved.message}`, io)
    return EXIT.badInput
  }
  io.stdout(`Wrote ${printable(shown)}: ${plural(proposals.length, 'entry', 'entries')}.\n`)
  return EXIT.fine
}

/** Whether there is a file of that name, or a link whose drive may be away. */
function isSomethingAt(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  )
}

const NOTHING =
  'no models were found, so that there is nothing to propose: name a folder with models, or a file of another tool'

import { describe, expect, test } from 'vitest'
import { labAfterSnapshot, labAfterStop, type LabState } from '../../../../renderer/store/lab-state.ts'
import type { LabSnapshot } from '../../../../shared/host-api.ts'
import type { LabFiles } from '../../../../shared/lab/lab.ts'
import { createLabReader } from '../../../../shared/lab/read-lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })

function snapshot(lab: LabFiles, revision = 1): LabSnapshot {
  return { revision, lab, origin: 'argument', stale: null, unwatched: null, overlay: null }
}

function withRoster(text: string | null): LabFiles {
  const others = files.files.filter((file) => file.kind !== 'roster')
  const roster = files.files.find((file) => file.kind === 'roster')
  return { ...files, files: text === null || !roster ? others : [{ ...roster, text, hash: text }, ...others] }
}

/** The lab on screen after these files came. */
function after(before: LabState, lab: LabFiles, nowSecs: number): LabState {
  return labAfterSnapshot(before, snapshot(lab, nowSecs), createLabReader()(lab), [], nowSecs)
}

const OPENING: LabState = { status: 'opening' }

describe('the lab on screen', () => {
  test('is what the snapshot says', () => {
    const state = after(OPENING, files, 5)
    expect(state.status === 'open' && state.lab.roster?.entries.length).toBe(13)
    expect(state.status === 'open' && state.readAtSecs).toBe(5)
  })

  test('keeps the last good roster, marked stale, while the file cannot be read', () => {
    const good = after(OPENING, files, 5)
    const broken = after(good, withRoster('roster: ['), 6)
    if (broken.status !== 'open') throw new Error('the lab closed')
    expect(broken.lab.roster?.entries.length).toBe(13)
    expect(broken.rosterStale).not.toBeNull()
    const mended = after(broken, withRoster('roster: []\n'), 7)
    if (mended.status !== 'open') throw new Error('the lab closed')
    expect(mended.lab.roster?.entries.length).toBe(0)
    expect(mended.rosterStale).toBeNull()
  })

  test('keeps the last good roster also when the file went away', () => {
    const good = after(OPENING, files, 5)
    const gone = after(good, withRoster(null), 6)
    expect(gone.status === 'open' && gone.lab.roster?.entries.length).toBe(13)
    expect(gone.status === 'open' && gone.rosterStale).not.toBeNull()
  })

  test('does not carry a roster over from another lab', () => {
    const good = after(OPENING, files, 5)
    const other = after(good, { ...withRoster('roster: ['), name: 'elsewhere' }, 6)
    expect(other.status === 'open' && other.lab.roster).toBeNull()
  })
})

describe('after reading was called off', () => {
  const shown = after(OPENING, files, 5)
  const newer = snapshot(withRoster('roster: []\n'), 6)

  test('the lab on screen stays, marked stale when the host has read newer files', () => {
    expect(labAfterStop(shown, null)).toBe(shown)
    expect(labAfterStop(shown, snapshot(files, 5))).toBe(shown)
    const stopped = labAfterStop(shown, newer)
    expect(stopped.status === 'open' && stopped.lab).toBe(shown.status === 'open' && shown.lab)
    expect(stopped).toMatchObject({ snapshot: { revision: 5, stale: 'reading the newer files was stopped' } })
  })

  test('nothing is shown of a lab that the host has left, nor where nothing was', () => {
    const elsewhere = { ...newer, lab: { ...newer.lab, name: 'elsewhere' } }
    for (const state of [labAfterStop(shown, elsewhere), labAfterStop(OPENING, null)])
      expect(state).toMatchObject({ status: 'failed', error: { code: 'stopped' } })
  })
})

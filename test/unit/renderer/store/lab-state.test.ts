import { describe, expect, it } from 'vitest'
import { labAfterSnapshot, type LabState } from '../../../../renderer/store/lab-state.ts'
import type { LabSnapshot } from '../../../../shared/host-api.ts'
import type { LabFiles } from '../../../../shared/lab.ts'
import { createLabReader } from '../../../../shared/read-lab.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'

const { files } = await readSampleLab({ allowTransfer: false })

function snapshot(lab: LabFiles, revision = 1): LabSnapshot {
  return { revision, lab, origin: 'argument', stale: null, overlay: null }
}

function withRoster(text: string | null): LabFiles {
  const others = files.files.filter((file) => file.kind !== 'roster')
  const roster = files.files.find((file) => file.kind === 'roster')
  return { ...files, files: text === null || !roster ? others : [{ ...roster, text }, ...others] }
}

const OPENING: LabState = { status: 'opening' }

describe('the lab on screen', () => {
  it('is what the snapshot says', () => {
    const state = labAfterSnapshot(OPENING, snapshot(files), createLabReader(), 5)
    expect(state.status === 'open' && state.lab.roster?.entries.length).toBe(13)
    expect(state.status === 'open' && state.readAtSecs).toBe(5)
  })

  it('keeps the last good roster, told stale, while the file cannot be read', () => {
    const read = createLabReader()
    const good = labAfterSnapshot(OPENING, snapshot(files), read, 5)
    const broken = labAfterSnapshot(good, snapshot(withRoster('roster: [')), read, 6)
    if (broken.status !== 'open') throw new Error('the lab closed')
    expect(broken.lab.roster?.entries.length).toBe(13)
    expect(broken.rosterStale).not.toBeNull()
    const mended = labAfterSnapshot(broken, snapshot(withRoster('roster: []\n')), read, 7)
    if (mended.status !== 'open') throw new Error('the lab closed')
    expect(mended.lab.roster?.entries.length).toBe(0)
    expect(mended.rosterStale).toBeNull()
  })

  it('keeps the last good roster also when the file went away', () => {
    const read = createLabReader()
    const good = labAfterSnapshot(OPENING, snapshot(files), read, 5)
    const gone = labAfterSnapshot(good, snapshot(withRoster(null)), read, 6)
    expect(gone.status === 'open' && gone.lab.roster?.entries.length).toBe(13)
    expect(gone.status === 'open' && gone.rosterStale).not.toBeNull()
  })

  it('does not carry a roster over from another lab', () => {
    const read = createLabReader()
    const good = labAfterSnapshot(OPENING, snapshot(files), read, 5)
    const other = labAfterSnapshot(good, snapshot({ ...withRoster('roster: ['), name: 'elsewhere' }), read, 6)
    expect(other.status === 'open' && other.lab.roster).toBeNull()
  })
})

import { realDisk, type Disk } from '../disk.ts'
import { stageText, type SaveResult } from '../atomic-save.ts'
import { resolveTarget } from '../save-target.ts'

/**
 * Writes a new roster where there is none: created exclusively and whole from its first moment, its folder made. A
 * roster that is there, or comes meanwhile, stays as it is and is never opened (`EEXIST`).
 */
export async function writeNewRoster(path: string, text: string, disk: Disk = realDisk): Promise<SaveResult> {
  const target = await resolveTarget(path, disk)
  if (!target.ok) return target
  if (target.existing !== null) return THERE
  const staged = await stageText(target, text, disk)
  if (!staged.ok) return staged
  const saved = await staged.commit()
  return !saved.ok && saved.code === 'EEXIST' ? THERE : saved
}

const THERE = {
  ok: false,
  code: 'EEXIST',
  message: 'A roster is there already; it stays as it is. Copy the new entries into it.',
} as const

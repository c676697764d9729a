import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { overlayText, type OverlayState } from '../store/overlay-state.ts'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { DiffView } from '../ui/diff-view.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { KeepMineButton, ReloadButton } from './conflict-choices.tsx'
import styles from './overlay-editor.module.css'

/**
 * The text being edited against the file: the one loaded, or the one that somebody else has saved meanwhile.
 */
export function CompareDialog({ overlay }: { readonly overlay: OverlayState }): ReactNode {
  const { view } = usePlanner()
  const { outside } = overlay
  const disk = outside === null ? overlay.base : outside.disk
  const mine = overlayText(overlay)
  const same = (disk?.text ?? '') === mine
  return (
    <Dialog
      title={`Compare ${fileName(overlay.file)}`}
      description="The file on disk on one side, the text being edited on the other"
      wide
      onClose={view.closeDialog}
      footer={
        outside === null ? (
          <Button onClick={view.closeDialog}>Done</Button>
        ) : (
          <>
            <Button onClick={view.closeDialog}>Decide later</Button>
            <ReloadButton />
            <KeepMineButton />
          </>
        )
      }
    >
      <div className={styles.sides}>
        <span title={overlay.file}>
          {disk === null
            ? 'No file on disk'
            : outside === null
              ? 'On disk'
              : 'On disk, saved by another program'}
        </span>
        <span>{same ? 'Mine, no difference' : 'Mine, not saved'}</span>
      </div>
      <div className={styles.diff}>
        <DiffView original={disk?.text ?? ''} modified={mine} originalLabel="On disk" modifiedLabel="Mine" />
      </div>
    </Dialog>
  )
}

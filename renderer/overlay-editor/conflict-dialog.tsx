import type { ReactNode } from 'react'
import type { OverlayState } from '../store/overlay-state.ts'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { KeepMineButton, ReloadButton } from './conflict-choices.tsx'
import styles from './overlay-editor.module.css'

/** Saving found another version of the file on disk: nothing was written, the operator decides. */
export function ConflictDialog({ overlay }: { readonly overlay: OverlayState }): ReactNode {
  const { view } = usePlanner()
  const deleted = overlay.outside !== null && overlay.outside.disk === null
  return (
    <Dialog
      title={deleted ? 'The overlay’s file is gone' : 'The overlay’s file has changed on disk'}
      description="Nothing was saved yet; choose which version stays"
      onClose={view.closeDialog}
      footer={
        <>
          <Button variant="primary" onClick={() => view.openDialog({ kind: 'compare_overlay' })}>
            Compare
          </Button>
          <ReloadButton />
          <KeepMineButton />
        </>
      }
    >
      <div className={styles.paragraphs}>
        <p>
          <code>{overlay.file}</code> is not the version that you have been editing:{' '}
          {deleted ? 'it was deleted' : 'somebody else has saved it'} meanwhile. Nothing was written.
        </p>
        <p>
          <strong>Keep mine</strong> saves your text {deleted ? 'as a new file' : 'over theirs'}.{' '}
          <strong>Reload</strong> takes {deleted ? 'an empty text' : 'theirs'}; your edits stay one undo away.
        </p>
      </div>
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import type { OverlayState } from '../store/overlay-state.ts'
import { usePlanner } from '../store/use-planner.ts'
import type { Resume } from '../store/view-state.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks before unsaved edits would be lost, and then does what waits for the answer. */
export function UnsavedDialog({
  overlay,
  resume,
}: {
  readonly overlay: OverlayState
  readonly resume: Resume
}): ReactNode {
  const planner = usePlanner()
  const { view, lab } = planner
  const save = async (): Promise<void> => {
    view.closeDialog()
    // A save that found a conflict or failed has said so; nothing is lost by staying.
    if (await planner.overlay.save()) lab.resume(resume)
  }
  return (
    <Dialog
      title="Save the overlay first?"
      description="There are unsaved edits"
      onClose={view.closeDialog}
      footer={
        <>
          <Button variant="danger" onClick={() => lab.resume(resume)}>
            Discard
          </Button>
          <Button onClick={view.closeDialog}>Cancel</Button>
          <Button variant="primary" onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <p>
        {fileName(overlay.file)} has edits that are not saved. {resumeText(resume)} without saving loses them.
      </p>
    </Dialog>
  )
}

function resumeText(resume: Resume): string {
  switch (resume.to) {
    case 'open':
      return `Opening ${resume.label}`
    case 'open_sample':
      return 'Opening the sample lab'
    case 'close':
      return 'Closing the window'
  }
}

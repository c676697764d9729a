import type { ReactNode } from 'react'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'

/** Takes the file's text. The edit stays one undo away, so nothing is lost. */
export function ReloadButton(): ReactNode {
  const { overlay, view } = usePlanner()
  return (
    <Button
      onClick={() => {
        view.closeDialog()
        overlay.takeDiskVersion()
      }}
    >
      Reload
    </Button>
  )
}

/** Keeps the edit and goes on with the saving that found the other version. */
export function KeepMineButton(): ReactNode {
  const { overlay, view } = usePlanner()
  return (
    <Button
      onClick={() => {
        view.closeDialog()
        overlay.keepMine()
        void overlay.save()
      }}
    >
      Keep mine
    </Button>
  )
}

import type { ReactNode } from 'react'
import { usePlannerState } from '../store/use-planner.ts'
import { CompareDialog } from './compare-dialog.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { UnsavedDialog } from './unsaved-dialog.tsx'

/** The dialogs about the overlay's file: comparing, settling a conflict, leaving with unsaved edits. */
export function OverlayDialogs(): ReactNode {
  const dialog = usePlannerState((state) => state.dialog)
  const overlay = usePlannerState((state) => state.overlay)
  if (dialog === null || overlay === null) return null
  if (dialog.kind === 'compare_overlay') return <CompareDialog overlay={overlay} />
  if (dialog.kind === 'conflict') return <ConflictDialog overlay={overlay} />
  if (dialog.kind === 'unsaved') return <UnsavedDialog overlay={overlay} resume={dialog.resume} />
  return null
}

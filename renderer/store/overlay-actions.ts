import type { StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../shared/host-api.ts'
import type { OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import type { Span } from '../../shared/text-lines.ts'
import {
  applyEdit,
  isUnsaved,
  keepMine,
  overlayChangedOnDisk,
  overlaySaved,
  overlayText,
  redoOverlay,
  takeDiskVersion,
  typeOverlay,
  undoOverlay,
  type OverlayState,
} from './overlay-state.ts'
import { notSavedReason } from './connection.ts'
import { selectOverlayFault } from './selectors.ts'
import type { PlannerState } from './planner-state.ts'
import type { ViewActions } from './view-actions.ts'

/** Everything that changes the overlay's text or its file. */
export interface OverlayActions {
  readonly type: (text: string) => void
  /** Edits the text as one undo step; true when it was edited, else the reason was shown. */
  readonly edit: (...edits: readonly OverlayEdit[]) => boolean
  /** Shows and selects a stretch of the text in the editor. */
  readonly reveal: (span: Span) => void
  readonly undo: () => void
  readonly redo: () => void
  /** Saves; resolves to true when the file on disk is what is on screen. */
  readonly save: () => Promise<boolean>
  readonly keepMine: () => void
  readonly takeDiskVersion: () => void
}

export function createOverlayActions(
  store: StoreApi<PlannerState>,
  client: HostClient,
  view: ViewActions,
): OverlayActions {
  const update = (change: (overlay: OverlayState) => OverlayState): void => {
    const { overlay } = store.getState()
    if (overlay === null) return
    const next = change(overlay)
    if (next === overlay) return
    store.setState({ overlay: next })
    if (isUnsaved(next) !== isUnsaved(overlay)) void client.call.setUnsaved({ unsaved: isUnsaved(next) })
  }

  return {
    type: (text) => update((overlay) => typeOverlay(overlay, text, Date.now())),
    edit: (...edits) => {
      const { overlay } = store.getState()
      if (overlay === null) return false
      const result = applyEdit(overlay, edits, Date.now())
      if (!result.ok) {
        view.toast('error', result.reason)
        return false
      }
      update(() => result.overlay)
      return true
    },
    reveal: (span) =>
      update((overlay) => ({ ...overlay, changed: { span, step: (overlay.changed?.step ?? 0) + 1 } })),
    undo: () => update(undoOverlay),
    redo: () => update(redoOverlay),
    save: async () => {
      const { overlay, saving, connection, lab: labBefore } = store.getState()
      if (overlay === null || saving) return false
      if (!isUnsaved(overlay)) return true
      const reason = notSavedReason(connection)
      if (reason !== null) {
        view.toast('error', reason)
        return false
      }
      const fault = overlay.outside?.disk === null ? selectOverlayFault(store.getState()) : null
      if (fault !== null) {
        view.toast('error', `Not saved. ${fault} Move what is in the file’s place away, then save.`)
        return false
      }
      if (overlay.outside) {
        view.openDialog({ kind: 'conflict' })
        return false
      }
      const text = overlayText(overlay)
      store.setState({ saving: true })
      const result = await client.call.saveOverlay({ text, baseHash: overlay.base?.hash ?? null })
      store.setState({ saving: false })
      if (!result.ok) {
        view.tellError(result.error)
        return false
      }
      switch (result.value.kind) {
        case 'saved': {
          const { hash } = result.value
          const { lab } = store.getState()
          update((current) => {
            // Another lab was opened meanwhile.
            if (current.file !== overlay.file) return current
            const saved = overlaySaved(current, text, hash)
            // A reading that came while the answer was on its way is of the file after it was saved.
            return lab.status === 'open' && lab !== labBefore
              ? overlayChangedOnDisk(saved, saved.file, lab.snapshot.overlay, Date.now())
              : saved
          })
          view.toast('success', `Saved ${overlay.file}`)
          return true
        }
        case 'conflict': {
          const { disk } = result.value
          update((current) => ({ ...current, outside: { disk } }))
          view.openDialog({ kind: 'conflict' })
          return false
        }
      }
    },
    keepMine: () =>
      update((overlay) => (overlay.outside ? keepMine(overlay, overlay.outside.disk) : overlay)),
    takeDiskVersion: () =>
      update((overlay) => {
        const disk = overlay.outside ? overlay.outside.disk : overlay.base
        return takeDiskVersion(overlay, disk, Date.now())
      }),
  }
}

import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { selectOverlayFault } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './overlay-editor.module.css'

/**
 * Said while the file on disk is neither what was loaded nor what is being edited: another program changed it.
 */
export function OutsideBanner(): ReactNode {
  const { overlay, view } = usePlanner()
  const outside = usePlannerState((state) => state.overlay?.outside ?? null)
  const file = usePlannerState((state) => state.overlay?.file ?? '')
  const fault = usePlannerState(selectOverlayFault)
  if (outside === null) return null
  if (outside.disk === null)
    return fault === null ? <GoneBanner file={file} /> : <UnreadableBanner fault={fault} />
  const what = 'was changed by another program'
  return (
    <div className={styles.outside} role="alert">
      <TriangleAlert size={15} aria-hidden="true" />
      <span className={styles.message} title={`${file} ${what} while you were editing it`}>
        {fileName(file)} {what} while you were editing it.
      </span>
      <Button onClick={() => view.openDialog({ kind: 'compare_overlay' })}>Compare</Button>
      <Button onClick={overlay.takeDiskVersion} title="Take the file’s text; yours stays one undo away">
        Reload
      </Button>
      <Button onClick={overlay.keepMine} title="Go on with your text; saving will replace the file">
        Keep mine
      </Button>
    </div>
  )
}

/** Said when something else is in the file's place: nothing is written there until a person has looked. */
function UnreadableBanner({ fault }: { readonly fault: string }): ReactNode {
  const text = `${fault} The text is kept here, unsaved: move what is in the file’s place away, then save.`
  return (
    <div className={styles.outside} role="alert">
      <TriangleAlert size={15} aria-hidden="true" />
      <span className={styles.message} title={text}>
        {text}
      </span>
    </div>
  )
}

/** Said when the file is gone: its text is still here, and either goes back to disk or is given up. */
function GoneBanner({ file }: { readonly file: string }): ReactNode {
  const { overlay } = usePlanner()
  const restore = (): void => {
    overlay.keepMine()
    void overlay.save()
  }
  return (
    <div className={styles.outside} role="alert">
      <TriangleAlert size={15} aria-hidden="true" />
      <span className={styles.message} title={`${file} is gone; its text is kept here, unsaved`}>
        {fileName(file)} is gone; its text is kept here, unsaved.
      </span>
      <Button onClick={restore} title="Write the text to the file again">
        Restore the file
      </Button>
      <Button onClick={overlay.takeDiskVersion} title="Empty the overlay; the text stays one undo away">
        Accept that it is gone
      </Button>
    </div>
  )
}

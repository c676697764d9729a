import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './overlay-editor.module.css'

/**
 * Said while the file on disk is neither what was loaded nor what is being edited: somebody else changed it.
 */
export function OutsideBanner(): ReactNode {
  const { overlay, view } = usePlanner()
  const outside = usePlannerState((state) => state.overlay?.outside ?? null)
  const file = usePlannerState((state) => state.overlay?.file ?? '')
  if (outside === null) return null
  const what = outside.disk === null ? 'was deleted' : 'was changed by somebody else'
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

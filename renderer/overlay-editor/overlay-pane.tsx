import { FileDiff } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { fileName } from '../../shared/file-name.ts'
import { selectUnsaved } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import { Pane } from '../ui/pane.tsx'
import { OutsideBanner } from './outside-banner.tsx'
import { OVERLAY_TEXTBOX, OverlayText } from './overlay-text.tsx'
import { ReadingLine } from './reading-line.tsx'
import { savedText } from './unsaved-edits.ts'
import styles from './overlay-editor.module.css'

/** The overlay as text, with what is wrong with it and what somebody else made of its file. */
export function OverlayPane(): ReactNode {
  const { view } = usePlanner()
  const text = useRef<HTMLDivElement>(null)
  const overlay = usePlannerState((state) => state.overlay)
  const unsaved = usePlannerState(selectUnsaved)
  const outside = overlay !== null && overlay.outside !== null
  return (
    <Pane
      name="Overlay"
      subtitle={
        overlay === null ? undefined : (
          <span title={overlay.file}>
            {fileName(overlay.file)} · {savedText(overlay)}
          </span>
        )
      }
      actions={
        <Button
          disabled={!unsaved && !outside}
          title="Compare the text with the file on disk"
          onClick={() => view.openDialog({ kind: 'compare_overlay' })}
        >
          <FileDiff size={14} aria-hidden="true" />
          Diff
        </Button>
      }
      bodyClassName={styles.body}
    >
      <OutsideBanner />
      <ReadingLine onJump={() => text.current?.querySelector<HTMLElement>(OVERLAY_TEXTBOX)?.focus()} />
      <OverlayText rootRef={text} />
    </Pane>
  )
}

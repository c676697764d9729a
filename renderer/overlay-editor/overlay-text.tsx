import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { usePlanner } from '../store/use-planner.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { loadMonaco } from '../ui/monaco.ts'
import { createOverlayEditor } from './overlay-editor.ts'
import { PlainEditor } from './plain-editor.tsx'
import styles from './overlay-editor.module.css'

/** Where typing goes, in whichever editor. */
export const OVERLAY_TEXTBOX = 'textarea[aria-label="Overlay YAML"]'

type Stage = 'plain' | 'monaco' | 'failed'

/** The overlay's text: in a plain text area from the first paint, in Monaco as soon as it has arrived. */
export function OverlayText({ rootRef }: { readonly rootRef: RefObject<HTMLDivElement | null> }): ReactNode {
  const planner = usePlanner()
  const host = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const [stage, setStage] = useState<Stage>('plain')

  useEffect(() => {
    let stop = (): void => undefined
    let gone = false
    const arrive = async (): Promise<void> => {
      try {
        const monaco = await loadMonaco()
        // What came is large: the page has its turn between taking it in and making an editor of it.
        await new Promise<void>((resolve) => void afterPaint(resolve))
        if (gone || host.current === null) return
        const area = plain.current
        const from =
          area === null
            ? null
            : {
                start: area.selectionStart,
                end: area.selectionEnd,
                focused: document.activeElement === area,
                scrollTop: area.scrollTop,
              }
        const editor = createOverlayEditor(monaco, host.current, planner, from)
        stop = editor.dispose
        setStage('monaco')
      } catch {
        if (!gone) setStage('failed')
      }
    }
    const cancel = afterPaint(() => void arrive())
    return () => {
      gone = true
      cancel()
      stop()
    }
  }, [planner])

  return (
    <div ref={rootRef} className={styles.text} data-history="planner">
      <div className={styles.editors}>
        <div ref={host} className={styles.monaco} />
        {stage === 'monaco' ? null : <PlainEditor areaRef={plain} />}
      </div>
      {stage === 'failed' ? (
        <p className={styles.failed} role="status">
          The full editor could not be loaded; this plain one edits the same text. Reload the window to try
          again.
        </p>
      ) : null}
    </div>
  )
}

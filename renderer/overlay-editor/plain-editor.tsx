import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { overlayText } from '../store/overlay-state.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { fromModelText, minimalEdit, toModelText } from './model-text.ts'
import styles from './overlay-editor.module.css'

/** The overlay's text in a plain text area: while Monaco loads, and for good where it cannot be loaded. */
export function PlainEditor({ areaRef }: { readonly areaRef: RefObject<HTMLTextAreaElement | null> }): ReactNode {
  const planner = usePlanner()
  const text = usePlannerState((state) => (state.overlay === null ? '' : overlayText(state.overlay)))
  const changed = usePlannerState((state) => state.overlay?.changed ?? null)
  const shown = toModelText(text)
  const lastShown = useRef(shown)
  const numbers = useRef<HTMLPreElement>(null)
  const lineCount = shown.split('\n').length

  // A text that changed from outside (undo, a drag) would leave the caret at the end of everything.
  useLayoutEffect(() => {
    const area = areaRef.current
    const edit = minimalEdit(lastShown.current, shown)
    lastShown.current = shown
    if (area === null || edit === null) return
    const caret = edit.start + edit.text.length
    area.setSelectionRange(caret, caret)
  }, [areaRef, shown])
  const lastChanged = useRef(changed)
  useLayoutEffect(() => {
    if (changed === lastChanged.current) return
    lastChanged.current = changed
    if (changed === null) return
    areaRef.current?.setSelectionRange(
      toModelText(text.slice(0, changed.span.start)).length,
      toModelText(text.slice(0, changed.span.end)).length,
    )
  }, [areaRef, changed, text])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const key = event.key.toLowerCase()
    if (key === 'z' && !event.shiftKey) planner.overlay.undo()
    else if (key === 'y' || key === 'z') planner.overlay.redo()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.plain}>
      <pre ref={numbers} className={styles.numbers} aria-hidden="true">
        {Array.from({ length: lineCount }, (_, i) => i + 1).join('\n')}
      </pre>
      <textarea
        ref={areaRef}
        className={styles.area}
        aria-label="Overlay YAML"
        value={shown}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        onKeyDown={onKeyDown}
        onScroll={(event) => {
          if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop
        }}
        onChange={(event) => {
          lastShown.current = event.currentTarget.value
          planner.overlay.type(fromModelText(text, event.currentTarget.value))
        }}
      />
    </div>
  )
}

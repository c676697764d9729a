import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { overlayText } from '../store/overlay-state.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import {
  countCodePoints,
  countLines,
  fromModelText,
  minimalEdit,
  toModelOffset,
  toModelText,
  withoutBreaks,
} from './model-text.ts'
import styles from './overlay-editor.module.css'

/** The overlay's text in a plain text area: while Monaco loads, and for good where it cannot be loaded. */
export function PlainEditor({
  areaRef,
}: {
  readonly areaRef: RefObject<HTMLTextAreaElement | null>
}): ReactNode {
  const planner = usePlanner()
  const text = usePlannerState((state) => (state.overlay === null ? '' : overlayText(state.overlay)))
  const changed = usePlannerState((state) => state.overlay?.changed ?? null)
  const shown = toModelText(text)
  const lastShown = useRef(shown)
  const numbers = useRef<HTMLPreElement>(null)
  const lineCount = countLines(shown)

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
    const area = areaRef.current
    if (area === null) return
    const { start, end } = withoutBreaks(text, changed.span)
    const from = toModelOffset(text, start)
    area.setSelectionRange(from, toModelOffset(text, end))
    // A text area scrolls to its caret only while it is typed in.
    const line = countLines(area.value.slice(0, from)) - 1
    area.scrollTop = (line / lineCount) * area.scrollHeight - area.clientHeight / 2
  }, [areaRef, changed, text, lineCount])

  const tellCaret = (area: HTMLTextAreaElement): void => {
    const before = area.value.slice(0, area.selectionEnd)
    const column = countCodePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1
    planner.view.setCaret({ line: countLines(before), column })
  }

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
        onSelect={(event) => tellCaret(event.currentTarget)}
        onBlur={() => planner.view.setCaret(null)}
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

import type { MarkerSeverity } from 'monaco-editor/editor'
import type { Problem } from '../../shared/problem.ts'
import type { Span } from '../../shared/text-lines.ts'
import type { Planner } from '../store/planner.ts'
import { overlayText, type OverlayState } from '../store/overlay-state.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { commonOptions, type Monaco } from '../ui/monaco.ts'
import { selectOverlayProblems } from './overlay-problems.ts'
import { addLanguageFeatures } from './language-features.ts'
import { leaveByTab } from './leave-by-tab.ts'
import { markerText } from './marker-text.ts'
import {
  countCodePoints,
  fromModelText,
  minimalEdit,
  toModelOffset,
  toModelText,
  withoutBreaks,
} from './model-text.ts'
import styles from './overlay-editor.module.css'

/** What was selected, typed in and scrolled to in the plain editor, in offsets of the editor's text. */
export interface EditorState {
  readonly start: number
  readonly end: number
  readonly focused: boolean
  readonly scrollTop: number
}

/**
 * The overlay's text in Monaco: an object that follows the store by itself and that React never re-renders.
 */
export interface OverlayEditor {
  readonly dispose: () => void
}

/** How long a changed stretch stays marked, in milliseconds. */
const MARK_MS = 2_500

/**
 * Puts the overlay's text into `host`. Typing goes to the store; whatever else changes the store's text (a
 * drag, undo, a reload) comes back as the smallest edit that leads there. The store's history is the only
 * one: Monaco's own undo and redo are the planner's.
 */
export function createOverlayEditor(
  monaco: Monaco,
  host: HTMLElement,
  planner: Planner,
  from: EditorState | null,
): OverlayEditor {
  const { store } = planner
  const first = store.getState().overlay
  const model = monaco.editor.createModel(first ? toModelText(overlayText(first)) : '', 'yaml')
  model.updateOptions({
    tabSize: 2,
    insertSpaces: true,
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  })
  // Every way to Monaco's undo (keys, commands) ends here, so that its own stack can never take part.
  Object.assign(model, { undo: planner.overlay.undo, redo: planner.overlay.redo })

  const view = monaco.editor.create(host, {
    ...commonOptions(),
    model,
    ariaLabel: 'Overlay YAML',
    lineNumbersMinChars: 4,
    lineDecorationsWidth: 12,
    folding: false,
    glyphMargin: false,
    padding: { top: 4, bottom: 4 },
    detectIndentation: false,
    autoClosingBrackets: 'languageDefined',
    wordBasedSuggestions: 'off',
    quickSuggestions: { other: true, comments: false, strings: true },
    suggest: { showWords: false, showStatusBar: false, preview: false },
    acceptSuggestionOnEnter: 'smart',
    fixedOverflowWidgets: true,
    hover: { enabled: 'on', delay: 400, above: true },
    find: { addExtraSpaceOnTop: false, seedSearchStringFromSelection: 'selection' },
    overviewRulerBorder: false,
    scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
    hideCursorInOverviewRuler: true,
    occurrencesHighlight: 'singleFile',
    stickyScroll: { enabled: false },
    tabFocusMode: false,
    accessibilityPageSize: 40,
    bracketPairColorization: { enabled: false },
    renderWhitespace: 'none',
    wordWrap: 'off',
    renderFinalNewline: 'on',
  })

  /** True while the model is being brought up to the store, when its changes are no typing. */
  let following = false
  const marks = view.createDecorationsCollection()
  let markTimer = 0
  let stopMarkers: (() => void) | null = null
  let shownProblems: readonly Problem[] | null = null

  const rangeOf = (text: string, span: Span): MonacoRange => {
    const start = model.getPositionAt(toModelOffset(text, span.start))
    const end = model.getPositionAt(toModelOffset(text, span.end))
    return new monaco.Range(start.lineNumber, start.column, end.lineNumber, end.column)
  }

  const follow = (overlay: OverlayState): void => {
    const edit = minimalEdit(model.getValue(), toModelText(overlayText(overlay)))
    if (edit === null) return
    marks.clear()
    const start = model.getPositionAt(edit.start)
    const end = model.getPositionAt(edit.end)
    following = true
    model.applyEdits([
      {
        range: new monaco.Range(start.lineNumber, start.column, end.lineNumber, end.column),
        text: edit.text,
      },
    ])
    following = false
    const caret = model.getPositionAt(edit.start + edit.text.length)
    if (view.hasTextFocus()) view.setPosition(caret)
    view.revealPositionInCenterIfOutsideViewport(caret)
  }

  const showChanged = (overlay: OverlayState, span: Span): void => {
    const text = overlayText(overlay)
    const range = rangeOf(text, withoutBreaks(text, span))
    view.setSelection(range)
    view.revealRangeInCenterIfOutsideViewport(range)
    // Where something was only taken out there is nothing to mark.
    if (range.isEmpty()) return
    marks.set([
      {
        range,
        options: { isWholeLine: true, className: styles.mark ?? '', marginClassName: styles.mark ?? '' },
      },
    ])
    window.clearTimeout(markTimer)
    markTimer = window.setTimeout(() => marks.clear(), MARK_MS)
  }

  const showMarkers = (): void => {
    stopMarkers = null
    const state = store.getState()
    const problems = selectOverlayProblems(state)
    if (problems === shownProblems || state.overlay === null) return
    shownProblems = problems
    const text = overlayText(state.overlay)
    monaco.editor.setModelMarkers(
      model,
      'lab-planner',
      problems.map((problem) => {
        const { start, end } = problem.range ?? WHOLE_FILE
        const { startLineNumber, startColumn, endLineNumber, endColumn } = rangeOf(text, {
          start: start.offset,
          end: end.offset,
        })
        return {
          startLineNumber,
          startColumn,
          // A problem of many lines (a key that is there twice, with its value) would underline all of them.
          endLineNumber: startLineNumber,
          endColumn: endLineNumber === startLineNumber ? endColumn : model.getLineMaxColumn(startLineNumber),
          severity: severityOf(monaco, problem),
          ...markerText(problem),
        }
      }),
    )
  }
  const scheduleMarkers = (): void => {
    // After the text itself is painted: hundreds of markers would hold it back.
    stopMarkers ??= afterPaint(showMarkers)
  }

  const tellCaret = (): void => {
    const at = view.getPosition()
    if (at === null) return
    const before = model.getLineContent(at.lineNumber).slice(0, at.column - 1)
    planner.view.setCaret({ line: at.lineNumber, column: countCodePoints(before) + 1 })
  }

  let shownOverlay = first
  const stopFollowing = store.subscribe((state) => {
    scheduleMarkers()
    const { overlay } = state
    if (overlay === shownOverlay || overlay === null) return
    const changedBefore = shownOverlay?.changed ?? null
    shownOverlay = overlay
    follow(overlay)
    if (overlay.changed !== null && overlay.changed !== changedBefore)
      showChanged(overlay, overlay.changed.span)
  })
  const stopLeaving = leaveByTab(host)
  const features = addLanguageFeatures(monaco, model, store.getState)
  const listening = [
    model.onDidChangeContent(() => {
      const { overlay } = store.getState()
      if (following || overlay === null) return
      marks.clear()
      planner.overlay.type(fromModelText(overlayText(overlay), model.getValue()))
    }),
    view.onDidChangeCursorPosition(tellCaret),
    view.onDidFocusEditorText(tellCaret),
    view.onDidBlurEditorText(() => planner.view.setCaret(null)),
  ]

  if (from !== null) {
    const start = model.getPositionAt(from.start)
    const end = model.getPositionAt(from.end)
    view.setSelection(new monaco.Range(start.lineNumber, start.column, end.lineNumber, end.column))
    view.setScrollTop(from.scrollTop)
    if (from.focused) view.focus()
  }
  showMarkers()

  return {
    dispose: () => {
      window.clearTimeout(markTimer)
      stopMarkers?.()
      stopFollowing()
      stopLeaving()
      features.dispose()
      for (const listener of listening) listener.dispose()
      planner.view.setCaret(null)
      view.dispose()
      model.dispose()
    },
  }
}

type MonacoRange = InstanceType<Monaco['Range']>

/** Where a problem of the whole file is shown. */
const WHOLE_FILE = { start: { offset: 0 }, end: { offset: 0 } }

function severityOf(monaco: Monaco, problem: Problem): MarkerSeverity {
  switch (problem.severity) {
    case 'error':
      return monaco.MarkerSeverity.Error
    case 'warning':
      return monaco.MarkerSeverity.Warning
    case 'info':
      // Worth knowing, nothing to do: dots instead of a wave.
      return monaco.MarkerSeverity.Hint
  }
}

import { commonOptions, type Monaco } from './monaco.ts'

interface DiffTexts {
  readonly original: string
  readonly modified: string
}

/** A comparison of two texts that React never re-renders. */
export interface DiffView {
  readonly show: (texts: DiffTexts) => void
  readonly dispose: () => void
}

/** Shows two texts beside each other (below each other when narrow) in `host`, read-only. */
export function createDiffView(
  monaco: Monaco,
  host: HTMLElement,
  labels: { readonly original: string; readonly modified: string },
): DiffView {
  const original = monaco.editor.createModel('', 'yaml')
  const modified = monaco.editor.createModel('', 'yaml')
  const view = monaco.editor.createDiffEditor(host, {
    ...commonOptions(),
    readOnly: true,
    domReadOnly: true,
    originalEditable: false,
    originalAriaLabel: labels.original,
    modifiedAriaLabel: labels.modified,
    renderOverviewRuler: false,
    renderMarginRevertIcon: false,
    renderGutterMenu: false,
    useInlineViewWhenSpaceIsLimited: true,
    hideUnchangedRegions: { enabled: true, minimumLineCount: 3, contextLineCount: 3 },
    ignoreTrimWhitespace: false,
    lineNumbersMinChars: 3,
    renderFinalNewline: 'on',
  })
  view.setModel({ original, modified })
  // Monaco forgets the sides' names whenever it arranges them again.
  const nameSides = (): void => {
    view.getOriginalEditor().updateOptions({ ariaLabel: labels.original })
    view.getModifiedEditor().updateOptions({ ariaLabel: labels.modified })
  }
  nameSides()
  view.onDidUpdateDiff(nameSides)
  return {
    show: (texts) => {
      original.setValue(texts.original)
      modified.setValue(texts.modified)
    },
    dispose: () => {
      view.dispose()
      original.dispose()
      modified.dispose()
    },
  }
}

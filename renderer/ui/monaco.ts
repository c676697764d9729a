import type * as MonacoBundle from './monaco-bundle.ts'
import { monacoTheme, tokenReader } from './monaco-theme.ts'

export type Monaco = typeof MonacoBundle

/** The one theme of every editor; it is defined anew whenever the page's theme changes. */
const THEME = 'lab-planner'

let loading: Promise<Monaco> | null = null

/** Loads Monaco once for the page, dressed in the page's theme. A failed load can be tried again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= import('./monaco-bundle.ts').then(
    (monaco) => {
      followTheme(monaco)
      return monaco
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

function followTheme(monaco: Monaco): void {
  const root = document.documentElement
  const apply = (): void => {
    const style = getComputedStyle(root)
    monaco.editor.defineTheme(THEME, monacoTheme(style.colorScheme === 'dark', tokenReader(style)))
    monaco.editor.setTheme(THEME)
  }
  apply()
  new MutationObserver(apply).observe(root, { attributes: true, attributeFilter: ['data-theme'] })
}

/** The look that editors and comparisons share. */
export function commonOptions(): {
  readonly theme: string
  readonly fontFamily: string
  readonly fontSize: number
  readonly lineHeight: number
  readonly automaticLayout: true
  readonly minimap: { readonly enabled: false }
  readonly scrollBeyondLastLine: false
  readonly editContext: false
  readonly unusualLineTerminators: 'off'
  readonly renderLineHighlight: 'line'
  readonly smoothScrolling: false
  readonly contextmenu: false
} {
  return {
    theme: THEME,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
    fontSize: 12,
    lineHeight: EDITOR_LINE_HEIGHT,
    automaticLayout: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    // A textarea tells the window's shortcuts that text is being typed; an EditContext does not.
    editContext: false,
    unusualLineTerminators: 'off',
    renderLineHighlight: 'line',
    smoothScrolling: false,
    contextmenu: false,
  }
}

/** Height of a line of text in every editor, in pixels; what stands in for an editor keeps to it. */
export const EDITOR_LINE_HEIGHT = 20

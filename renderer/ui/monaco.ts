import type * as MonacoBundle from './monaco-bundle.ts'
import { monacoTheme, tokenReader } from './monaco-theme.ts'

export type Monaco = typeof MonacoBundle

/** The one theme of every editor; it is defined again whenever the page's theme changes. */
const THEME = 'lab-planner'

const FORCED_COLORS = '(forced-colors: active)'

/** Our theme, or Monaco's own of high contrast where the system chooses the colours. */
function presentTheme(): string {
  if (!window.matchMedia(FORCED_COLORS).matches) return THEME
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'hc-black' : 'hc-light'
}

let loading: Promise<Monaco> | null = null

/** Loads Monaco once for the page, dressed in the page's theme. A failed load can be tried again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= import('./monaco-bundle.ts').then(
    (monaco) => {
      followAppearance(monaco)
      return monaco
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** Keeps editors dressed as the page: its theme, and its zoom (see {@link fontOptions}). */
function followAppearance(monaco: Monaco): void {
  const root = document.documentElement
  const dress = (): void => {
    const style = getComputedStyle(root)
    monaco.editor.defineTheme(THEME, monacoTheme(style.colorScheme === 'dark', tokenReader(style)))
    monaco.editor.setTheme(presentTheme())
  }
  const resize = (): void => {
    for (const editor of monaco.editor.getEditors()) editor.updateOptions(fontOptions())
  }
  dress()
  window.matchMedia(FORCED_COLORS).addEventListener('change', dress)
  new MutationObserver(dress).observe(root, { attributes: true, attributeFilter: ['data-theme'] })
  new MutationObserver(resize).observe(root, { attributes: true, attributeFilter: ['style'] })
}

/**
 * The font, zoomed by its size: Monaco places its lists and hovers by the window's own pixels, so its hosts
 * take the page's zoom back (`zoom: calc(1 / var(--zoom))`) and only the text grows.
 */
function fontOptions(): {
  readonly fontFamily: string
  readonly fontSize: number
  readonly lineHeight: number
} {
  const style = getComputedStyle(document.documentElement)
  const zoom = Number(style.getPropertyValue('--zoom')) || 1
  return {
    fontFamily: style.getPropertyValue('--mono'),
    fontSize: Math.round(12 * zoom),
    lineHeight: Math.round(20 * zoom),
  }
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
    theme: presentTheme(),
    ...fontOptions(),
    automaticLayout: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    // A textarea shows the window's shortcuts that text is being typed; an EditContext does not.
    editContext: false,
    unusualLineTerminators: 'off',
    renderLineHighlight: 'line',
    smoothScrolling: false,
    contextmenu: false,
  }
}

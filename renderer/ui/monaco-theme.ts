import type { editor } from 'monaco-editor/editor'

/** Gives a design token's colour as `#rrggbb`, or null when the token is not such a colour. */
export type ReadToken = (name: string) => string | null

/** Reads design tokens from the page's computed style. */
export function tokenReader(style: CSSStyleDeclaration): ReadToken {
  return (name) => {
    const value = style.getPropertyValue(name).trim()
    return /^#[0-9a-f]{6}$/i.test(value) ? value : null
  }
}

/** Which token each part of a text is drawn in; each stands on `--bg`, `--bg-subtle` or a selection. */
export const TEXT_TOKENS: readonly { readonly scope: string; readonly token: string }[] = [
  { scope: '', token: '--text' },
  { scope: 'comment', token: '--yes' },
  { scope: 'type', token: '--accent-text' },
  { scope: 'string', token: '--moves-text' },
  { scope: 'string.escape', token: '--moves-text' },
  { scope: 'string.invalid', token: '--no' },
  { scope: 'string.escape.invalid', token: '--no' },
  { scope: 'keyword', token: '--moves-text' },
  { scope: 'number', token: '--moves-text' },
  { scope: 'operators', token: '--text-2' },
  { scope: 'delimiter', token: '--text-2' },
  { scope: 'tag', token: '--accent-text' },
  { scope: 'namespace', token: '--accent-text' },
]

const SURFACES: Readonly<Record<string, string>> = {
  'editor.background': '--bg',
  'editor.foreground': '--text',
  'editorGutter.background': '--bg',
  'editorLineNumber.foreground': '--text-2',
  'editorLineNumber.activeForeground': '--text',
  'editorCursor.foreground': '--text',
  'editor.lineHighlightBackground': '--bg-subtle',
  'editor.lineHighlightBorder': '--bg-subtle',
  'editor.selectionBackground': '--bg-selected',
  'editor.inactiveSelectionBackground': '--bg-selected',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-strong',
  'editor.rangeHighlightBackground': '--mark',
  'editorBracketMatch.border': '--line-strong',
  'editorBracketMatch.background': '--bg-hover',
  'editorError.foreground': '--no',
  'editorWarning.foreground': '--moves',
  'editorInfo.foreground': '--held',
  'editorMarkerNavigation.background': '--bg',
  'editorWidget.background': '--bg',
  'editorWidget.foreground': '--text',
  'editorWidget.border': '--line-strong',
  'editorHoverWidget.background': '--bg',
  'editorHoverWidget.foreground': '--text',
  'editorHoverWidget.border': '--line-strong',
  'editorHoverWidget.statusBarBackground': '--bg-subtle',
  'editorSuggestWidget.background': '--bg',
  'editorSuggestWidget.foreground': '--text',
  'editorSuggestWidget.border': '--line-strong',
  'editorSuggestWidget.selectedBackground': '--bg-selected',
  'editorSuggestWidget.selectedForeground': '--text',
  'editorSuggestWidget.highlightForeground': '--accent-text',
  'editorSuggestWidget.focusHighlightForeground': '--accent-text',
  'editorSuggestWidgetStatus.foreground': '--text-2',
  'list.hoverBackground': '--bg-hover',
  'list.focusBackground': '--bg-selected',
  'input.background': '--bg',
  'input.foreground': '--text',
  'input.border': '--line-strong',
  'input.placeholderForeground': '--text-2',
  'inputOption.activeBackground': '--bg-selected',
  'inputOption.activeForeground': '--accent-text',
  'inputOption.activeBorder': '--accent',
  focusBorder: '--accent',
  foreground: '--text',
  descriptionForeground: '--text-2',
  'icon.foreground': '--text-2',
  'textLink.foreground': '--accent-text',
  'textCodeBlock.background': '--bg-hover',
  'diffEditor.border': '--line',
  'diffEditorOverview.insertedForeground': '--yes',
  'diffEditorOverview.removedForeground': '--no',
}

/** Surfaces drawn with some of what is below showing through (the last two digits are the opacity). */
const VEILS: Readonly<Record<string, readonly [token: string, opacity: string]>> = {
  'editor.findMatchBackground': ['--moves', '55'],
  'editor.findMatchHighlightBackground': ['--moves', '2a'],
  'editor.wordHighlightBackground': ['--line-strong', '2a'],
  'editor.wordHighlightStrongBackground': ['--line-strong', '2a'],
  'editor.wordHighlightTextBackground': ['--line-strong', '2a'],
  'editor.selectionHighlightBackground': ['--line-strong', '2a'],
  'editor.hoverHighlightBackground': ['--line-strong', '2a'],
  'diffEditor.insertedLineBackground': ['--yes', '10'],
  'diffEditor.insertedTextBackground': ['--yes', '18'],
  'diffEditor.removedLineBackground': ['--no', '10'],
  'diffEditor.removedTextBackground': ['--no', '18'],
  'scrollbar.shadow': ['--bg', '00'],
  'scrollbarSlider.background': ['--line-strong', '40'],
  'scrollbarSlider.hoverBackground': ['--line-strong', '70'],
  'scrollbarSlider.activeBackground': ['--line-strong', '90'],
}

/**
 * Monaco's theme drawn from the page's own design tokens, so that an editor looks like the panes around it.
 */
export function monacoTheme(dark: boolean, read: ReadToken): editor.IStandaloneThemeData {
  const colors: Record<string, string> = {}
  for (const [surface, token] of Object.entries(SURFACES)) {
    const color = read(token)
    if (color !== null) colors[surface] = color
  }
  for (const [surface, [token, opacity]] of Object.entries(VEILS)) {
    const color = read(token)
    if (color !== null) colors[surface] = `${color}${opacity}`
  }
  const rules = TEXT_TOKENS.flatMap(({ scope, token }) => {
    const color = read(token)
    return color === null ? [] : [{ token: scope, foreground: color.slice(1) }]
  })
  return { base: dark ? 'vs-dark' : 'vs', inherit: false, colors, rules }
}

import type { editor, IDisposable, languages } from 'monaco-editor/editor'
import { printableText } from '../../shared/printable.ts'
import { selectPlan } from '../store/selectors.ts'
import type { PlannerState } from '../store/planner-state.ts'
import type { Monaco } from '../ui/monaco.ts'
import { completionsAt, type Completion } from './completions.ts'
import { hoverAt } from './hovers.ts'

/** Suggestions and hovers for `model` alone; other YAML texts on the page, such as comparisons, have none. */
export function addLanguageFeatures(
  monaco: Monaco,
  model: editor.ITextModel,
  state: () => PlannerState,
): IDisposable {
  const suggestions = monaco.languages.registerCompletionItemProvider('yaml', {
    triggerCharacters: [' ', ':', '[', ',', '"', "'"],
    provideCompletionItems: (asked, { lineNumber, column }) => {
      if (asked !== model) return null
      const now = state()
      const { start, end, items } = completionsAt(
        model.getLinesContent(),
        lineNumber,
        column,
        selectPlan(now),
        now.overlay?.document ?? null,
      )
      const range = new monaco.Range(lineNumber, start, lineNumber, end)
      return { suggestions: items.map((item, i) => toSuggestion(monaco, item, i, range)) }
    },
  })
  const hovers = monaco.languages.registerHoverProvider('yaml', {
    provideHover: (asked, { lineNumber, column }) => {
      if (asked !== model) return null
      const hover = hoverAt(model.getLinesContent(), lineNumber, column, selectPlan(state()))
      if (hover === null) return null
      return {
        range: new monaco.Range(lineNumber, hover.start, lineNumber, hover.end),
        contents: hover.paragraphs.map((value) => ({ value })),
      }
    },
  })
  return {
    dispose: () => {
      suggestions.dispose()
      hovers.dispose()
    },
  }
}

function toSuggestion(
  monaco: Monaco,
  item: Completion,
  index: number,
  range: languages.CompletionItem['range'],
): languages.CompletionItem {
  return {
    label: printableText(item.label),
    kind: kindOf(monaco, item.kind),
    detail: printableText(item.detail),
    documentation: { value: printableText(item.documentation) },
    insertText: item.insertText,
    range,
    // In the order given: roles as the roster has them, `role:` spellings last.
    sortText: String(index).padStart(4, '0'),
    ...(item.isSnippet
      ? { insertTextRules: monaco.languages.CompletionItemInsertTextRule.InsertAsSnippet }
      : {}),
    ...(item.goesOn ? { command: { id: 'editor.action.triggerSuggest', title: 'Suggest' } } : {}),
  }
}

function kindOf(monaco: Monaco, kind: Completion['kind']): languages.CompletionItemKind {
  switch (kind) {
    case 'key':
      return monaco.languages.CompletionItemKind.Property
    case 'role':
      return monaco.languages.CompletionItemKind.Value
    case 'value':
      return monaco.languages.CompletionItemKind.EnumMember
  }
}

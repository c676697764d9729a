import { printable } from '../printable.ts'

/** How a column of a table is aligned. */
export type Align = 'left' | 'right'

/** A table; its cells are Markdown already. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  aligns: readonly Align[] = [],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, i) => (aligns[i] === 'right' ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n')
}

/** A list; its items are Markdown already. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n')
}

/** A fence longer than any run of backticks within, so that no text can close it. */
export function codeBlock(lines: readonly string[], language = 'text'): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, ...lines.map(printable), fence].join('\n')
}

/** `text` on one line, with every character that Markdown or HTML would act on taken literally. */
export function escape(text: string): string {
  return printable(text.replace(/[\r\n\t]+/g, ' '))
    .replace(/[\\`*_{}[\]<>|#~]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^[-+](?=\s|$)/, '\\$&')
}

/** The document of those blocks; empty ones are left out. */
export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

import { describe, expect, test } from 'vitest'
import { renderTable, type Column } from '../../../../electron/terminal/table.ts'

const COLUMNS: readonly Column[] = [
  { title: 'ROLE', min: 6 },
  { title: 'N', align: 'right' },
  { title: 'WHERE', min: 5 },
]
const ROWS = [
  [{ text: 'coder-daily' }, { text: '7' }, { text: 'mac-studio' }],
  [{ text: 'モデル' }, { text: '1024' }, { text: '-' }],
]
const plain = (text: string): string => text

describe('renderTable', () => {
  test('aligns by cells and ends no line in blanks', () => {
    expect(renderTable(COLUMNS, ROWS, 80, plain)).toEqual([
      'ROLE            N  WHERE',
      'coder-daily     7  mac-studio',
      'モデル       1024  -',
    ])
  })

  test('takes the excess from the widest columns first', () => {
    expect(renderTable(COLUMNS, ROWS, 24, plain)[1]).toBe('coder-d…     7  mac-stu…')
  })

  test('never cuts a column below its least width, nor one that has none', () => {
    expect(renderTable(COLUMNS, ROWS, 5, plain)).toEqual([
      'ROLE       N  WHERE',
      'coder…     7  mac-…',
      'モデル  1024  -',
    ])
  })

  test('goes on below in a last column that wraps, and cuts nothing off there', () => {
    const columns: readonly Column[] = [{ title: 'PART' }, { title: 'HOW', min: 20, wraps: true }]
    const rows = [[{ text: 'cache' }, { text: '3 layers × 32,768 cells × 4 heads × (32 f16 + 32 f16)' }]]
    expect(renderTable(columns, rows, 30, plain)).toEqual([
      'PART   HOW',
      'cache  3 layers × 32,768 cells',
      '       × 4 heads × (32 f16 +',
      '       32 f16)',
    ])
  })

  test('colours texts and not the blanks beside them', () => {
    const paint = (text: string): string => `<${text}>`
    const lines = renderTable(
      COLUMNS,
      [
        [
          { text: 'a', paint },
          { text: '$&', paint },
          { text: 'b', paint },
        ],
      ],
      80,
      plain,
    )
    expect(lines[1]).toBe('<a>     <$&>  <b>')
  })
})

import type { BoardLists } from './board-lists.ts'
import type { LongListHandle } from './long-list.tsx'
import { nextIndex } from './next-index.ts'

/** What the arrow keys go to in a row of the board, in their order. */
function controlsOf(row: Element): readonly HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>('button:not(:disabled)')]
}

function listsOf({ columns, cards }: BoardLists): readonly LongListHandle[] {
  return [...Object.values(columns), cards].flatMap(({ current }) => (current === null ? [] : [current]))
}

/** The first control of the board; null when it is empty. */
export function firstControl(lists: BoardLists): HTMLElement | null {
  const [list] = listsOf(lists).filter(({ keys }) => keys.length > 0)
  const row = list?.reveal(list.keys[0] ?? '') ?? null
  return row === null ? null : (controlsOf(row)[0] ?? null)
}

/**
 * What a key goes to from a control of the board: up and down to the same control of the next row, left and right along
 * the row and on to the column beside, at the same height. Null for other keys and at the ends.
 */
export function controlAfterKey(lists: BoardLists, from: HTMLElement, key: string): HTMLElement | null {
  const columns = listsOf(lists)
  const column = columns.findIndex((list) => list.has(from))
  const list = columns[column]
  const row = from.closest<HTMLElement>('li[data-index]')
  if (list === undefined || row === null) return null
  const controls = controlsOf(row)
  const at = controls.indexOf(from)
  switch (key) {
    case 'ArrowRight':
      return controls[at + 1] ?? inColumnBeside(columns.slice(column + 1), row)
    case 'ArrowLeft':
      return controls[at - 1] ?? inColumnBeside(columns.slice(0, column).reverse(), row)
    default: {
      const next = list.keys[nextIndex(key, Number(row.dataset['index']), list.keys.length)]
      const reached = next === undefined ? null : list.reveal(next)
      if (reached === null) return null
      const there = controlsOf(reached)
      return there[Math.min(at, there.length - 1)] ?? null
    }
  }
}

/** The first control of the row that is nearest in height, in the first of `columns` that has one. */
function inColumnBeside(columns: readonly LongListHandle[], row: HTMLElement): HTMLElement | null {
  const { top } = row.getBoundingClientRect()
  for (const list of columns) {
    const distances = list.boxes().map(({ key, box }) => ({ key, away: Math.abs(box.top - top) }))
    const [nearest] = distances.sort((a, b) => a.away - b.away)
    const reached = nearest === undefined ? null : list.reveal(nearest.key)
    const control = reached === null ? undefined : controlsOf(reached)[0]
    if (control !== undefined) return control
  }
  return null
}

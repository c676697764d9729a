import { memo, useMemo, type ReactNode, type RefObject } from 'react'
import { classes } from '../ui/classes.ts'
import type { ExcludeCard } from './board-model.ts'
import { Card } from './exclude-card.tsx'
import { LongList, type LongListHandle } from './long-list.tsx'
import styles from './drag-board.module.css'

interface ExcludeColumnProps {
  readonly cards: readonly ExcludeCard[]
  readonly list: RefObject<LongListHandle | null>
  /** The card of which an exclude is being dragged. */
  readonly draggedCard: string | null
  readonly disabled: boolean
  readonly emptyText: string
}

/** As high as with one exclude in a column of the usual width. */
const CARD_PX = 34

/** The cards of the roles that cannot be beside others; a role dropped on one is excluded by it. */
export const ExcludeColumn = memo(function ExcludeColumn(props: ExcludeColumnProps): ReactNode {
  const { cards, list, draggedCard, disabled, emptyText } = props
  const keys = useMemo(() => cards.map(({ role }) => role), [cards])
  return (
    <div className={styles.column} role="group" aria-label="Cannot be beside">
      <h3 className={styles.columnHead}>
        Cannot be beside
        <span className={classes(styles.count, styles.key)}>excludes</span>
      </h3>
      {cards.length === 0 ? (
        <p className={styles.empty} title={emptyText}>
          {emptyText}
        </p>
      ) : (
        <LongList
          label="Cards of excludes"
          keys={keys}
          kept={draggedCard}
          rowPx={CARD_PX}
          rowLabel={cardLabel}
          handle={list}
        >
          {(index) => {
            const card = cards[index]
            return card === undefined ? null : <Card card={card} disabled={disabled} />
          }}
        </LongList>
      )}
    </div>
  )
})

function cardLabel(role: string): string {
  return `Card of ${role}`
}

import { useDroppable } from '@dnd-kit/core'
import { Ban, X } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import { useBoardActions } from './board-actions.ts'
import type { ExcludeCard } from './board-model.ts'
import { targetId } from './drop.ts'
import { ExcludePill } from './exclude-pill.tsx'
import styles from './drag-board.module.css'

interface ExcludeColumnProps {
  readonly cards: readonly ExcludeCard[]
  /** A role whose card was started and has no exclude yet. */
  readonly pending: string | null
  readonly disabled: boolean
}

/** The cards of the roles that cannot be beside others; a role dropped on one is excluded by it. */
export function ExcludeColumn({ cards, pending, disabled }: ExcludeColumnProps): ReactNode {
  return (
    <div className={styles.column} role="group" aria-label="Cannot be beside">
      <h3 className={styles.columnHead}>
        Cannot be beside
        <span className={classes(styles.count, styles.key)}>excludes</span>
      </h3>
      {cards.length === 0 && pending === null ? (
        <p className={styles.empty}>No role forbids another. Drop one below to start a pair.</p>
      ) : (
        <ul className={styles.list} aria-label="Cards of excludes">
          {pending === null ? null : <PendingCard role={pending} />}
          <Cards cards={cards} disabled={disabled} />
        </ul>
      )}
    </div>
  )
}

const Cards = memo(function Cards({ cards, disabled }: Omit<ExcludeColumnProps, 'pending'>): ReactNode {
  return cards.map((card) => <Card key={card.role} card={card} disabled={disabled} />)
})

interface CardProps {
  readonly card: ExcludeCard
  readonly disabled: boolean
}

const Card = memo(function Card({ card, disabled }: CardProps): ReactNode {
  const data = useMemo((): TargetData => ({ target: { kind: 'card', role: card.role } }), [card.role])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })
  return (
    <li
      ref={setNodeRef}
      className={classes(styles.card, isOver && styles.over)}
      aria-label={`Card of ${card.role}`}
    >
      <CardBody card={card} disabled={disabled} />
    </li>
  )
})

const CardBody = memo(function CardBody({ card, disabled }: CardProps): ReactNode {
  return (
    <>
      <CardName
        role={card.role}
        title={card.known ? card.role : `${card.role} is no role of the roster; its excludes have no effect`}
        known={card.known}
      />
      <ul className={styles.pills} aria-label={`Excludes of ${card.role}`}>
        {card.excludes.map(({ role, known }) => (
          <ExcludePill key={role} card={card.role} role={role} known={known} disabled={disabled} />
        ))}
      </ul>
    </>
  )
})

interface CardNameProps {
  readonly role: string
  readonly title: string
  readonly known: boolean
}

function CardName({ role, title, known }: CardNameProps): ReactNode {
  return (
    <span className={styles.cardHead}>
      <span className={classes(styles.cardName, !known && styles.unknown)} title={title}>
        {role}
      </span>
      <Ban size={13} className={styles.ban} aria-label="cannot be beside" />
    </span>
  )
}

function PendingCard({ role }: { readonly role: string }): ReactNode {
  const actions = useBoardActions()
  const data = useMemo((): TargetData => ({ target: { kind: 'card', role } }), [role])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })
  return (
    <li
      ref={setNodeRef}
      className={classes(styles.card, styles.pending, isOver && styles.over)}
      aria-label={`Card of ${role}`}
    >
      <CardName role={role} title={role} known />
      <span className={styles.pendingText}>drop the other role here</span>
      <Button variant="link" onClick={() => actions.chooseExcludes(role)}>
        Choose…
      </Button>
      <IconButton
        label={`Take away the card of ${role}`}
        icon={<X size={13} />}
        variant="quiet"
        className={styles.small}
        onClick={actions.dropPending}
      />
    </li>
  )
}

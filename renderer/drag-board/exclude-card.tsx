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
import styles from './exclude-card.module.css'

interface CardProps {
  readonly card: ExcludeCard
  readonly disabled: boolean
}

/** A role that lists others, as the place that adds one to them. */
export const Card = memo(function Card({ card, disabled }: CardProps): ReactNode {
  const data = useMemo((): TargetData => ({ target: { kind: 'card', role: card.role } }), [card.role])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })
  const isStarted = card.excludes.length === 0
  return (
    <div ref={setNodeRef} className={styles.place}>
      <div className={classes(styles.card, isStarted && styles.started, isOver && styles.over)}>
        {isStarted ? <StartedBody role={card.role} /> : <CardBody card={card} disabled={disabled} />}
      </div>
    </div>
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

/** Of a card that has no exclude yet. */
function StartedBody({ role }: { readonly role: string }): ReactNode {
  const actions = useBoardActions()
  return (
    <>
      <CardName role={role} title={role} known />
      <span className={styles.startedText}>drop the other role here</span>
      <Button variant="link" tabIndex={-1} onClick={() => actions.chooseExcludes(role)}>
        Choose…
      </Button>
      <IconButton
        tabIndex={-1}
        label={`Take away the card of ${role}`}
        icon={<X size={13} />}
        variant="quiet"
        className={styles.small}
        onClick={actions.dropPending}
      />
    </>
  )
}

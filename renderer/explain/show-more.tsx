import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import styles from './explain.module.css'

interface ShowMoreProps {
  /** How many are left out; nothing is shown when there is none. */
  readonly hidden: number
  /** What they are, as in `notes`. */
  readonly what: string
  readonly onShow: () => void
}

/** The way to the rest of a list that is long in a lab of thousands of nodes. */
export function ShowMore({ hidden, what, onShow }: ShowMoreProps): ReactNode {
  if (hidden === 0) return null
  return (
    <div className={styles.more}>
      <Button variant="link" onClick={onShow}>
        Show {hidden} more {what}
      </Button>
    </div>
  )
}

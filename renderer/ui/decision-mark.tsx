import { ArrowDown, Circle, CircleHelp, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RoleDecision } from '../../shared/plan/types.ts'
import { classes } from './classes.ts'
import styles from './decision-mark.module.css'

/** What a decision looks like: a disc runs in place, an arrow fetches, a cross cannot be placed. Beside words only. */
export function DecisionMark({ decision }: { readonly decision: RoleDecision }): ReactNode {
  switch (decision.kind) {
    case 'place_at_holder':
      return (
        <Circle
          className={classes(styles.mark, styles.place)}
          aria-hidden="true"
          fill="currentColor"
          size={10}
        />
      )
    case 'fetch_then_place':
      return <ArrowDown className={classes(styles.mark, styles.fetch)} aria-hidden="true" strokeWidth={2.5} />
    case 'unplaceable':
      return <X className={classes(styles.mark, styles.no)} aria-hidden="true" strokeWidth={2.5} />
    case 'no_manifest':
      return <CircleHelp className={classes(styles.mark, styles.no)} aria-hidden="true" />
  }
}

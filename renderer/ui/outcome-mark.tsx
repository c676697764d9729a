import { ArrowDown, Circle, CircleHelp, CircleOff, CornerDownRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Outcome } from '../../shared/plan/outcome.ts'
import { classes } from './classes.ts'
import styles from './outcome-mark.module.css'

/**
 * What an outcome looks like: a disc runs in place, an arrow fetches, a bent arrow runs elsewhere, a cross cannot run.
 * Beside words only.
 */
export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): ReactNode {
  switch (outcome.kind) {
    case 'in_place':
      return (
        <Circle
          className={classes(styles.mark, styles.place)}
          aria-hidden="true"
          fill="currentColor"
          size={10}
        />
      )
    case 'after_fetching':
      return <ArrowDown className={classes(styles.mark, styles.fetch)} aria-hidden="true" strokeWidth={2.5} />
    case 'elsewhere':
      return (
        <CornerDownRight
          className={classes(styles.mark, outcome.bytes === 0n ? styles.place : styles.fetch)}
          aria-hidden="true"
          strokeWidth={2.5}
        />
      )
    case 'cannot_run':
      return outcome.alone.kind === 'no_manifest' ? (
        <CircleHelp className={classes(styles.mark, styles.no)} aria-hidden="true" />
      ) : (
        <X className={classes(styles.mark, styles.no)} aria-hidden="true" strokeWidth={2.5} />
      )
    case 'switched_off':
      return <CircleOff className={classes(styles.mark, styles.off)} aria-hidden="true" />
  }
}

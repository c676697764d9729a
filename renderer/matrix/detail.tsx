import { Fragment, type ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import styles from './matrix.module.css'

export interface DetailPart {
  readonly text: string
  readonly strong?: boolean
  readonly mono?: boolean
  /** Said before the text, such as what kind of hash it is. */
  readonly prefix?: string
}

/**
 * One line of facts about what is pointed at; it stands in a place of its own, so that nothing moves when it
 * changes.
 */
export function Detail({ parts }: { readonly parts: readonly DetailPart[] }): ReactNode {
  return (
    <p className={styles.detail} title={parts.map(({ prefix = '', text }) => prefix + text).join(' · ')}>
      {parts.map(({ text, strong, mono, prefix }, i) => (
        <Fragment key={i}>
          {i === 0 ? null : <span aria-hidden="true"> · </span>}
          {prefix}
          <span className={classes(strong && styles.detailStrong, mono && styles.mono)}>{text}</span>
        </Fragment>
      ))}
    </p>
  )
}

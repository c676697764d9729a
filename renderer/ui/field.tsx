import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './field.module.css'

interface FieldProps extends Omit<ComponentProps<'input'>, 'aria-label' | 'className'> {
  /** The accessible name. */
  readonly label: string
  readonly icon?: ReactNode
  readonly suffix?: ReactNode
  /** Why the text is not taken; null when it is. */
  readonly error?: string | null
  readonly className?: string | undefined
}

/** A one-line text field with room for an icon before and a hint behind. */
export function Field({ label, icon, suffix, error = null, className, ...rest }: FieldProps): ReactNode {
  return (
    <span
      className={classes(styles.field, error !== null && styles.invalid, className)}
      title={error ?? undefined}
    >
      {icon}
      <input
        aria-label={label}
        aria-invalid={error !== null}
        spellCheck={false}
        autoComplete="off"
        {...rest}
      />
      {suffix === undefined ? null : <span className={styles.suffix}>{suffix}</span>}
    </span>
  )
}

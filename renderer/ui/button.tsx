import type { ComponentProps, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './button.module.css'

type ButtonVariant = 'plain' | 'primary' | 'quiet' | 'danger' | 'link'

interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: ButtonVariant
  /** Shown beside the label, such as `⌘S`; the accessible name stays the label alone. */
  readonly shortcut?: string | undefined
}

/** A button of the house. */
export function Button({
  variant = 'plain',
  shortcut,
  className,
  children,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button type="button" className={classes(styles.button, styles[variant], className)} {...rest}>
      {children}
      {shortcut === undefined ? null : (
        <kbd className={styles.kbd} aria-hidden="true">
          {shortcut}
        </kbd>
      )}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'aria-label' | 'title'> {
  /** The accessible name, also shown as the tooltip. */
  readonly label: string
  readonly icon: ReactNode
}

/** A button that shows an icon only; its name is at hand as a tooltip. */
export function IconButton({
  label,
  icon,
  shortcut,
  className,
  variant,
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={classes(styles.button, styles[variant ?? 'plain'], styles.icon, className)}
      aria-label={label}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      {...rest}
    >
      {icon}
    </button>
  )
}

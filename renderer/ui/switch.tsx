import type { ReactNode } from 'react'
import styles from './switch.module.css'

interface SwitchProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  /** The label is for screen readers only, where the place makes it plain to the eye. */
  readonly labelHidden?: boolean
  readonly title?: string
}

/** An on/off switch (ARIA `switch`). */
export function Switch({ label, checked, onChange, disabled, labelHidden, title }: SwitchProps): ReactNode {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      className={styles.switch}
      disabled={disabled}
      title={title}
      onClick={() => onChange(!checked)}
    >
      <span className={styles.track} aria-hidden="true">
        <span className={styles.thumb} />
      </span>
      <span className={labelHidden ? 'sr-only' : undefined}>{label}</span>
    </button>
  )
}

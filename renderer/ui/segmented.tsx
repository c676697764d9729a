import type { ReactNode } from 'react'
import styles from './segmented.module.css'

interface SegmentedProps<T extends string> {
  /** The accessible name of the group. */
  readonly label: string
  readonly options: readonly { readonly id: T; readonly label: string; readonly count?: number }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

/** A row of choices of which one holds. */
export function Segmented<T extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedProps<T>): ReactNode {
  return (
    <div className={styles.group} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.id}
          type="button"
          className={styles.option}
          aria-pressed={option.id === value}
          onClick={() => onChange(option.id)}
        >
          {option.label}
          {option.count === undefined ? null : ` ${option.count}`}
        </button>
      ))}
    </div>
  )
}

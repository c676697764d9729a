import { ChevronDown, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './matrix.module.css'

/** The row above a grid: what the marks mean at its start, sorting and filtering at its end. */
export function ToolRow({
  legend,
  children,
}: {
  readonly legend: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={styles.tools}>
      <div className={styles.toolsStart}>{legend}</div>
      <div className={styles.toolsEnd}>{children}</div>
    </div>
  )
}

interface SortMenuProps<T extends string> {
  /** What is sorted, such as `Node`. */
  readonly what: string
  readonly sorts: readonly { readonly id: T; readonly label: string }[]
  readonly value: T
  readonly onChange: (sort: T) => void
}

/** The corner of a grid: what its rows are, and a menu of the orders they can be in. */
export function SortMenu<T extends string>({ what, sorts, value, onChange }: SortMenuProps<T>): ReactNode {
  const label = sorts.find(({ id }) => id === value)?.label ?? value
  return (
    <Menu
      trigger={
        <Button variant="quiet" className={styles.sort} title={`Sort by ${label.toLowerCase()}`}>
          <span className={styles.sortText}>
            {what}, by {label.toLowerCase()}
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      entries={sorts.map((sort) => ({
        kind: 'item',
        label: sort.label,
        checked: sort.id === value,
        onSelect: () => onChange(sort.id),
      }))}
    />
  )
}

interface NodeSearchProps {
  readonly value: string
  readonly onChange: (text: string) => void
}

export function NodeSearch({ value, onChange }: NodeSearchProps): ReactNode {
  return (
    <Field
      label="Filter nodes"
      placeholder="Filter nodes"
      type="search"
      className={styles.search}
      icon={<Search size={14} aria-hidden="true" />}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onChange('')
      }}
    />
  )
}

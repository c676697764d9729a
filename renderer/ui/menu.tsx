import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from './menu.module.css'

export type MenuEntry =
  | {
      readonly kind: 'item'
      readonly label: string
      readonly hint?: string | undefined
      readonly disabled?: boolean
      readonly checked?: boolean
      readonly onSelect: () => void
    }
  | { readonly kind: 'separator' }
  | { readonly kind: 'heading'; readonly label: string }

interface MenuProps {
  /** The button that opens the menu. */
  readonly trigger: ReactNode
  readonly entries: readonly MenuEntry[]
  readonly align?: 'start' | 'end'
  /** Called when the menu is about to show, and when it is gone again. */
  readonly onOpenChange?: (open: boolean) => void
}

/** A menu that drops from a button; arrows, Home, End and typing move in it. */
export function Menu({ trigger, entries, align = 'start', onOpenChange }: MenuProps): ReactNode {
  return (
    <DropdownMenu.Root onOpenChange={(open) => onOpenChange?.(open)}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={styles.menu} align={align} sideOffset={4}>
          <MenuEntries entries={entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** What is in a menu, whatever it drops from. */
export function MenuEntries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  return entries.map((entry, i) => <Entry key={i} entry={entry} />)
}

function Entry({ entry }: { readonly entry: MenuEntry }): ReactNode {
  switch (entry.kind) {
    case 'separator':
      return <DropdownMenu.Separator className={styles.separator} />
    case 'heading':
      return <DropdownMenu.Label className={styles.heading}>{entry.label}</DropdownMenu.Label>
    case 'item': {
      const inside = (
        <>
          <span className={styles.label} title={entry.label}>
            {entry.label}
          </span>
          {entry.checked ? <span aria-hidden="true">✓</span> : null}
          {entry.hint === undefined ? null : <span className={styles.hint}>{entry.hint}</span>}
        </>
      )
      const disabled = entry.disabled ?? false
      return entry.checked === undefined ? (
        <DropdownMenu.Item className={styles.item} disabled={disabled} onSelect={entry.onSelect}>
          {inside}
        </DropdownMenu.Item>
      ) : (
        <DropdownMenu.CheckboxItem
          className={styles.item}
          checked={entry.checked}
          disabled={disabled}
          onSelect={entry.onSelect}
        >
          {inside}
        </DropdownMenu.CheckboxItem>
      )
    }
  }
}

import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { MenuEntries, type MenuEntry } from './menu.tsx'
import styles from './menu.module.css'

interface MenuAtProps {
  /** What the menu drops from, in the window. */
  readonly at: DOMRect
  /** The accessible name. */
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Called when it has closed. */
  readonly onClose: () => void
  /** Puts the focus where it belongs once the menu is gone; else the caller does by other means. */
  readonly returnFocus?: () => void
}

/** One menu for many buttons, open for as long as it is on screen. */
export function MenuAt({ at, label, entries, onClose, returnFocus }: MenuAtProps): ReactNode {
  return (
    <DropdownMenu.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DropdownMenu.Trigger asChild>
        <span
          className={styles.anchor}
          aria-hidden="true"
          style={{ left: at.left, top: at.top, width: at.width, height: at.height }}
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={styles.menu}
          align="end"
          sideOffset={4}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            returnFocus?.()
          }}
        >
          <MenuEntries entries={entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

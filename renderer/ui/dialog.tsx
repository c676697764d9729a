import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { useReturnedFocus } from './use-returned-focus.ts'
import styles from './dialog.module.css'

interface DialogProps {
  readonly title: string
  /** Read by screen readers and shown under the title when `children` does not say it. */
  readonly description: string
  readonly onClose: () => void
  readonly wide?: boolean
  /** The body is text to read: it can be focused, so that keys scroll it where nothing in it has the focus. */
  readonly reading?: boolean
  readonly footer?: ReactNode
  readonly children: ReactNode
}

const FOCUSABLE = 'input, select, textarea, button, a[href], [tabindex="0"]'

/** Gives the focus to the first thing of the body, or of the foot: not to the button that closes the dialog. */
function focusBody(event: Event): void {
  const content = event.currentTarget
  if (!(content instanceof HTMLElement)) return
  const places = [...content.querySelectorAll<HTMLElement>('[data-dialog-part]')]
  const first = places
    .flatMap((place) => [place, ...place.querySelectorAll<HTMLElement>(FOCUSABLE)])
    .find((element) => element.matches(`:is(${FOCUSABLE}):not(:disabled, [tabindex="-1"])`))
  if (first === undefined) return
  event.preventDefault()
  first.focus()
}

/** A modal dialog: focus stays inside, Escape and the scrim close it, focus returns where it was. */
export function Dialog(props: DialogProps): ReactNode {
  const { title, description, onClose, wide, reading, footer, children } = props
  const returnFocus = useReturnedFocus()
  return (
    <Primitive.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className={styles.scrim} />
        <Primitive.Content
          className={classes(styles.dialog, wide && styles.wide)}
          onOpenAutoFocus={focusBody}
          onCloseAutoFocus={returnFocus}
        >
          <header className={styles.head}>
            <Primitive.Title className={styles.title}>{title}</Primitive.Title>
            <Primitive.Close asChild>
              <IconButton label="Close" icon={<X size={16} />} variant="quiet" />
            </Primitive.Close>
          </header>
          <Primitive.Description className="sr-only">{description}</Primitive.Description>
          <div
            data-dialog-part
            className={styles.body}
            {...(reading ? { tabIndex: 0, role: 'group', 'aria-label': `${title}, text` } : {})}
          >
            {children}
          </div>
          {footer === undefined ? null : (
            <footer data-dialog-part className={styles.foot}>
              {footer}
            </footer>
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

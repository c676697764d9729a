import { X } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import styles from './toaster.module.css'

export interface ToastView {
  readonly id: number
  readonly tone: 'info' | 'success' | 'error'
  readonly message: string
}

const SHOWN_MS = 6_000
/** An error takes longer to read, and must not stay over what is below it for good. */
const ERROR_SHOWN_MS = 20_000

/** Short messages in the corner: announced, never focused; errors stay longer. */
export function Toaster({
  toasts,
  besideDialog,
  onDismiss,
}: {
  readonly toasts: readonly ToastView[]
  /** A dialog is open, whose buttons are at its right. */
  readonly besideDialog: boolean
  readonly onDismiss: (id: number) => void
}): ReactNode {
  return (
    <div
      className={classes(styles.toaster, besideDialog && styles.left)}
      role="status"
      aria-label="Messages"
      aria-live="polite"
    >
      {toasts.map((toast) => (
        <ToastRow key={toast.id} toast={toast} onDismiss={onDismiss} />
      ))}
    </div>
  )
}

function ToastRow({
  toast,
  onDismiss,
}: {
  readonly toast: ToastView
  readonly onDismiss: (id: number) => void
}): ReactNode {
  const { id, tone } = toast
  // While it is pointed at or has the focus it is being read.
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = window.setTimeout(() => onDismiss(id), tone === 'error' ? ERROR_SHOWN_MS : SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [id, tone, isHeld, onDismiss])
  return (
    <div
      className={classes(styles.toast, styles[tone])}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span className={styles.message}>{toast.message}</span>
      <IconButton label="Dismiss" icon={<X size={14} />} variant="quiet" onClick={() => onDismiss(id)} />
    </div>
  )
}

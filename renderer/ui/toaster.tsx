import { X } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import styles from './toaster.module.css'

export interface ToastView {
  readonly id: number
  readonly tone: 'info' | 'success' | 'error'
  readonly message: string
}

const SHOWN_MS = 6_000

/** Short messages in the corner: announced, never focused; errors stay until they are dismissed. */
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
  useEffect(() => {
    if (tone === 'error') return
    const timer = window.setTimeout(() => onDismiss(id), SHOWN_MS)
    return () => window.clearTimeout(timer)
  }, [id, tone, onDismiss])
  return (
    <div className={classes(styles.toast, styles[tone])}>
      <span className={styles.message}>{toast.message}</span>
      <IconButton label="Dismiss" icon={<X size={14} />} variant="quiet" onClick={() => onDismiss(id)} />
    </div>
  )
}

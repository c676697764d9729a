import { useState, type ReactNode } from 'react'
import type { Forced } from '../../shared/eligibility/types.ts'
import { Badge } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { NodeMenu } from './node-menu.tsx'
import styles from './matrix.module.css'

interface NodeHeadProps {
  readonly nodeId: string
  readonly forced: Forced
  /** What the badge of a forced node says; `treated as eligible` or `ruled out` when it is left out. */
  readonly forcedWord?: string | null
  /** The row is pointed at or has the focus, so that its menu is at hand. */
  readonly hot: boolean
  /** The row is high enough for a long name to go on in a second line. */
  readonly wraps?: boolean
  /** The second line. */
  readonly children: ReactNode
}

/** The head of a node's row: its name, whether it is forced, one line about it, and its menu when hot. */
export function NodeHead({
  nodeId,
  forced,
  forcedWord,
  hot,
  wraps = false,
  children,
}: NodeHeadProps): ReactNode {
  // While its menu is open the pointer has left the row, which must not take the menu away.
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.nodeHead}>
      <div className={styles.nodeText}>
        <div className={classes(styles.nodeName, wraps && styles.wraps)}>
          <span className={styles.name} title={nodeId}>
            {nodeId}
          </span>
          {forced === null ? null : (
            <Badge
              tone="amber"
              title={forced === 'in' ? 'treated as eligible despite failures' : 'never eligible'}
            >
              {forcedWord ?? (forced === 'in' ? 'treated as eligible' : 'ruled out')}
            </Badge>
          )}
        </div>
        <div className={styles.second}>{children}</div>
      </div>
      {hot || open ? (
        <div className={styles.menuPlace}>
          <NodeMenu nodeId={nodeId} onOpenChange={setOpen} />
        </div>
      ) : null}
    </div>
  )
}

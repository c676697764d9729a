import { Bookmark, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { selectDiff } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Button, IconButton } from '../ui/button.tsx'
import styles from './policy.module.css'

/** Pinning the plan on screen, and how far the present one is from the pinned one. */
export function BaselineControl(): ReactNode {
  const { scenario, view } = usePlanner()
  const diff = usePlannerState(selectDiff)
  if (diff === null) {
    return (
      <Button
        className={styles.baseline}
        onClick={scenario.pinBaseline}
        title="Keep this plan to compare changes with"
      >
        <Bookmark size={13} aria-hidden="true" />
        <span className={styles.pinText}>Pin baseline</span>
      </Button>
    )
  }
  const count = diff.roles.length
  return (
    <span className={styles.control}>
      <Button
        className={styles.baseline}
        disabled={count === 0}
        title="Show what changed since the pinned plan, and which input did it"
        onClick={() => view.openDialog({ kind: 'comparison' })}
      >
        <Bookmark size={13} aria-hidden="true" />
        {count === 0 ? 'No role differs' : `${count} ${count === 1 ? 'role differs' : 'roles differ'}`}
      </Button>
      <IconButton
        className={styles.unpin}
        label="Unpin baseline"
        icon={<X size={14} />}
        variant="quiet"
        onClick={scenario.unpinBaseline}
      />
    </span>
  )
}
